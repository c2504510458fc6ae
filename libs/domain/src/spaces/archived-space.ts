import type { DomainEvent, EventType } from '../events.js';

/**
 * Events that an archived space still accepts: they end its archive or the space, take something away from people, protect personal data,
 * decide on reports, or concern only the person's own lists. It refuses every other event with its ID.
 */
const ACCEPTED: ReadonlySet<EventType> = new Set<EventType>([
  'SpaceArchived',
  'SpaceUnarchived',
  'SpaceRemoved',
  'SpaceLeft',
  'MemberRemoved',
  'EntryRequestWithdrawn',
  'InvitationRevoked',
  'StudentInvitationRevoked',
  'RoleGranted',
  'RoleRevoked',
  'GuardianRefused',
  'AgeForgotten',
  'QuestionWordsErased',
  'AnswerWordsErased',
  'CommentWordsErased',
  // Harmful content must be removable while people can read it.
  'ReportsUpheld',
  'ReportsDismissed',
  'ReportsHandedOver',
  'UpholdingReversed',
  'QuestionSaved',
  'QuestionUnsaved',
  'NewspostSaved',
  'NewspostUnsaved',
]);

/**
 * Events that are still appended after a space was deleted: they erase its words or end a role. It refuses every other event with its
 * ID. `SpaceCreated` precedes the space.
 */
const ACCEPTED_WITHOUT_SPACE: ReadonlySet<EventType> = new Set<EventType>([
  'SpaceCreated',
  'RoleRevoked',
  'QuestionWordsErased',
  'AnswerWordsErased',
  'CommentWordsErased',
]);

/** Demands on a space for events to be appended. */
export interface WrittenSpace {
  readonly spaceId: string;
  readonly mustExist: boolean;
  readonly mustNotBeArchived: boolean;
}

/** The spaces that events write into. Leaves out those of which nothing is demanded. */
export function spacesWrittenTo(events: readonly DomainEvent[]): readonly WrittenSpace[] {
  const spacesOutside = (
    accepted: ReadonlySet<EventType>,
    isMeant: (event: DomainEvent) => boolean = () => true,
  ): ReadonlySet<string> =>
    new Set(
      events
        .filter((event) => !accepted.has(event.type) && !isPartOfRemoval(event) && isMeant(event))
        .flatMap(({ data }) => spaceIdsOf(data)),
    );
  // A case of several spaces outlives each of them: what it did in the others can still be reversed.
  const isOfOneSpace = ({ data }: DomainEvent): boolean => spaceIdsOf(data).length === 1;
  const existing = spacesOutside(ACCEPTED_WITHOUT_SPACE, isOfOneSpace);
  const unarchived = spacesOutside(ACCEPTED);
  return Array.from(new Set([...existing, ...unarchived]), (spaceId) => ({
    spaceId,
    mustExist: existing.has(spaceId),
    mustNotBeArchived: unarchived.has(spaceId),
  }));
}

/** The removal itself was accepted before the space was deleted. */
const isPartOfRemoval = ({ type, data }: DomainEvent): boolean =>
  (type === 'ReportsUpheld' || type === 'UpholdingReversed') && data.removalId !== undefined;

/** An invalidation names the space of each vote. */
function spaceIdsOf(data: object): readonly string[] {
  const own = 'spaceId' in data && typeof data.spaceId === 'string' ? [data.spaceId] : [];
  const votes: unknown = 'votes' in data ? data.votes : undefined;
  const ofVotes = Array.isArray(votes)
    ? votes.flatMap((vote: unknown) => (typeof vote === 'object' && vote !== null ? spaceIdsOf(vote) : []))
    : [];
  return [...new Set([...own, ...ofVotes])];
}
