import type { AvatarData, EventOf, EventType, PostRef, VoteData } from '@nimo/domain';
import type { ProjectedEvent } from '../projection.js';
import { type AuditClass, type AuditLine, lineOf } from './audit-line.js';

interface Audited<T extends EventType> {
  readonly class: AuditClass;
  /** One or more lines; none where this very event is a student's own act. */
  readonly lines: (data: EventOf<T>['data']) => readonly AuditLine[];
}
interface NotAudited {
  readonly class: null;
  readonly because: string;
}

const one =
  <Data>(tell: (data: Data) => Partial<AuditLine>) =>
  (data: Data): readonly AuditLine[] => [lineOf(tell(data))];
const vote = <Data>(lines: (data: Data) => readonly AuditLine[]) => ({ class: 'VOTE', lines }) as const;
const act = <Data>(tell: (data: Data) => Partial<AuditLine>) => ({ class: 'ACT', lines: one(tell) }) as const;
const notAudited = (because: string): NotAudited => ({ class: null, because });

const OWN_ACT = notAudited('own act of a student');
const BOOKKEEPING = notAudited('kept by the product itself; nobody decides it');

const placeOf = ({ postType, postId, questionId, spaceId, postAuthorId }: PostRef): Partial<AuditLine> => ({
  postType,
  postId,
  questionId,
  spaceId,
  receiverId: postAuthorId,
});
const voteOf = (data: VoteData): AuditLine =>
  lineOf({
    ...placeOf(data),
    voterId: data.voterId,
    voterIsStandIn: data.voterIsStandIn,
    direction: data.direction,
  });
const casted = vote((data: VoteData) => [voteOf(data)]);
const ruling = act(({ reason, round, ...post }: EventOf<'ReportsUpheld'>['data']) => ({
  ...placeOf(post),
  reason,
  round,
}));
const ofCase = {
  class: 'ACT',
  lines: ({ caseId, reason, votes }: EventOf<'VotesInvalidated' | 'InvalidationReversed'>['data']) =>
    votes.map((of) => ({ ...voteOf(of), caseId, reason })),
} as const;
const ofRole = act(({ studentId, role, spaceId }: EventOf<'RoleGranted' | 'RoleRevoked'>['data']) => ({
  receiverId: studentId,
  about: role,
  spaceId,
}));
const ofSpace = act(({ spaceId, name }: EventOf<'SpaceCreated' | 'SpaceChanged'>['data']) => ({
  spaceId,
  about: name,
}));
const ofSubject = act(({ spaceId, subjectName }: EventOf<'SubjectAdded' | 'SubjectChanged'>['data']) => ({
  spaceId,
  about: subjectName,
}));
const ofAvatar = act(({ label }: AvatarData) => ({ about: label }));
const ofNews = act(({ spaceId, title }: EventOf<'NewspostPublished' | 'NewspostChanged'>['data']) => ({
  spaceId,
  about: title,
}));
const ofNewsItself = act(({ spaceId }: EventOf<'NewspostRemoved' | 'NewspostRestored'>['data']) => ({
  spaceId,
}));

/** A line for each space and each person: a reader finds it in the space, and whom it is about does not. */
const ofRead = {
  class: 'READ',
  lines: ({ what, spaceIds, studentIds, post, caseId }: EventOf<'ConfidentialDataRead'>['data']) =>
    orNone(spaceIds).flatMap((spaceId) =>
      orNone(studentIds).map((receiverId) =>
        lineOf({ ...(post && placeOf(post)), spaceId, receiverId, caseId, about: what }),
      ),
    ),
} as const;

const orNone = (ids: readonly string[]): readonly (string | null)[] => (ids.length === 0 ? [null] : ids);

const ofProjection = act(({ projection }: { readonly projection: string }) => ({ about: projection }));

/**
 * The one place that says of every event whether it is in the audit and what it tells there. Votes and reports are, acts of moderators,
 * maintainers, operators and the product itself are, what they looked at, and so is every deletion; what students do with their own things is not.
 */
