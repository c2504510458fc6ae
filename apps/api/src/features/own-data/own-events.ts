import type { EventMetadata, EventOf, EventType } from '@nimo/domain';
import type { JsonObject, RecordedEvent } from '@nimo/event-store';

interface Seen<Data> {
  /** The fields that say whose it is. Whoever is there sees `fields`, whoever did it. */
  readonly of?: readonly (keyof Data & string)[];
  /** All unless said. */
  readonly fields?: readonly (keyof Data & string)[];
  /** What whoever did it sees, where the event is not about them: all unless said, nothing for `[]`. */
  readonly doer?: readonly (keyof Data & string)[];
}
type Rules = { readonly [T in EventType]: Seen<EventOf<T>['data']> | { readonly hidden: string } };

const BY_DOER = {} as const;
const OWN = { of: ['studentId'] } as const;
const OF_AUTHOR = { of: ['authorId'] } as const;
const RULING = {
  of: ['postAuthorId'],
  fields: ['postType', 'postId', 'questionId', 'spaceId', 'reason'],
} as const;
const BOOKKEEPING = { hidden: 'kept by the product itself, by hashes and numbers' } as const;

/** What of each event a person gets who did it or whom it is about: what they see on the screens, and never who voted, reported or decided. */
const RULES: Rules = {
  StudentSignedUp: OWN,
  StudentPhoneVerified: OWN,
  StudentEmailConfirmed: OWN,
  StudentPhoneChanged: OWN,
  StudentEmailChanged: OWN,
  SignUpAbandoned: { hidden: 'of nobody who has an account' },
  StudentRegistered: OWN,
  StudentProfileChanged: OWN,
  StudentImported: OWN,
  StudentBlocked: { of: ['studentId'], fields: ['studentId'] },
  StudentUnblocked: { of: ['studentId'], fields: ['studentId'] },
  SecondFactorReset: OWN,
  TermsAccepted: OWN,
  ErasureAsked: { of: ['studentId'], fields: ['studentId'] },
  ErasureWithdrawn: { of: ['studentId'], fields: ['studentId'] },
  StudentErased: OWN,
  RoleGranted: OWN,
  RoleRevoked: OWN,
  ClaimReserved: BOOKKEEPING,
  ClaimConfirmed: BOOKKEEPING,
  ClaimReleased: BOOKKEEPING,
  SpaceCreated: BY_DOER,
  SpaceChanged: BY_DOER,
  SpaceRemoved: BY_DOER,
  SubjectAdded: BY_DOER,
  SubjectChanged: BY_DOER,
  TopicCreated: BY_DOER,
  TopicChanged: BY_DOER,
  TopicNameTaken: BY_DOER,
  AvatarAdded: BY_DOER,
  AvatarChanged: BY_DOER,
  AvatarRetired: BY_DOER,
  AvatarRestored: BY_DOER,
  SpaceJoined: OWN,
  SpaceLeft: OWN,
  EntryRequested: OWN,
  EntryRequestWithdrawn: OWN,
  EntryRequestAccepted: OWN,
  EntryRequestRefused: OWN,
  StudentInvited: OWN,
  StudentInvitationRevoked: OWN,
  InvitationUsed: OWN,
  AgeStated: OWN,
  AgeForgotten: OWN,
  GuardianAsked: OWN,
  GuardianConsented: OWN,
  GuardianRefused: OWN,
  InvitationMade: BY_DOER,
  InvitationRevoked: BY_DOER,
  MemberRemoved: { of: ['studentId'], fields: ['spaceId', 'studentId'] },
  MemberSuspended: { of: ['studentId'], fields: ['spaceId', 'studentId'] },
  SuspensionLifted: { of: ['studentId'], fields: ['spaceId', 'studentId'] },
  QuestionAsked: OF_AUTHOR,
  QuestionEdited: OF_AUTHOR,
  QuestionDeleted: OF_AUTHOR,
  AnswerAccepted: { of: ['questionAuthorId', 'answerAuthorId'] },
  AnswerPosted: OF_AUTHOR,
  AnswerEdited: OF_AUTHOR,
  AnswerDeleted: OF_AUTHOR,
  CommentPosted: OF_AUTHOR,
  CommentDeleted: OF_AUTHOR,
  VoteCast: { of: ['voterId'] },
  VoteWithdrawn: { of: ['voterId'] },
  PostReported: { of: ['reporterId'] },
  ReportsUpheld: RULING,
  UpholdingReversed: RULING,
  ReportsDismissed: BY_DOER,
  ReportsHandedOver: BY_DOER,
  // Whom it was about is told by the notices of the score, by the day.
  VotesInvalidated: { doer: ['caseId', 'reason', 'category'] },
  InvalidationReversed: { doer: ['caseId', 'reason'] },
  // Whose votes stood out is told to nobody of them.
  VotePatternTriaged: { doer: ['spaceId', 'patternId', 'kind', 'verdict', 'voteCount'] },
  QuestionWordsErased: OF_AUTHOR,
  AnswerWordsErased: OF_AUTHOR,
  CommentWordsErased: OF_AUTHOR,
  QuestionSaved: OWN,
  QuestionUnsaved: OWN,
  NewspostPublished: BY_DOER,
  NewspostChanged: BY_DOER,
  NewspostRemoved: BY_DOER,
  NewspostRestored: BY_DOER,
  NewspostLiked: OWN,
  NewspostUnliked: OWN,
  NewspostSaved: OWN,
  NewspostUnsaved: OWN,
  ScoringRulesPublished: BY_DOER,
  ScoringRulesWithdrawn: BY_DOER,
  ProjectionRebuildStarted: BY_DOER,
  ProjectionRebuildCancelled: BY_DOER,
  ProjectionSwitched: BY_DOER,
  ProjectionVerificationStarted: BY_DOER,
  ProjectionVerificationCancelled: BY_DOER,
  ProjectionVerificationFinished: BY_DOER,
  ProjectionEventRetried: BY_DOER,
  ProjectionEventSkipped: BY_DOER,
  // Whom staff looked at is kept from everybody but the audit.
  ConfidentialDataRead: { doer: ['readId', 'what', 'spaceIds', 'rows'] },
  // The words are about somebody else, and sealed with that person's key.
  StudentNoteWritten: { doer: ['noteId', 'spaceId'] },
  StudentNoteRemoved: { doer: ['noteId', 'spaceId'] },
};

