import { randomUUID } from 'node:crypto';
import { newPhone } from './app.js';
import type { Community } from './community.js';
import type { Participant } from './participant.js';

export type OperationValues = Readonly<Record<string, unknown>>;
/** Outcome for callers from outside the space; `seen` if the operation is open to them. */
export type Outcome =
  | 'seen'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'VALIDATION_FAILED';

export interface OperationEntry {
  /** Arguments valid for a member. */
  readonly values: () => OperationValues;
  readonly anonymous: Outcome;
  /** Signed in, but not a member of the space. */
  readonly stranger: Outcome;
}

/** Data that the operations refer to. */
export interface OperationWorld {
  readonly community: Community;
  /** A member who wrote the answer, but no other post. */
  readonly member: Participant;
  readonly ids: Readonly<Record<'question' | 'answer' | 'comment' | 'questionComment' | 'newspost', string>>;
}

const openToAll = { anonymous: 'seen', stranger: 'seen' } as const;
const ownData = { anonymous: 'UNAUTHENTICATED', stranger: 'seen' } as const;
const membersOnly = { anonymous: 'UNAUTHENTICATED', stranger: 'FORBIDDEN' } as const;
const staffOnly = { anonymous: 'UNAUTHENTICATED', stranger: 'FORBIDDEN' } as const;

