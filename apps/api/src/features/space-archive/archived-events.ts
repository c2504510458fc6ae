import { entryOf, type EventType } from '@nimo/domain';
import type { Json, JsonObject } from '@nimo/event-store';

type Retention = 'kept' | { readonly excludedBecause: string };

const CONFIDENTIAL_EVENT = {
  excludedBecause: 'confidential between a student and staff, and affects no score',
} as const;
const ACCOUNT_EVENT = {
  excludedBecause: 'accounts stay behind; the archive only lists people by name',
} as const;
const STAFF_EVENT = {
  excludedBecause: 'concerns the staff of this installation; another has its own',
} as const;
const INSTALLATION_EVENT = { excludedBecause: 'concerns the installation, not a space' } as const;

/** A space archive keeps what its members can see and what its scores derive from. */
const RETENTION: Readonly<Record<EventType, Retention>> = {
  StudentSignedUp: ACCOUNT_EVENT,
  StudentPhoneVerified: ACCOUNT_EVENT,
  StudentEmailConfirmed: ACCOUNT_EVENT,
  StudentPhoneChanged: ACCOUNT_EVENT,
  StudentEmailChanged: ACCOUNT_EVENT,
  SignUpAbandoned: ACCOUNT_EVENT,
  StudentRegistered: ACCOUNT_EVENT,
  StudentProfileChanged: ACCOUNT_EVENT,
  StudentImported: ACCOUNT_EVENT,
  StudentBlocked: CONFIDENTIAL_EVENT,
  StudentUnblocked: CONFIDENTIAL_EVENT,
  SecondFactorReset: ACCOUNT_EVENT,
  TermsAccepted: ACCOUNT_EVENT,
  ErasureAsked: ACCOUNT_EVENT,
  ErasureWithdrawn: ACCOUNT_EVENT,
  StudentErased: ACCOUNT_EVENT,
  RoleGranted: STAFF_EVENT,
  RoleRevoked: STAFF_EVENT,
  ClaimReserved: INSTALLATION_EVENT,
  ClaimConfirmed: INSTALLATION_EVENT,
  ClaimReleased: INSTALLATION_EVENT,
  SpaceCreated: 'kept',
  SpaceChanged: 'kept',
  SpaceRemoved: STAFF_EVENT,
  SpaceArchived: STAFF_EVENT,
  SpaceUnarchived: STAFF_EVENT,
  SubjectAdded: 'kept',
  SubjectChanged: 'kept',
  TopicCreated: 'kept',
  TopicChanged: 'kept',
  TopicNameTaken: 'kept',
  AvatarAdded: INSTALLATION_EVENT,
  AvatarChanged: INSTALLATION_EVENT,
  AvatarRetired: INSTALLATION_EVENT,
  AvatarRestored: INSTALLATION_EVENT,
  SpaceJoined: 'kept',
  SpaceLeft: 'kept',
  MemberSuspended: CONFIDENTIAL_EVENT,
  SuspensionLifted: CONFIDENTIAL_EVENT,
  MemberWarned: CONFIDENTIAL_EVENT,
  EntryRequested: CONFIDENTIAL_EVENT,
  EntryRequestWithdrawn: CONFIDENTIAL_EVENT,
  EntryRequestAccepted: CONFIDENTIAL_EVENT,
  EntryRequestRefused: CONFIDENTIAL_EVENT,
  MemberRemoved: CONFIDENTIAL_EVENT,
  StudentInvited: CONFIDENTIAL_EVENT,
  StudentInvitationRevoked: CONFIDENTIAL_EVENT,
  InvitationUsed: CONFIDENTIAL_EVENT,
  InvitationMade: STAFF_EVENT,
  InvitationRevoked: STAFF_EVENT,
  AgeStated: CONFIDENTIAL_EVENT,
  AgeForgotten: CONFIDENTIAL_EVENT,
  GuardianAsked: CONFIDENTIAL_EVENT,
  GuardianConsented: CONFIDENTIAL_EVENT,
  GuardianRefused: CONFIDENTIAL_EVENT,
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
  // The rulings on the posts are kept.
  PostsRemoved: STAFF_EVENT,
  PostsRestored: STAFF_EVENT,
  ReportsHandedOver: STAFF_EVENT,
  InvalidationProposed: STAFF_EVENT,
  InvalidationDeclined: STAFF_EVENT,
  VotesInvalidated: 'kept',
  InvalidationReversed: 'kept',
  VotePatternTriaged: STAFF_EVENT,
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
  ScoringRulesWithdrawn: INSTALLATION_EVENT,
  ProjectionRebuildStarted: INSTALLATION_EVENT,
  ProjectionRebuildCancelled: INSTALLATION_EVENT,
  ProjectionSwitched: INSTALLATION_EVENT,
  ProjectionVerificationStarted: INSTALLATION_EVENT,
  ProjectionVerificationCancelled: INSTALLATION_EVENT,
  ProjectionVerificationFinished: INSTALLATION_EVENT,
  ProjectionEventRetried: INSTALLATION_EVENT,
  ProjectionEventSkipped: INSTALLATION_EVENT,
  ConfidentialDataRead: STAFF_EVENT,
  StudentNoteWritten: CONFIDENTIAL_EVENT,
  StudentNoteRemoved: CONFIDENTIAL_EVENT,
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
  const ownData = restrictedToSpace(type, data, spaceId);
  return ownData && withoutDeletedText(type, withoutRemoval(withoutReasons(ownData)), deleted);
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

/** The archive has no removals of all posts, only the ruling on each. */
function withoutRemoval({ removalId: _, ...data }: JsonObject): JsonObject {
  return data;
}

const POST_ID: Readonly<Record<string, string>> = {
  QuestionAsked: 'questionId',
  QuestionEdited: 'questionId',
  AnswerPosted: 'answerId',
  AnswerEdited: 'answerId',
  CommentPosted: 'commentId',
};

function withoutDeletedText(type: EventType, data: JsonObject, deleted: DeletedPosts): JsonObject {
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
  'acceptedBy',
  'parentAuthorId',
  'postAuthorId',
  'voterId',
  'reporterId',
  'moderatorId',
  'proposedBy',
  'editorId',
  'mentionedStudentIds',
]);

/** Ids of all people that an event mentions. */
export function* peopleIn(data: JsonObject): Generator<string> {
  for (const [name, value] of Object.entries(data)) {
    if (PEOPLE.has(name)) yield* stringsIn(value);
    else if (name === 'votes') for (const vote of value as readonly JsonObject[]) yield* peopleIn(vote);
    else if (name === 'supersedes') yield* peopleIn(value as JsonObject);
  }
}

function* stringsIn(value: Json): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const one of value as readonly Json[]) yield* stringsIn(one);
}

const PICTURES = /\/media\/([0-9a-f-]{36}\.webp)/g;

/** Keys of all pictures in a line. */
export const extractPictureKeys = (line: string): readonly string[] =>
  Array.from(line.matchAll(PICTURES), ([, key = '']) => key);