/** An event as its person gets it. */
export interface OwnEvent {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly isOwnAct: boolean;
  readonly data: JsonObject;
}

/** @returns undefined where it is none of that student's business */
export function ownEventOf(event: RecordedEvent, studentId: string): OwnEvent | undefined {
  const rule: (Seen<JsonObject> & { readonly hidden?: string }) | undefined = Object.hasOwn(RULES, event.type)
    ? (RULES[event.type as EventType] as Seen<JsonObject>)
    : undefined;
  if (!rule || rule.hidden !== undefined) return undefined;
  const { id, type, data, metadata } = event;
  // The command runner wrote it, of every event.
  const { actor, occurredAt } = metadata as unknown as EventMetadata;
  const isOwnAct = 'id' in actor && actor.id === studentId;
  const isAbout = rule.of?.some((field) => data[field] === studentId) ?? false;
  if (!isOwnAct && !isAbout) return undefined;
  const fields = isAbout ? rule.fields : rule.doer;
  return {
    id,
    type,
    at: occurredAt,
    isOwnAct,
    data: fields ? Object.fromEntries(fields.map((field) => [field, data[field] ?? null])) : data,
  };
}

/** Types of which nobody gets anything, with the reason. For the test that compares a copy with the log. */
export const HIDDEN_TYPES: ReadonlySet<string> = new Set(
  Object.entries(RULES).flatMap(([type, rule]) => ('hidden' in rule ? [type] : [])),
);
