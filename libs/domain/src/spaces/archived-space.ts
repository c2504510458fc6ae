import type { DomainEvent, EventType } from '../events.js';

/**
 * Events that an archived space still accepts: they end its archive, take something away from people, protect personal data, or
 * concern only the person's own lists. It refuses every other event with its ID.
 */
const ACCEPTED: ReadonlySet<EventType> = new Set<EventType>([
  'SpaceArchived',
  'SpaceUnarchived',
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
  'QuestionSaved',
  'QuestionUnsaved',
  'NewspostSaved',
  'NewspostUnsaved',
]);

/** IDs of the spaces that must not be archived for these events to be appended. */
export function spacesWrittenTo(events: readonly DomainEvent[]): readonly string[] {
  const written = events.filter(({ type }) => !ACCEPTED.has(type));
  return [...new Set(written.flatMap(({ data }) => spaceIdsOf(data)))];
}

/** An invalidation names the space of each vote. */
function spaceIdsOf(data: object): readonly string[] {
  const own = 'spaceId' in data && typeof data.spaceId === 'string' ? [data.spaceId] : [];
  const votes: unknown = 'votes' in data ? data.votes : undefined;
  const ofVotes = Array.isArray(votes)
    ? votes.flatMap((vote: unknown) => (typeof vote === 'object' && vote !== null ? spaceIdsOf(vote) : []))
    : [];
  return [...own, ...ofVotes];
}
