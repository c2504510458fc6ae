import type { EventMetadata, EventOf, EventType } from '@nimo/domain';
import type { JsonObject, RecordedEvent } from '@nimo/event-store';

interface Visibility<Data> {
  /** Fields that name the people the event is about. They see `fields`, even of other people's actions. */
  readonly subjects?: readonly (keyof Data & string)[];
  /** Defaults to all. */
  readonly fields?: readonly (keyof Data & string)[];
  /** Fields the actor sees if the event is not about them. Defaults to all. */
  readonly actorFields?: readonly (keyof Data & string)[];
}
type Rules = { readonly [T in EventType]: Visibility<EventOf<T>['data']> | { readonly hidden: string } };

const ACTOR_ONLY = {} as const;
const OWN = { subjects: ['studentId'] } as const;
const ABOUT_AUTHOR = { subjects: ['authorId'] } as const;
const DECISION = {
  subjects: ['postAuthorId'],
  fields: ['postType', 'postId', 'questionId', 'spaceId', 'reason'],
} as const;
const REMOVAL = {
  subjects: ['authorId'],
  fields: ['removalId', 'spaceId', 'authorId', 'reason', 'posts'],
} as const;
const BOOKKEEPING = { hidden: 'internal bookkeeping: hashes and numbers' } as const;

/** Event fields exported to the actor and to the people concerned: as on screen, and never who voted, reported or decided. */
const RULES: Rules = {
  StudentSignedUp: OWN,
  StudentPhoneVerified: OWN,
  StudentEmailConfirmed: OWN,
  StudentPhoneChanged: OWN,
  StudentEmailChanged: OWN,
  SignUpAbandoned: { hidden: 'concerns no account' },
  StudentRegistered: OWN,
  StudentProfileChanged: OWN,
  StudentImported: OWN,
  StudentBlocked: { subjects: ['studentId'], fields: ['studentId'] },
  StudentUnblocked: { subjects: ['studentId'], fields: ['studentId'] },
  SecondFactorReset: OWN,
  TermsAccepted: OWN,
  ErasureAsked: { subjects: ['studentId'], fields: ['studentId'] },
  ErasureWithdrawn: { subjects: ['studentId'], fields: ['studentId'] },
  StudentErased: OWN,
  RoleGranted: OWN,
  RoleRevoked: OWN,
  ClaimReserved: BOOKKEEPING,
  ClaimConfirmed: BOOKKEEPING,
  ClaimReleased: BOOKKEEPING,
  SpaceCreated: ACTOR_ONLY,
  SpaceChanged: ACTOR_ONLY,
  SpaceRemoved: ACTOR_ONLY,
  SpaceArchived: ACTOR_ONLY,
  SpaceUnarchived: ACTOR_ONLY,
  SubjectAdded: ACTOR_ONLY,
  SubjectChanged: ACTOR_ONLY,
  TopicCreated: ACTOR_ONLY,
  TopicChanged: ACTOR_ONLY,
  TopicNameTaken: ACTOR_ONLY,
  AvatarAdded: ACTOR_ONLY,
  AvatarChanged: ACTOR_ONLY,
  AvatarRetired: ACTOR_ONLY,
  AvatarRestored: ACTOR_ONLY,
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
  InvitationMade: ACTOR_ONLY,
  InvitationRevoked: ACTOR_ONLY,
  MemberRemoved: { subjects: ['studentId'], fields: ['spaceId', 'studentId'] },
  MemberSuspended: { subjects: ['studentId'], fields: ['spaceId', 'studentId'] },
  SuspensionLifted: { subjects: ['studentId'], fields: ['spaceId', 'studentId'] },
  MemberWarned: {
    subjects: ['studentId'],
    fields: ['spaceId', 'studentId', 'warningId', 'text', 'postId'],
  },
  QuestionAsked: ABOUT_AUTHOR,
  QuestionEdited: ABOUT_AUTHOR,
  QuestionDeleted: ABOUT_AUTHOR,
  AnswerAccepted: {
    subjects: ['questionAuthorId', 'answerAuthorId'],
    fields: ['questionId', 'answerId', 'spaceId', 'questionAuthorId', 'answerAuthorId'],
  },
  AnswerPosted: ABOUT_AUTHOR,
  AnswerEdited: ABOUT_AUTHOR,
  AnswerDeleted: ABOUT_AUTHOR,
  CommentPosted: ABOUT_AUTHOR,
  CommentDeleted: ABOUT_AUTHOR,
  VoteCast: { subjects: ['voterId'] },
  VoteWithdrawn: { subjects: ['voterId'] },
  PostReported: { subjects: ['reporterId'] },
  ReportsUpheld: DECISION,
  UpholdingReversed: DECISION,
  PostsRemoved: REMOVAL,
  PostsRestored: REMOVAL,
  ReportsDismissed: ACTOR_ONLY,
  ReportsHandedOver: ACTOR_ONLY,
  // Those concerned get score notices instead, grouped by day.
  InvalidationProposed: { actorFields: ['caseId', 'reason', 'category'] },
  InvalidationDeclined: { actorFields: ['caseId', 'reason'] },
  VotesInvalidated: { actorFields: ['caseId', 'reason', 'category'] },
  InvalidationReversed: { actorFields: ['caseId', 'reason'] },
  // Not revealed to the people whose votes stood out.
  VotePatternTriaged: { actorFields: ['spaceId', 'patternId', 'kind', 'verdict', 'voteCount'] },
  QuestionWordsErased: ABOUT_AUTHOR,
  AnswerWordsErased: ABOUT_AUTHOR,
  CommentWordsErased: ABOUT_AUTHOR,
  QuestionSaved: OWN,
  QuestionUnsaved: OWN,
  NewspostPublished: ACTOR_ONLY,
  NewspostChanged: ACTOR_ONLY,
  NewspostRemoved: ACTOR_ONLY,
  NewspostRestored: ACTOR_ONLY,
  NewspostLiked: OWN,
  NewspostUnliked: OWN,
  NewspostSaved: OWN,
  NewspostUnsaved: OWN,
  ScoringRulesPublished: ACTOR_ONLY,
  ScoringRulesWithdrawn: ACTOR_ONLY,
  ProjectionRebuildStarted: ACTOR_ONLY,
  ProjectionRebuildCancelled: ACTOR_ONLY,
  ProjectionSwitched: ACTOR_ONLY,
  ProjectionVerificationStarted: ACTOR_ONLY,
  ProjectionVerificationCancelled: ACTOR_ONLY,
  ProjectionVerificationFinished: ACTOR_ONLY,
  ProjectionEventRetried: ACTOR_ONLY,
  ProjectionEventSkipped: ACTOR_ONLY,
  // Whose data staff viewed appears only in the audit.
  ConfidentialDataRead: { actorFields: ['readId', 'what', 'spaceIds', 'rows'] },
  // The text is about another person and encrypted with their key.
  StudentNoteWritten: { actorFields: ['noteId', 'spaceId'] },
  StudentNoteRemoved: { actorFields: ['noteId', 'spaceId'] },
};

