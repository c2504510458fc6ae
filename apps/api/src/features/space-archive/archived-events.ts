import { entryOf, type EventType } from '@nimo/domain';
import type { Json, JsonObject } from '@nimo/event-store';

type Retention = 'kept' | { readonly excludedBecause: string };

const PRIVATE = {
  excludedBecause: 'confidential between a student and staff, and affects no score',
} as const;
const OF_ACCOUNTS = {
  excludedBecause: 'accounts stay behind; the archive only lists people by name',
} as const;
const OF_STAFF = { excludedBecause: 'concerns the staff of this installation; another has its own' } as const;
const OF_INSTALLATION = { excludedBecause: 'concerns the installation, not a space' } as const;

/** A space archive keeps what its members can see and what its scores derive from. */
const RETENTION: Readonly<Record<EventType, Retention>> = {
  StudentSignedUp: OF_ACCOUNTS,
  StudentPhoneVerified: OF_ACCOUNTS,
  StudentEmailConfirmed: OF_ACCOUNTS,
  StudentPhoneChanged: OF_ACCOUNTS,
  StudentEmailChanged: OF_ACCOUNTS,
  SignUpAbandoned: OF_ACCOUNTS,
  StudentRegistered: OF_ACCOUNTS,
  StudentProfileChanged: OF_ACCOUNTS,
  StudentImported: OF_ACCOUNTS,
  StudentBlocked: PRIVATE,
  StudentUnblocked: PRIVATE,
  SecondFactorReset: OF_ACCOUNTS,
  TermsAccepted: OF_ACCOUNTS,
  ErasureAsked: OF_ACCOUNTS,
  ErasureWithdrawn: OF_ACCOUNTS,
  StudentErased: OF_ACCOUNTS,
  RoleGranted: OF_STAFF,
  RoleRevoked: OF_STAFF,
  ClaimReserved: OF_INSTALLATION,
  ClaimConfirmed: OF_INSTALLATION,
  ClaimReleased: OF_INSTALLATION,
  SpaceCreated: 'kept',
  SpaceChanged: 'kept',
  SpaceRemoved: OF_STAFF,
  SubjectAdded: 'kept',
  SubjectChanged: 'kept',
  TopicCreated: 'kept',
  TopicChanged: 'kept',
  TopicNameTaken: 'kept',
  AvatarAdded: OF_INSTALLATION,
  AvatarChanged: OF_INSTALLATION,
  AvatarRetired: OF_INSTALLATION,
  AvatarRestored: OF_INSTALLATION,
  SpaceJoined: 'kept',
  SpaceLeft: 'kept',
  MemberSuspended: PRIVATE,
  SuspensionLifted: PRIVATE,
  EntryRequested: PRIVATE,
  EntryRequestWithdrawn: PRIVATE,
  EntryRequestAccepted: PRIVATE,
  EntryRequestRefused: PRIVATE,
  MemberRemoved: PRIVATE,
  StudentInvited: PRIVATE,
  StudentInvitationRevoked: PRIVATE,
  InvitationUsed: PRIVATE,
  InvitationMade: OF_STAFF,
  InvitationRevoked: OF_STAFF,
  AgeStated: PRIVATE,
  AgeForgotten: PRIVATE,
  GuardianAsked: PRIVATE,
  GuardianConsented: PRIVATE,
  GuardianRefused: PRIVATE,
  QuestionAsked: 'kept',
  QuestionEdited: 'kept',
  QuestionDeleted: 'kept',
  QuestionWordsErased: 'kept',
  AnswerAccepted: 'kept',
  AnswerPosted: 'kept',
  AnswerEdited: 'kept',
  AnswerDeleted: 'kept',
  AnswerWordsErased: 'kept',
  CommentPosted: 'kept',
  CommentDeleted: 'kept',
  CommentWordsErased: 'kept',
  VoteCast: 'kept',
  VoteWithdrawn: 'kept',
  // Penalties derive from reports and their rulings.
  PostReported: 'kept',
  ReportsUpheld: 'kept',
  UpholdingReversed: 'kept',
  ReportsDismissed: 'kept',
  ReportsHandedOver: OF_STAFF,
  VotesInvalidated: 'kept',
  InvalidationReversed: 'kept',
  VotePatternTriaged: OF_STAFF,
  QuestionSaved: 'kept',
  QuestionUnsaved: 'kept',
  NewspostPublished: 'kept',
  NewspostChanged: 'kept',
  NewspostRemoved: 'kept',
  NewspostRestored: 'kept',
  NewspostLiked: 'kept',
  NewspostUnliked: 'kept',
  NewspostSaved: 'kept',
  NewspostUnsaved: 'kept',
  ScoringRulesPublished: {
    excludedBecause: 'concerns the installation; the manifest lists all versions for comparison',
  },
  ScoringRulesWithdrawn: OF_INSTALLATION,
  ProjectionRebuildStarted: OF_INSTALLATION,
  ProjectionRebuildCancelled: OF_INSTALLATION,
  ProjectionSwitched: OF_INSTALLATION,
  ProjectionVerificationStarted: OF_INSTALLATION,
  ProjectionVerificationCancelled: OF_INSTALLATION,
  ProjectionVerificationFinished: OF_INSTALLATION,
  ProjectionEventRetried: OF_INSTALLATION,
  ProjectionEventSkipped: OF_INSTALLATION,
  ConfidentialDataRead: OF_STAFF,
  StudentNoteWritten: PRIVATE,
  StudentNoteRemoved: PRIVATE,
};

