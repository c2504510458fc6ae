import { entryOf, type EventType } from '@nimo/domain';
import type { Json, JsonObject } from '@nimo/event-store';

type Kept = 'kept' | { readonly leftOut: string };

const PRIVATE = { leftOut: 'between a student and the staff, and no score depends on it' } as const;
const OF_ACCOUNTS = {
  leftOut: 'of an account, which stays where it is; people come along by their names',
} as const;
const OF_STAFF = { leftOut: 'of the staff of an installation: another one has its own' } as const;
const OF_INSTALLATION = { leftOut: 'of the installation, not of a space' } as const;

/** What leaves with a space: what its members see, and what its scores follow from. */
const KEPT: Readonly<Record<EventType, Kept>> = {
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
  // Penalties follow from reports and what was ruled on them.
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
    leftOut: 'of the installation; the manifest has all versions, which are compared',
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

export const isKept = (type: string): type is EventType =>
  Object.hasOwn(KEPT, type) && KEPT[type as EventType] === 'kept';

/** Which of the space's posts are deleted for good: their words stay behind. */
export type DeletedPosts = ReadonlySet<string>;

/** What the archive tells of an event of the space; undefined where it is none. */
export function archivedData(
  type: EventType,
  data: JsonObject,
  spaceId: string,
  deleted: DeletedPosts,
): JsonObject | undefined {
  const own = ofSpace(type, data, spaceId);
  return own && withoutDeletedWords(type, withoutReasons(own), deleted);
}

/** A case may be of votes in several spaces: of the others nothing leaves. */
function ofSpace(type: EventType, data: JsonObject, spaceId: string): JsonObject | undefined {
  if (type !== 'VotesInvalidated' && type !== 'InvalidationReversed')
    return data['spaceId'] === spaceId ? data : undefined;
  const votes = (data['votes'] as readonly JsonObject[]).filter((vote) => vote['spaceId'] === spaceId);
  return votes.length === 0 ? undefined : { ...data, votes };
}

/** What staff wrote about people stays. Who deleted can still be told: null is the author. Reporters chose theirs from a list. */
function withoutReasons(data: JsonObject): JsonObject {
  const isChosen = 'reporterId' in data;
  return typeof data['reason'] === 'string' && !isChosen ? { ...data, reason: '' } : data;
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
  // What is sealed has values of JSON in it, and so has what stands for them.
  return words.reduce((left, { gone }) => ({ ...left, ...(gone as JsonObject) }), data);
}

/** Fields that name somebody. */
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

/** The ids of everybody whom an event names. */
export function* peopleIn(data: JsonObject): Generator<string> {
  for (const [name, value] of Object.entries(data)) {
    if (PEOPLE.has(name)) yield* textsOf(value);
    else if (name === 'votes') for (const vote of value as readonly JsonObject[]) yield* peopleIn(vote);
  }
}

function* textsOf(value: Json): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const one of value as readonly Json[]) yield* textsOf(one);
}

const PICTURES = /\/media\/([0-9a-f-]{36}\.webp)/g;

/** The keys of all pictures that an event shows. */
export const picturesIn = (line: string): readonly string[] =>
  Array.from(line.matchAll(PICTURES), ([, key = '']) => key);