/** Every operation of the schema, by name. `hostile-callers.e2e-spec` fails if one is missing. */
export function operationEntries(world: () => OperationWorld): Readonly<Record<string, OperationEntry>> {
  const space = (): string => world().community.spaceId;

  const SEEN_CASE = { revision: 0, openReports: 1 };
  const decisionValues = () => ({ postId: world().ids.question, reason: 'spam', seen: SEEN_CASE });

  return {
    login: { values: () => ({ userName: 'nobody_here', password: 'wrong password' }), ...openToAll },
    getStudent: { values: () => ({ userName: world().member.student.userName }), ...openToAll },
    checkUserName: { values: () => ({ userName: 'free_name' }), ...openToAll },
    getAvatars: { values: () => ({}), ...openToAll },
    getSpaces: { values: () => ({}), ...ownData },
    getStudentSpaces: { values: () => ({}), ...ownData },
    getSubjectsForSpace: { values: () => ({ id: space() }), ...membersOnly },
    getSubjectTopics: { values: () => ({ subjects: [world().community.subjectId] }), ...membersOnly },
    getPopularTopics: { values: () => ({ spaceId: space() }), ...membersOnly },
    searchUsers: { values: () => ({ space: space(), search: 'a' }), ...membersOnly },
    searchTopics: { values: () => ({ space: space(), search: 'a' }), ...membersOnly },
    searchQuestions: { values: () => ({ search: 'set', queryVals: { space: space() } }), ...membersOnly },
    searchAnswers: { values: () => ({ search: 'so', space: space() }), ...membersOnly },
    getSimilarQuestions: { values: () => ({ title: 'group', space: space() }), ...membersOnly },
    getPaginatedQuestions: { values: () => ({ queryVals: { space: space() } }), ...membersOnly },
    getPaginatedSavedQuestions: { values: () => ({ space: space() }), ...membersOnly },
    // Returns only ids saved by the caller.
    getAllSavedQuestions: { values: () => ({ spaceId: space() }), ...ownData },
    getUnsolvedQuestions: { values: () => ({ spaceId: space() }), ...membersOnly },
    getQuestionById: { values: () => ({ questionId: world().ids.question }), ...openToAll },
    getQuestionByIdWithUserAuthorization: {
      values: () => ({ questionId: world().ids.question }),
      ...ownData,
    },
    getPaginatedAnswers: { values: () => ({ questions: [world().ids.question] }), ...openToAll },
    getPaginatedComments: { values: () => ({ answers: [world().ids.answer] }), ...openToAll },
    getPaginatedQuestionComments: { values: () => ({ question: world().ids.question }), ...openToAll },
    getPaginatedPostReports: { values: () => ({ postType: 'QUESTION' }), ...ownData },
    getPaginatedLeaderboardScores: { values: () => ({ space: space() }), ...membersOnly },
    getLeaderboardScores: { values: () => ({ space: space() }), ...membersOnly },
    getPaginatedNotifications: { values: () => ({ space: space() }), ...membersOnly },
    getNewNotificationCount: { values: () => ({ space: space() }), ...membersOnly },
    getPaginatedStudentActivities: { values: () => ({ space: space() }), ...membersOnly },
    getScoreExplanation: { values: () => ({ space: space() }), ...membersOnly },
    getOwnScoreHistory: { values: () => ({ space: space() }), ...membersOnly },
    getScoringRules: { values: () => ({}), ...ownData },
    getScoringVersions: { values: () => ({}), ...staffOnly },
    getScoringDraft: { values: () => ({}), ...staffOnly },
    saveScoringDraft: {
      values: () => ({ draft: { basedOn: 1, reportThreshold: 3, weights: [] } }),
      ...staffOnly,
    },
    discardScoringDraft: { values: () => ({ revision: randomUUID() }), ...staffOnly },
    publishScoringDraft: {
      values: () => ({ revision: randomUUID(), expectedVersion: 1, note: 'New' }),
      ...staffOnly,
    },
    withdrawScoringVersion: { values: () => ({ version: 1, reason: 'Too generous' }), ...staffOnly },
    tryScoringDraft: { values: () => ({ revision: randomUUID() }), ...staffOnly },
    stopScoringTrial: { values: () => ({}), ...staffOnly },
    getScoringTrial: { values: () => ({ trial: randomUUID() }), ...staffOnly },
    getScoringMoves: { values: () => ({ trial: randomUUID() }), ...staffOnly },
    getLeaderboardUnderRules: { values: () => ({ version: 1, space: space() }), ...staffOnly },
    getSpaceStatistics: { values: () => ({ space: space() }), ...membersOnly },
    getSolvedShare: { values: () => ({ space: space() }), ...membersOnly },
    getPaginatedNewsposts: { values: () => ({ space: space() }), ...membersOnly },
    getStudentDetail: {
      values: () => ({ studentId: world().member.student.studentId, space: space() }),
      ...membersOnly,
    },
    getStudentPosts: {
      values: () => ({ student: world().member.student.studentId, space: space() }),
      ...membersOnly,
    },
    getPresignedS3Url: { values: () => ({}), anonymous: 'UNAUTHENTICATED', stranger: 'seen' },
    createStudent: { values: () => ({ phone: newPhone() }), ...openToAll },
    sendOTP: { values: () => ({ phone: newPhone() }), ...openToAll },
    createSendChallenge: { values: () => ({}), ...openToAll },
    verifyOTP: { values: () => ({ phone: newPhone(), verificationCode: '0000' }), ...openToAll },
    updateStudent: {
      values: () => ({ id: world().member.student.studentId, firstName: 'Eve' }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'FORBIDDEN',
    },
    changePassword: {
      // Returns flag 0 for a wrong password.
      values: () => ({ password: 'a new password', oldPassword: 'not the old one' }),
      ...ownData,
    },
    logout: { values: () => ({}), ...ownData },
    getSessions: { values: () => ({}), ...ownData },
    getOwnErasure: { values: () => ({}), ...ownData },
    deleteOwnAccount: {
      values: () => ({ password: 'no', withPosts: true }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'VALIDATION_FAILED',
    },
    acceptTerms: { values: () => ({ version: 'none' }), anonymous: 'UNAUTHENTICATED', stranger: 'CONFLICT' },
    cancelOwnErasure: { values: () => ({}), anonymous: 'UNAUTHENTICATED', stranger: 'CONFLICT' },
    keepOwnAccount: { values: () => ({}), anonymous: 'UNAUTHENTICATED', stranger: 'CONFLICT' },
    getSecurityLog: { values: () => ({}), ...ownData },
    getStaffSecurityLog: { values: () => ({ studentId: world().member.student.studentId }), ...staffOnly },
    endSession: { values: () => ({ id: randomUUID() }), ...ownData },
    endOtherSessions: { values: () => ({}), ...ownData },
    startContactChange: {
      values: () => ({ kind: 'PHONE', value: newPhone(), password: 'not the password' }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'VALIDATION_FAILED',
    },
    finishContactChange: {
      values: () => ({ id: randomUUID(), newCode: '000000' }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'CONFLICT',
    },
    getOwnExport: { values: () => ({}), ...ownData },
    requestOwnExport: { values: () => ({ language: 'en' }), ...ownData },
    deleteOwnExport: { values: () => ({}), ...ownData },
    askOwnExport: { values: () => ({ language: 'en' }), ...ownData },
    dropOwnExport: { values: () => ({}), ...ownData },
    getSecondFactor: { values: () => ({}), ...ownData },
    startTotp: {
      values: () => ({ password: 'not the password' }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'VALIDATION_FAILED',
    },
    // There is no setup to finish.
    finishTotp: { values: () => ({ code: '000000' }), anonymous: 'UNAUTHENTICATED', stranger: 'FORBIDDEN' },
    startPasskey: {
      values: () => ({ password: 'not the password' }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'VALIDATION_FAILED',
    },
    finishPasskey: {
      values: () => ({ name: 'Laptop', passkey: '{}' }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'FORBIDDEN',
    },
    renameTotp: { values: () => ({ name: 'Phone' }), ...ownData },
    renamePasskey: { values: () => ({ id: randomUUID(), name: 'Phone' }), ...ownData },
    removeTotp: { values: () => ({}), ...ownData },
    removePasskey: { values: () => ({ id: randomUUID() }), ...ownData },
    // There is no second factor.
    renewRecoveryCodes: { values: () => ({}), anonymous: 'UNAUTHENTICATED', stranger: 'FORBIDDEN' },
    confirmSecondFactor: {
      values: () => ({ code: '000000' }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'VALIDATION_FAILED',
    },
    startPasskeyConfirmation: { values: () => ({}), ...ownData },
    dismissSecondFactorReset: { values: () => ({}), ...ownData },
    finishSecondFactor: {
      values: () => ({ ticket: 'example', code: '000000' }),
      anonymous: 'FORBIDDEN',
      stranger: 'FORBIDDEN',
    },
    startPasskeySignIn: {
      values: () => ({ ticket: 'example' }),
      anonymous: 'FORBIDDEN',
      stranger: 'FORBIDDEN',
    },
    resetSecondFactor: {
      values: () => ({ studentId: world().member.student.studentId, reason: 'spam' }),
      ...staffOnly,
    },
    getSignInProviders: { values: () => ({}), ...openToAll },
    getTerms: { values: () => ({}), ...openToAll },
    // No provider is configured here.
    startSignIn: { values: () => ({ provider: 'first' }), anonymous: 'NOT_FOUND', stranger: 'NOT_FOUND' },
    finishSignIn: {
      values: () => ({ code: 'example', secret: 'example' }),
      anonymous: 'FORBIDDEN',
      stranger: 'FORBIDDEN',
    },
    registerByEmail: {
      values: () => ({
        email: `${randomUUID()}@example.org`,
        userName: 'free_name',
        password: 'a new password',
      }),
      ...openToAll,
    },
    sendConfirmation: { values: () => ({ confirmation: 'example' }), ...openToAll },
    isEmailConfirmed: {
      values: () => ({ token: 'example' }),
      anonymous: 'FORBIDDEN',
      stranger: 'FORBIDDEN',
    },
    confirmEmail: {
      values: () => ({ token: 'example', password: 'a new password' }),
      anonymous: 'FORBIDDEN',
      stranger: 'FORBIDDEN',
    },
    forgotPassword: { values: () => ({ email: `${randomUUID()}@example.org` }), ...openToAll },
    resetPassword: {
      values: () => ({ token: 'example', password: 'a new password' }),
      anonymous: 'FORBIDDEN',
      stranger: 'FORBIDDEN',
    },
    createQuestion: {
      values: () => ({
        subject: world().community.subjectId,
        topic: world().community.topicId,
        space: space(),
        title: 'Why?',
      }),
      ...membersOnly,
    },
    createTopic: {
      values: () => ({ topicName: 'Fields', subject: world().community.subjectId }),
      ...membersOnly,
    },
    updateQuestion: { values: () => ({ id: world().ids.question, title: 'Mine' }), ...membersOnly },
    createAnswer: {
      values: () => ({ body: '<p>So.</p>', questionId: world().ids.question }),
      ...membersOnly,
    },
    updateAnswer: { values: () => ({ id: world().ids.answer, body: '<p>Mine</p>' }), ...membersOnly },
    createComment: { values: () => ({ body: 'So?', answerId: world().ids.answer }), ...membersOnly },
    createQuestionComment: {
      values: () => ({ body: 'So?', questionId: world().ids.question }),
      ...membersOnly,
    },
    deleteQuestionById: { values: () => ({ id: world().ids.question, reason: 'spam' }), ...membersOnly },
    deleteAnswerById: { values: () => ({ id: world().ids.answer, reason: 'spam' }), ...membersOnly },
    deleteCommentById: { values: () => ({ id: world().ids.comment, reason: 'spam' }), ...membersOnly },
    deleteQuestionCommentById: {
      values: () => ({ id: world().ids.questionComment, reason: 'spam' }),
      ...membersOnly,
    },
    upvoteQuestion: { values: () => ({ questionId: world().ids.question }), ...membersOnly },
    downvoteQuestion: { values: () => ({ questionId: world().ids.question }), ...membersOnly },
    upvoteAnswer: { values: () => ({ answerId: world().ids.answer }), ...membersOnly },
    downvoteAnswer: { values: () => ({ answerId: world().ids.answer }), ...membersOnly },
    saveQuestion: { values: () => ({ questionId: world().ids.question }), ...membersOnly },
    // Allowed even after leaving the space.
    unsaveQuestion: { values: () => ({ questionId: world().ids.question }), ...ownData },
    acceptAnswer: {
      values: () => ({ answerId: world().ids.answer, questionId: world().ids.question }),
      ...membersOnly,
    },
    reportPost: {
      values: () => ({ postId: world().ids.question, postType: 'QUESTION', reason: 'Its spam' }),
      ...membersOnly,
    },
    likeNewspost: { values: () => ({ newspostId: world().ids.newspost }), ...membersOnly },
    saveNewspost: { values: () => ({ newspostId: world().ids.newspost }), ...membersOnly },
    publishNewspost: { values: () => ({ title: 'Mine', body: '<p>Mine</p>', space: space() }), ...staffOnly },
    updateNewspost: {
      values: () => ({ id: world().ids.newspost, title: 'Mine', body: '<p>Mine</p>' }),
      ...staffOnly,
    },
    removeNewspost: { values: () => ({ id: world().ids.newspost }), ...staffOnly },
    restoreNewspost: { values: () => ({ id: world().ids.newspost }), ...staffOnly },
    getStudentNotes: {
      values: () => ({ studentId: world().member.student.studentId, space: space() }),
      ...staffOnly,
    },
    writeStudentNote: {
      values: () => ({ studentId: world().member.student.studentId, space: space(), text: 'mine' }),
      ...staffOnly,
    },
    removeStudentNote: {
      values: () => ({ studentId: world().member.student.studentId, space: space(), note: randomUUID() }),
      ...staffOnly,
    },
    blockStudent: {
      values: () => ({ studentId: world().member.student.studentId, space: space(), reason: 'spam' }),
      ...staffOnly,
    },
    suspendMember: {
      values: () => ({ studentId: world().member.student.studentId, space: space(), reason: 'spam' }),
      ...staffOnly,
    },
    getStudentWarnings: {
      values: () => ({ studentId: world().member.student.studentId }),
      ...staffOnly,
    },
    warnMember: {
      values: () => ({ studentId: world().member.student.studentId, space: space(), text: 'no adverts' }),
      ...staffOnly,
    },
    getOwnSuspension: { values: () => ({ space: space() }), ...ownData },
    unblockStudent: {
      values: () => ({ studentId: world().member.student.studentId, space: space(), reason: 'By mistake' }),
      ...staffOnly,
    },
    getLeaderboardAsOf: { values: () => ({ space: space(), asOf: { ordinal: 1 } }), ...staffOnly },
    getScoreAsOf: {
      values: () => ({ space: space(), studentId: world().member.student.studentId, asOf: { ordinal: 1 } }),
      ...staffOnly,
    },
    getHistoryRange: { values: () => ({ space: space() }), ...staffOnly },
    getQuestionAsOf: {
      values: () => ({ questionId: world().ids.question, asOf: { ordinal: 1 } }),
      ...staffOnly,
    },
    getQuestionHistoryRange: { values: () => ({ questionId: world().ids.question }), ...staffOnly },
    getAuditEntries: {
      values: () => ({ filter: { space: space(), post: world().ids.question }, first: 10, after: 'MTow' }),
      ...staffOnly,
    },
    getAuditTotals: {
      values: () => ({ filter: { space: space(), post: world().ids.question } }),
      ...staffOnly,
    },
    getAuditEntry: { values: () => ({ ordinal: 1 }), ...staffOnly },
    getLogEvents: { values: () => ({ type: 'QuestionAsked' }), ...staffOnly },
    getLogEvent: { values: () => ({ ordinal: 1 }), ...staffOnly },
    getLogStream: { values: () => ({ ordinal: 1 }), ...staffOnly },
    getLogFilters: { values: () => ({}), ...staffOnly },
    getLogProof: { values: () => ({}), ...staffOnly },
    getManagedSpaces: { values: () => ({}), ...staffOnly },
    getManagedSpace: { values: () => ({ id: space() }), ...staffOnly },
    getManagedSubjects: { values: () => ({ space: space() }), ...staffOnly },
    getManagedTopics: { values: () => ({ subject: world().community.subjectId }), ...staffOnly },
    getManagedAvatars: { values: () => ({}), ...staffOnly },
    getManagedStudents: { values: () => ({ search: 'a' }), ...staffOnly },
    getManagedNews: { values: () => ({}), ...staffOnly },
    getRoleHolders: { values: () => ({}), ...staffOnly },
    createSpace: { values: () => ({ details: { name: 'Mine', color: '000000' } }), ...staffOnly },
    changeSpace: { values: () => ({ id: space(), change: { name: 'Ours' } }), ...staffOnly },
    archiveSpace: { values: () => ({ id: randomUUID() }), ...staffOnly },
    deleteSpace: { values: () => ({ id: randomUUID(), name: 'Mine' }), ...staffOnly },
    unarchiveSpace: { values: () => ({ id: randomUUID() }), ...staffOnly },
    addSubject: { values: () => ({ space: space(), subjectName: 'Mine', color: '000000' }), ...staffOnly },
    changeSubject: {
      values: () => ({ id: world().community.subjectId, change: { subjectName: 'Mine' } }),
      ...staffOnly,
    },
    addTopic: { values: () => ({ subject: world().community.subjectId, topicName: 'Mine' }), ...staffOnly },
    changeTopic: {
      values: () => ({ id: world().community.topicId, change: { topicName: 'Mine' } }),
      ...staffOnly,
    },
    addAvatar: {
      values: () => ({ group: 'mine', label: 'mine', imageUrl: '/media/mine.webp' }),
      ...staffOnly,
    },
    changeAvatar: { values: () => ({ id: 'animals/bear', change: { label: 'mine' } }), ...staffOnly },
    retireAvatar: { values: () => ({ id: 'animals/bear' }), ...staffOnly },
    restoreAvatar: { values: () => ({ id: 'animals/bear' }), ...staffOnly },
    grantRole: {
      values: () => ({ studentId: world().member.student.studentId, role: 'MAINTAINER' }),
      ...staffOnly,
    },
    revokeRole: {
      values: () => ({ studentId: world().member.student.studentId, role: 'MODERATOR' }),
      ...staffOnly,
    },
    blockAccount: {
      values: () => ({ studentId: world().member.student.studentId, reason: 'spam' }),
      ...staffOnly,
    },
    eraseAccount: {
      values: () => ({ studentId: world().member.student.studentId, reason: 'spam', withPosts: true }),
      ...staffOnly,
    },
    cancelErasure: { values: () => ({ studentId: world().member.student.studentId }), ...staffOnly },
    keepAccount: { values: () => ({ studentId: world().member.student.studentId }), ...staffOnly },
    unblockAccount: {
      values: () => ({ studentId: world().member.student.studentId, reason: 'By mistake' }),
      ...staffOnly,
    },
    getModerationQueue: { values: () => ({ space: space() }), ...staffOnly },
    getModerationCase: { values: () => ({ postId: world().ids.question }), ...staffOnly },
    getOwnRemovals: { values: () => ({ questionId: world().ids.question }), ...ownData },
    getSpaceModerators: { values: () => ({ space: space() }), ...staffOnly },
    upholdReports: { values: decisionValues, ...staffOnly },
    dismissReports: { values: decisionValues, ...staffOnly },
    reverseUpholding: { values: decisionValues, ...staffOnly },
    getProjections: { values: () => ({}), ...staffOnly },
    getProjection: { values: () => ({ name: 'news' }), ...staffOnly },
    // Uses another projection than the cancel operations, whose outcome would otherwise depend on timing.
    rebuildProjections: { values: () => ({ names: ['avatars'] }), ...staffOnly },
    cancelRebuild: { values: () => ({ name: 'news' }), ...staffOnly },
    switchProjection: { values: () => ({ name: 'news', generation: 1 }), ...staffOnly },
    verifyProjection: { values: () => ({ name: 'avatars' }), ...staffOnly },
    cancelVerification: { values: () => ({ name: 'news' }), ...staffOnly },
    retryProjection: { values: () => ({ name: 'news' }), ...staffOnly },
    getStoppedEvents: { values: () => ({}), ...staffOnly },
    skipEventInAllProjections: { values: () => ({ eventId: 'x', reason: 'y' }), ...staffOnly },
    skipProjectionEvent: { values: () => ({ name: 'news', eventId: 'x', reason: 'y' }), ...staffOnly },
    handOverReports: { values: () => ({ postId: world().ids.question, seen: SEEN_CASE }), ...staffOnly },
    getVotePatterns: { values: () => ({ space: space() }), ...staffOnly },
    getVotePattern: { values: () => ({ space: space(), pattern: 'ring-0000000000000000' }), ...staffOnly },
    getModerationCounts: { values: () => ({}), ...staffOnly },
    getVotePatternCounts: { values: () => ({}), ...staffOnly },
    triageVotePattern: {
      values: () => ({
        space: space(),
        pattern: 'ring-0000000000000000',
        verdict: 'SEEN',
        votes: 1,
        revision: 0,
      }),
      ...staffOnly,
    },
    getVoteGivers: {
      values: () => ({ space: space(), author: world().member.student.studentId }),
      ...staffOnly,
    },
    getVotesForReview: { values: () => ({ space: space() }), ...staffOnly },
    getVotesToJudge: { values: () => ({ space: space() }), ...staffOnly },
    getScoreNotices: { values: () => ({ space: space() }), ...membersOnly },
    previewInvalidation: {
      values: () => ({
        votes: [{ postId: world().ids.question, voterId: world().member.student.studentId }],
      }),
      ...staffOnly,
    },
    invalidateVotes: {
      values: () => ({
        votes: [{ postId: world().ids.question, voterId: world().member.student.studentId }],
        category: 'OTHER',
        reason: 'spam',
        fingerprint: 'mine',
      }),
      ...staffOnly,
    },
    previewReversal: { values: () => ({ caseId: randomUUID() }), ...staffOnly },
    confirmInvalidation: {
      values: () => ({ caseId: randomUUID(), fingerprint: 'mine' }),
      ...staffOnly,
    },
    declineInvalidation: { values: () => ({ caseId: randomUUID(), reason: 'spam' }), ...staffOnly },
    reverseInvalidation: { values: () => ({ caseId: randomUUID(), reason: 'spam' }), ...staffOnly },
    previewPostsRemoval: {
      values: () => ({ space: space(), author: world().member.student.studentId }),
      ...staffOnly,
    },
    removePosts: {
      values: () => ({
        ...{ space: space(), author: world().member.student.studentId },
        ...{ reason: 'spam', fingerprint: 'mine' },
      }),
      ...staffOnly,
    },
    restorePosts: { values: () => ({ removalId: randomUUID(), reason: 'By mistake' }), ...staffOnly },
    getPostsRemovals: { values: () => ({}), ...staffOnly },
    getPostsRemoval: { values: () => ({ removalId: randomUUID() }), ...staffOnly },
    getInvalidationCases: { values: () => ({}), ...staffOnly },
    getInvalidationCase: { values: () => ({ caseId: randomUUID() }), ...staffOnly },
    markNotificationsSeen: { values: () => ({ space: space() }), ...membersOnly },
    joinSpace: {
      values: () => ({ spaceId: randomUUID() }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'NOT_FOUND',
    },
    leaveSpace: { values: () => ({ spaceId: space() }), ...ownData },
    requestEntry: {
      values: () => ({ spaceId: randomUUID() }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'NOT_FOUND',
    },
    withdrawEntryRequest: { values: () => ({ spaceId: space() }), ...ownData },
    getInvitedStudents: { values: () => ({ space: space() }), ...staffOnly },
    inviteStudent: {
      values: () => ({ space: space(), userName: world().member.student.userName }),
      ...staffOnly,
    },
    getInvitations: { values: () => ({ space: space() }), ...staffOnly },
    getClassCode: { values: () => ({ space: space(), id: randomUUID() }), ...staffOnly },
    createInvitation: {
      values: () => ({ space: space(), details: { kind: 'LINK', uses: 1, days: 1 } }),
      ...staffOnly,
    },
    revokeInvitation: { values: () => ({ space: space(), id: randomUUID() }), ...staffOnly },
    getInvitedSpace: {
      values: () => ({ secret: 'ACDEFH' }),
      anonymous: 'NOT_FOUND',
      stranger: 'NOT_FOUND',
    },
    joinByInvitation: {
      values: () => ({ secret: 'ACDEFH' }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'NOT_FOUND',
    },
    revokeStudentInvitation: {
      values: () => ({ space: space(), studentId: world().member.student.studentId }),
      ...staffOnly,
    },
    getEntryRequests: { values: () => ({ space: space() }), ...staffOnly },
    declareAge: {
      values: () => ({ spaceId: randomUUID(), band: 'BELOW' }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'NOT_FOUND',
    },
    stateAge: {
      values: () => ({ spaceId: randomUUID(), band: 'BELOW' }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'NOT_FOUND',
    },
    requestGuardianConsent: {
      values: () => ({ spaceId: randomUUID(), email: `parent.${randomUUID()}@example.org` }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'NOT_FOUND',
    },
    askGuardian: {
      values: () => ({ spaceId: randomUUID(), email: `parent.${randomUUID()}@example.org` }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'NOT_FOUND',
    },
    getYoungerStudents: { values: () => ({ space: space() }), ...staffOnly },
    clearAge: {
      values: () => ({ space: space(), studentId: world().member.student.studentId }),
      ...staffOnly,
    },
    forgetAge: {
      values: () => ({ space: space(), studentId: world().member.student.studentId }),
      ...staffOnly,
    },
    getGuardianConsent: {
      values: () => ({ token: 'example' }),
      anonymous: 'NOT_FOUND',
      stranger: 'NOT_FOUND',
    },
    answerGuardianConsent: {
      values: () => ({ token: 'example', isGiven: true, termsVersion: 'nimo-1' }),
      anonymous: 'NOT_FOUND',
      stranger: 'NOT_FOUND',
    },
    answerEntryRequest: {
      values: () => ({ space: space(), studentId: world().member.student.studentId, isAccepted: true }),
      ...staffOnly,
    },
    removeMember: {
      values: () => ({ space: space(), studentId: world().member.student.studentId, reason: 'spam' }),
      ...staffOnly,
    },
  };
}