export const isArchived = (type: string): type is EventType =>
  Object.hasOwn(RETENTION, type) && RETENTION[type as EventType] === 'kept';

/** Ids of permanently deleted posts, whose text is not exported. */
export type DeletedPosts = ReadonlySet<string>;

/** The archived form of an event, or undefined if it does not belong to the space. */
export function archivedData(
  type: EventType,
  data: JsonObject,
  spaceId: string,
  deleted: DeletedPosts,
): JsonObject | undefined {
  const own = restrictedToSpace(type, data, spaceId);
  return own && withoutDeletedWords(type, withoutReasons(own), deleted);
}

/** A vote investigation may span several spaces; only this space's votes are exported. */
function restrictedToSpace(type: EventType, data: JsonObject, spaceId: string): JsonObject | undefined {
  if (type !== 'VotesInvalidated' && type !== 'InvalidationReversed')
    return data['spaceId'] === spaceId ? data : undefined;
  const votes = (data['votes'] as readonly JsonObject[]).filter((vote) => vote['spaceId'] === spaceId);
  return votes.length === 0 ? undefined : { ...data, votes };
}

/**
 * Blanks reasons written by staff, but not null ones, which mark a deletion by the author. Reporters pick their reason from a list,
 * so those are kept.
 */
function withoutReasons(data: JsonObject): JsonObject {
  const isFromList = 'reporterId' in data;
  return typeof data['reason'] === 'string' && !isFromList ? { ...data, reason: '' } : data;
}

const POST_ID: Readonly<Record<string, string>> = {
  QuestionAsked: 'questionId',
  QuestionEdited: 'questionId',
  AnswerPosted: 'answerId',
  AnswerEdited: 'answerId',
  CommentPosted: 'commentId',
};

function withoutDeletedWords(type: EventType, data: JsonObject, deleted: DeletedPosts): JsonObject {
  const field = POST_ID[type];
  const postId = field === undefined ? undefined : data[field];
  if (typeof postId !== 'string' || !deleted.has(postId)) return data;
  const words = entryOf(type)?.sealed?.filter((sealed) => sealed.with === 'words') ?? [];
  // Safe cast: sealed fields and their replacements are JSON values.
  return words.reduce((left, { gone }) => ({ ...left, ...(gone as JsonObject) }), data);
}

/** Fields that hold student ids. */
const PEOPLE: ReadonlySet<string> = new Set([
  'studentId',
  'authorId',
  'questionAuthorId',
  'answerAuthorId',
  'parentAuthorId',
  'postAuthorId',
  'voterId',
  'reporterId',
  'moderatorId',
  'editorId',
  'mentionedStudentIds',
]);

/** Ids of all people that an event mentions. */
export function* peopleIn(data: JsonObject): Generator<string> {
  for (const [name, value] of Object.entries(data)) {
    if (PEOPLE.has(name)) yield* stringsIn(value);
    else if (name === 'votes') for (const vote of value as readonly JsonObject[]) yield* peopleIn(vote);
  }
}

function* stringsIn(value: Json): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const one of value as readonly Json[]) yield* stringsIn(one);
}

const PICTURES = /\/media\/([0-9a-f-]{36}\.webp)/g;

/** Keys of all pictures in a line. */
export const picturesIn = (line: string): readonly string[] =>
  Array.from(line.matchAll(PICTURES), ([, key = '']) => key);
