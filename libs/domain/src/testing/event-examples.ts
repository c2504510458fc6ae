import type { DomainEvent, EventOf, EventType } from '../events.js';
import { DEFAULT_SCORING_RULES } from '../scoring/scoring-rules.js';

const post = {
  postType: 'QUESTION',
  postId: 'question-1',
  questionId: 'question-1',
  spaceId: 'space-1',
  postAuthorId: 'student-1',
} as const;
const vote = { ...post, voterId: 'student-2', direction: 'UP', voterIsStandIn: false } as const;
const profile = {
  studentId: 'student-1',
  userName: 'marie_1',
  firstName: 'Marie',
  lastName: 'Curie',
  profileDesc: 'About',
  realProfilePicUrl: '/media/a.webp',
};
const claim = { kind: 'username', claim: 'hash', studentId: 'student-1' } as const;
const space = {
  spaceId: 'space-1',
  name: 'French',
  description: 'La langue',
  scope: 'world',
  bannerImageUrl: null,
  color: '1e88e5',
  hiddenFromSearchEngines: false,
} as const;
const subject = { spaceId: 'space-1', subjectId: 'subject-1', subjectName: 'Grammar', color: 'ff8800' };
const topic = {
  topicId: 'topic-1',
  spaceId: 'space-1',
  subjectId: 'subject-1',
  topicName: 'Accents',
  slug: 'accents',
  topicType: 'PRIMARY',
  imageS3Url: null,
} as const;
const avatar = { avatarId: 'avatar-1', group: 'animals', label: 'owl', imageUrl: '/media/o.webp' };
const membership = { spaceId: 'space-1', studentId: 'student-1' };
const bookmark = { questionId: 'question-1', spaceId: 'space-1', studentId: 'student-2' };
const question = { questionId: 'question-1', spaceId: 'space-1', authorId: 'student-1' };
const answer = { answerId: 'answer-1', questionId: 'question-1', spaceId: 'space-1', authorId: 'student-2' };
const comment = {
  commentId: 'comment-1',
  parentType: 'ANSWER',
  parentId: 'answer-1',
  questionId: 'question-1',
  spaceId: 'space-1',
  authorId: 'student-3',
} as const;
const ruling = { ...post, moderatorId: 'student-9', reason: 'Looked at it', round: 0 };
const invalidation = {
  caseId: 'case-1',
  moderatorId: 'student-9',
  category: 'ARRANGED',
  reason: 'A ring',
  votes: [vote],
} as const;
const newspost = { newspostId: 'newspost-1', spaceId: null, editorId: 'student-9' };
const reaction = { newspostId: 'newspost-1', spaceId: 'space-1', studentId: 'student-2' };
const role = { studentId: 'student-1', role: 'MODERATOR', spaceId: 'space-1' } as const;

const stoppedAt = { eventId: 'event-1', eventType: 'VoteCast', ordinal: 1001 };