/** An event as exported to one person. */
export interface OwnEvent {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly isOwnAction: boolean;
  readonly data: JsonObject;
}

/** @returns undefined if the event does not concern the student */
export function ownEventOf(event: RecordedEvent, studentId: string): OwnEvent | undefined {
  const rule: (Visibility<JsonObject> & { readonly hidden?: string }) | undefined = Object.hasOwn(
    RULES,
    event.type,
  )
    ? (RULES[event.type as EventType] as Visibility<JsonObject>)
    : undefined;
  if (!rule || rule.hidden !== undefined) return undefined;
  const { id, type, data, metadata } = event;
  // Every event has it: the command runner adds it.
  const { actor, occurredAt } = metadata as unknown as EventMetadata;
  const isOwnAction = 'id' in actor && actor.id === studentId;
  const isAbout = rule.subjects?.some((field) => data[field] === studentId) ?? false;
  if (!isOwnAction && !isAbout) return undefined;
  const fields = isAbout ? rule.fields : rule.actorFields;
  return {
    id,
    type,
    at: occurredAt,
    isOwnAction,
    data: fields ? Object.fromEntries(fields.map((field) => [field, data[field] ?? null])) : data,
  };
}

/** Event types exported to no one. Used by the test that compares an export with the log. */
export const HIDDEN_TYPES: ReadonlySet<string> = new Set(
  Object.entries(RULES).flatMap(([type, rule]) => ('hidden' in rule ? [type] : [])),
);
