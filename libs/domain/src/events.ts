import type { AnyEntry, ErrorsIn, EventIn, EventsIn } from './vocabulary.js';
import { studentEvents } from './students/student.events.js';
import { claimEvents } from './claims/claim.events.js';
import { spaceEvents } from './spaces/space.events.js';
import { topicEvents } from './topics/topic.events.js';
import { avatarEvents } from './avatars/avatars.events.js';
import { invitationEvents } from './invitations/invitation.events.js';
import { membershipEvents } from './memberships/membership.events.js';
import { questionEvents } from './questions/question.events.js';
import { answerEvents } from './answers/answer.events.js';
import { commentEvents } from './comments/comment.events.js';
import { voteEvents } from './votes/vote.events.js';
import { reportEvents } from './reports/report.events.js';
import { decisionEvents } from './moderation/moderation.events.js';
import { removalEvents } from './removals/removal.events.js';
import { caseEvents } from './cases/case.events.js';
import { triageEvents } from './patterns/triage.events.js';
import { bookmarkEvents } from './bookmarks/bookmark.events.js';
import { newspostEvents } from './news/newspost.events.js';
import { reactionEvents } from './news/reaction.events.js';
import { scoringRulesEvents } from './scoring/scoring-rules.events.js';
import { projectionEvents } from './projection-maintenance.events.js';
import { noteEvents } from './notes/note.events.js';
import { readEvents } from './traces/confidential-read.events.js';

export type * from './event-parts.js';
export type * from './students/student.events.js';
export type * from './claims/claim.events.js';
export type * from './spaces/space.events.js';
export type * from './topics/topic.events.js';
export type * from './avatars/avatars.events.js';
export type * from './memberships/membership.events.js';
export type * from './invitations/invitation.events.js';
export type * from './questions/question.events.js';
export type * from './answers/answer.events.js';
export type * from './comments/comment.events.js';
export type * from './votes/vote.events.js';
export type * from './reports/report.events.js';
export type * from './moderation/moderation.events.js';
export type * from './removals/removal.events.js';
export type * from './cases/case.events.js';
export type * from './patterns/triage.events.js';
export type * from './bookmarks/bookmark.events.js';
export type * from './news/newspost.events.js';
export type * from './news/reaction.events.js';
export type * from './scoring/scoring-rules.events.js';
export type { FactKind, ScoringRules, Weight } from './scoring/scoring-rules.js';
export type * from './projection-maintenance.events.js';
export type * from './notes/note.events.js';
export type * from './traces/confidential-read.events.js';

/** Registry of all events. Each event carries every ID that a projection needs. */
export const SLICES = [
  studentEvents,
  claimEvents,
  spaceEvents,
  topicEvents,
  avatarEvents,
  membershipEvents,
  invitationEvents,
  questionEvents,
  answerEvents,
  commentEvents,
  voteEvents,
  reportEvents,
  decisionEvents,
  removalEvents,
  caseEvents,
  triageEvents,
  bookmarkEvents,
  newspostEvents,
  reactionEvents,
  scoringRulesEvents,
  projectionEvents,
  readEvents,
  noteEvents,
] as const;

export type DomainEvent = EventIn<(typeof SLICES)[number]>;
export type EventType = DomainEvent['type'];
export type EventOf<T extends EventType> = Extract<DomainEvent, { type: T }>;

/** Entries of all event types, in the order of the slices. */
// `fromEntries` loses which name has which type.
export const VOCABULARY = Object.fromEntries(
  SLICES.flatMap(({ events }) => Object.entries(events)),
) as unknown as EventsIn<(typeof SLICES)[number]>;

export const EVENT_TYPES = Object.keys(VOCABULARY) as readonly EventType[];

const ENTRIES: Readonly<Record<string, AnyEntry | undefined>> = VOCABULARY;

/** Entry of an event type; undefined if unknown. */
export const entryOf = (type: string): AnyEntry | undefined =>
  Object.hasOwn(ENTRIES, type) ? ENTRIES[type] : undefined;

/** Prefixes of all stream names. They set Nimo apart from other applications on the same server. */
export const STREAM_PREFIXES: readonly string[] = SLICES.flatMap(({ streams }): readonly string[] => streams);

/** Merged into `ERROR_CATALOGUE`. */
export const SLICE_ERRORS = Object.assign({}, ...SLICES.map(({ errors }) => errors)) as ErrorsIn<
  (typeof SLICES)[number]
>;