/** One of each, in its current shape. The compiler asks for a change here when a shape changes; the stored JSON then asks for a version, and `npm run stored-events` adds it there. */
export const EVENT_EXAMPLES: { readonly [T in EventType]: EventOf<T>['data'] } = {
  StudentSignedUp: { studentId: 'student-1', phone: '919876543210', email: null, registrationType: 'SELF' },
  StudentPhoneVerified: { studentId: 'student-1' },
  StudentEmailConfirmed: { studentId: 'student-1' },
  StudentRegistered: profile,
  StudentProfileChanged: profile,
  StudentImported: { ...profile, source: 'stackexchange', sourceId: '7', standIn: false },
  StudentBlocked: { studentId: 'student-1', reason: 'Spam', rank: 'MAINTAINER' },
  StudentUnblocked: { studentId: 'student-1' },
  SecondFactorReset: { studentId: 'student-1', reason: 'Lost phone' },
  StudentErased: { studentId: 'student-1' },
  RoleGranted: role,
  RoleRevoked: role,
  ClaimReserved: { ...claim, expiresAt: '2026-01-01T00:00:00.000Z' },
  ClaimConfirmed: claim,
  ClaimReleased: claim,
  SpaceCreated: space,
  SpaceChanged: space,
  SubjectAdded: subject,
  SubjectChanged: subject,
  TopicCreated: topic,
  TopicChanged: topic,
  TopicNameTaken: topic,
  AvatarAdded: avatar,
  AvatarChanged: avatar,
  AvatarRetired: avatar,
  AvatarRestored: avatar,
  SpaceJoined: membership,
  SpaceLeft: membership,
  MemberSuspended: { ...membership, reason: 'Spam', rank: 'MODERATOR' },
  SuspensionLifted: { ...membership, reason: null },
  QuestionAsked: {
    ...question,
    subjectId: 'subject-1',
    topicId: 'topic-1',
    title: 'Where?',
    body: '<p>There.</p>',
    imageUrls: ['/media/a.webp'],
    tags: ['Accents'],
  },
  QuestionEdited: { ...question, title: 'Where?', body: '', imageUrls: [] },
  QuestionDeleted: { ...question, reason: null },
  AnswerAccepted: {
    questionId: 'question-1',
    answerId: 'answer-1',
    spaceId: 'space-1',
    questionAuthorId: 'student-1',
    answerAuthorId: 'student-2',
  },
  AnswerPosted: { ...answer, questionAuthorId: 'student-1', body: '<p>Here.</p>', imageUrls: [] },
  AnswerEdited: { ...answer, body: '<p>Here.</p>', imageUrls: [] },
  AnswerDeleted: { ...answer, reason: 'Off topic' },
  CommentPosted: { ...comment, parentAuthorId: 'student-2', body: 'Thanks', mentionedStudentIds: [] },
  CommentDeleted: { ...comment, reason: null },
  VoteCast: vote,
  VoteWithdrawn: vote,
  PostReported: { ...post, reporterId: 'student-2', reason: 'Its spam', round: 0 },
  ReportsUpheld: ruling,
  ReportsDismissed: ruling,
  ReportsHandedOver: {
    ...post,
    moderatorId: 'student-9',
    toModeratorId: 'student-8',
    note: 'You know him',
    round: 0,
  },
  UpholdingReversed: ruling,
  VotesInvalidated: invalidation,
  InvalidationReversed: invalidation,
  QuestionSaved: bookmark,
  QuestionUnsaved: bookmark,
  NewspostPublished: {
    newspostId: 'newspost-1',
    spaceId: 'space-1',
    authorId: 'student-9',
    title: 'Open day',
    body: '<p>On Friday.</p>',
  },
  NewspostChanged: { ...newspost, title: 'Open days', body: '<p>On Friday and Saturday.</p>' },
  NewspostRemoved: newspost,
  NewspostRestored: newspost,
  NewspostLiked: reaction,
  NewspostUnliked: reaction,
  NewspostSaved: reaction,
  NewspostUnsaved: reaction,
  ProjectionRebuildStarted: { projection: 'leaderboard', hold: false },
  ProjectionRebuildCancelled: { projection: 'leaderboard', generation: 2 },
  ProjectionSwitched: { projection: 'leaderboard', generation: 2, fromGeneration: 1 },
  ProjectionVerificationStarted: { projection: 'leaderboard' },
  ProjectionVerificationCancelled: { projection: 'leaderboard' },
  ProjectionVerificationFinished: {
    projection: 'leaderboard',
    outcome: 'EQUAL',
    ordinal: 1000,
    liveHash: 'abc',
    rebuiltHash: 'abc',
    error: null,
  },
  ProjectionEventRetried: { projection: 'leaderboard', ...stoppedAt },
  ProjectionEventSkipped: { projection: 'leaderboard', ...stoppedAt, version: 1, reason: 'Of no use' },
  ConfidentialDataRead: {
    readId: 'read-1',
    what: 'REPORTERS',
    spaceIds: ['space-1'],
    studentIds: ['student-1'],
    post,
    caseId: null,
    filter: 'ab12',
    rows: 3,
  },
  ScoringRulesPublished: { ...DEFAULT_SCORING_RULES, version: 2 },
  DayBegan: { day: '2026-01-01' },
};

export const EVENT_TYPES = Object.keys(EVENT_EXAMPLES) as readonly DomainEvent['type'][];