export const AUDITED_EVENTS = {
  StudentSignedUp: OWN_ACT,
  StudentPhoneVerified: OWN_ACT,
  StudentEmailConfirmed: OWN_ACT,
  StudentRegistered: OWN_ACT,
  StudentProfileChanged: OWN_ACT,
  StudentImported: notAudited('one of a whole community; each vote that came with it is told'),
  StudentBlocked: act(({ studentId, reason }) => ({ receiverId: studentId, reason })),
  StudentUnblocked: act(({ studentId, reason }) => ({ receiverId: studentId, reason: reason ?? null })),
  SecondFactorReset: act(({ studentId, reason }) => ({ receiverId: studentId, reason })),
  StudentErased: act(({ studentId }) => ({ receiverId: studentId })),
  RoleGranted: ofRole,
  RoleRevoked: ofRole,
  ClaimReserved: BOOKKEEPING,
  ClaimConfirmed: BOOKKEEPING,
  ClaimReleased: BOOKKEEPING,
  SpaceCreated: ofSpace,
  SpaceChanged: ofSpace,
  SubjectAdded: ofSubject,
  SubjectChanged: ofSubject,
  // Students make the secondary ones for their own questions.
  TopicCreated: {
    class: 'ACT',
    lines: ({ topicType, spaceId, topicName }) =>
      topicType === 'PRIMARY' ? [lineOf({ spaceId, about: topicName })] : [],
  },
  TopicChanged: act(({ spaceId, topicName }) => ({ spaceId, about: topicName })),
  TopicNameTaken: BOOKKEEPING,
  AvatarAdded: ofAvatar,
  AvatarChanged: ofAvatar,
  AvatarRetired: ofAvatar,
  AvatarRestored: ofAvatar,
  SpaceJoined: OWN_ACT,
  SpaceLeft: OWN_ACT,
  MemberSuspended: act(({ spaceId, studentId, reason }) => ({ spaceId, receiverId: studentId, reason })),
  SuspensionLifted: act(({ spaceId, studentId, reason }) => ({ spaceId, receiverId: studentId, reason })),
  QuestionAsked: OWN_ACT,
  QuestionEdited: OWN_ACT,
  QuestionDeleted: act(({ questionId, spaceId, authorId, reason }) => ({
    ...placeOf({ postType: 'QUESTION', postId: questionId, questionId, spaceId, postAuthorId: authorId }),
    reason,
  })),
  AnswerAccepted: OWN_ACT,
  AnswerPosted: OWN_ACT,
  AnswerEdited: OWN_ACT,
  AnswerDeleted: act(({ answerId, questionId, spaceId, authorId, reason }) => ({
    ...placeOf({ postType: 'ANSWER', postId: answerId, questionId, spaceId, postAuthorId: authorId }),
    reason,
  })),
  CommentPosted: OWN_ACT,
  CommentDeleted: act(({ commentId, parentType, questionId, spaceId, authorId, reason }) => ({
    ...placeOf({
      postType: parentType === 'QUESTION' ? 'QUESTION_COMMENT' : 'COMMENT',
      postId: commentId,
      questionId,
      spaceId,
      postAuthorId: authorId,
    }),
    reason,
  })),
  VoteCast: casted,
  VoteWithdrawn: casted,
  PostReported: {
    class: 'REPORT',
    lines: one(({ reporterId, reason, round, ...post }) => ({
      ...placeOf(post),
      voterId: reporterId,
      reason,
      round,
    })),
  },
  ReportsUpheld: ruling,
  ReportsDismissed: ruling,
  ReportsHandedOver: act(({ note, round, ...post }) => ({ ...placeOf(post), reason: note, round })),
  UpholdingReversed: ruling,
  VotesInvalidated: ofCase,
  InvalidationReversed: ofCase,
  QuestionSaved: OWN_ACT,
  QuestionUnsaved: OWN_ACT,
  NewspostPublished: ofNews,
  NewspostChanged: ofNews,
  NewspostRemoved: ofNewsItself,
  NewspostRestored: ofNewsItself,
  NewspostLiked: OWN_ACT,
  NewspostUnliked: OWN_ACT,
  NewspostSaved: OWN_ACT,
  NewspostUnsaved: OWN_ACT,
  DayBegan: BOOKKEEPING,
  ScoringRulesPublished: act(({ version, note }) => ({ about: `${version}: ${note}` })),
  ProjectionRebuildStarted: ofProjection,
  ProjectionRebuildCancelled: act(({ projection, generation }) => ({
    about: `${projection}: ${generation}`,
  })),
  ProjectionSwitched: act(({ projection, generation }) => ({ about: `${projection}: ${generation}` })),
  ProjectionVerificationStarted: ofProjection,
  ProjectionVerificationCancelled: ofProjection,
  ProjectionVerificationFinished: act(({ projection, outcome }) => ({ about: `${projection}: ${outcome}` })),
  ProjectionEventRetried: act(({ projection, eventType, ordinal }) => ({
    about: `${projection}: ${eventType} ${ordinal}`,
  })),
  ProjectionEventSkipped: act(({ projection, eventType, ordinal, reason }) => ({
    about: `${projection}: ${eventType} ${ordinal}`,
    reason,
  })),

  ConfidentialDataRead: ofRead,
} as const satisfies { readonly [T in EventType]: Audited<T> | NotAudited };

type Auditing = typeof AUDITED_EVENTS;
/** An event type that has lines in the audit. */
export type AuditKind = {
  [T in EventType]: Auditing[T] extends NotAudited ? never : T;
}[EventType];

const isAudited = (type: EventType): type is AuditKind =>
  Object.hasOwn(AUDITED_EVENTS, type) && AUDITED_EVENTS[type].class !== null;

export const AUDIT_KINDS: readonly AuditKind[] = (Object.keys(AUDITED_EVENTS) as EventType[]).filter(
  isAudited,
);

export const classOf = (kind: AuditKind): AuditClass => AUDITED_EVENTS[kind].class;

/** The lines that an event has in the audit. */
export function auditLinesOf(event: ProjectedEvent): readonly AuditLine[] {
  if (!isAudited(event.type)) return [];
  // The registry gives each type the function of its own data; a union of functions cannot be called with a union.
  const { lines } = AUDITED_EVENTS[event.type] as unknown as Audited<EventType>;
  return lines(event.data);
}
