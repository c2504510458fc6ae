import { randomUUID } from 'node:crypto';
import { newPhone } from './app.js';
import type { Community } from './community.js';
import type { Participant } from './participant.js';

export type OperationValues = Readonly<Record<string, unknown>>;
/** What an outsider gets: `seen` where the operation is open to everybody. */
export type Outcome =
  | 'seen'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'VALIDATION_FAILED';

export interface OperationEntry {
  /** Right for a member. */
  readonly values: () => OperationValues;
  readonly anonymous: Outcome;
  /** Signed in, but not in the space. */
  readonly stranger: Outcome;
}

/** What the operations are called upon. */
export interface OperationWorld {
  readonly community: Community;
  /** A member, who wrote none of the posts but the answer. */
  readonly member: Participant;
  readonly ids: Readonly<Record<'question' | 'answer' | 'comment' | 'questionComment' | 'newspost', string>>;
}

const openToAll = { anonymous: 'seen', stranger: 'seen' } as const;
const ownThings = { anonymous: 'UNAUTHENTICATED', stranger: 'seen' } as const;
const membersOnly = { anonymous: 'UNAUTHENTICATED', stranger: 'FORBIDDEN' } as const;
const forRoles = { anonymous: 'UNAUTHENTICATED', stranger: 'FORBIDDEN' } as const;
/** Every operation of the schema, by name. One that is missing fails `hostile-callers.e2e-spec`. */
export function operationEntries(at: () => OperationWorld): Readonly<Record<string, OperationEntry>> {
  const space = (): string => at().community.spaceId;

  const SEEN_CASE = { revision: 0, openReports: 1 };
  const rulingValues = () => ({ postId: at().ids.question, reason: 'mine', seen: SEEN_CASE });

  return {
    login: { values: () => ({ userName: 'nobody_here', password: 'wrong password' }), ...openToAll },
    getStudent: { values: () => ({ userName: at().member.student.userName }), ...openToAll },
    checkUserName: { values: () => ({ userName: 'free_name' }), ...openToAll },
    getAvatars: { values: () => ({}), ...openToAll },
    getSpaces: { values: () => ({}), ...ownThings },
    getStudentSpaces: { values: () => ({}), ...ownThings },
    getSubjectsForSpace: { values: () => ({ id: space() }), ...membersOnly },
    getSubjectTopics: { values: () => ({ subjects: [at().community.subjectId] }), ...membersOnly },
    getPopularTopics: { values: () => ({ spaceId: space() }), ...membersOnly },
    searchUsers: { values: () => ({ space: space(), search: 'a' }), ...membersOnly },
    searchTopics: { values: () => ({ space: space(), search: 'a' }), ...membersOnly },
    searchQuestions: { values: () => ({ search: 'set', queryVals: { space: space() } }), ...membersOnly },
    searchAnswers: { values: () => ({ search: 'so', space: space() }), ...membersOnly },
    getSimilarQuestions: { values: () => ({ title: 'group', space: space() }), ...membersOnly },
    getPaginatedQuestions: { values: () => ({ queryVals: { space: space() } }), ...membersOnly },
    getPaginatedSavedQuestions: { values: () => ({ space: space() }), ...membersOnly },
    // Ids that the caller saved: they tell nothing about the space.
    getAllSavedQuestions: { values: () => ({ spaceId: space() }), ...ownThings },
    getUnsolvedQuestions: { values: () => ({ spaceId: space() }), ...membersOnly },
    getQuestionById: { values: () => ({ questionId: at().ids.question }), ...openToAll },
    getQuestionByIdWithUserAuthorization: { values: () => ({ questionId: at().ids.question }), ...ownThings },
    getPaginatedAnswers: { values: () => ({ questions: [at().ids.question] }), ...openToAll },
    getPaginatedComments: { values: () => ({ answers: [at().ids.answer] }), ...openToAll },
    getPaginatedQuestionComments: { values: () => ({ question: at().ids.question }), ...openToAll },
    getPaginatedPostReports: { values: () => ({ postType: 'QUESTION' }), ...ownThings },
    getPaginatedLeaderboardScores: { values: () => ({ space: space() }), ...membersOnly },
    getLeaderboardScores: { values: () => ({ space: space() }), ...membersOnly },
    getPaginatedNotifications: { values: () => ({ space: space() }), ...membersOnly },
    getNewNotificationCount: { values: () => ({ space: space() }), ...membersOnly },
    getPaginatedStudentActivities: { values: () => ({ space: space() }), ...membersOnly },
    getScoreExplanation: { values: () => ({ space: space() }), ...membersOnly },
    getOwnScoreHistory: { values: () => ({ space: space() }), ...membersOnly },
    getScoringRules: { values: () => ({}), ...ownThings },
    getScoringVersions: { values: () => ({}), ...forRoles },
    getScoringDraft: { values: () => ({}), ...forRoles },
    saveScoringDraft: {
      values: () => ({ draft: { basedOn: 1, reportThreshold: 3, weights: [] } }),
      ...forRoles,
    },
    discardScoringDraft: { values: () => ({ revision: randomUUID() }), ...forRoles },
    publishScoringDraft: {
      values: () => ({ revision: randomUUID(), expectedVersion: 1, note: 'New' }),
      ...forRoles,
    },
    withdrawScoringVersion: { values: () => ({ version: 1, reason: 'Too generous' }), ...forRoles },
    tryScoringDraft: { values: () => ({ revision: randomUUID() }), ...forRoles },
    stopScoringTrial: { values: () => ({}), ...forRoles },
    getScoringTrial: { values: () => ({ trial: randomUUID() }), ...forRoles },
    getScoringMoves: { values: () => ({ trial: randomUUID() }), ...forRoles },
    getLeaderboardUnderRules: { values: () => ({ version: 1, space: space() }), ...forRoles },
    getSpaceStatistics: { values: () => ({ space: space() }), ...membersOnly },
    getSolvedShare: { values: () => ({ space: space() }), ...membersOnly },
    getPaginatedNewsposts: { values: () => ({ space: space() }), ...membersOnly },
    getStudentDetail: {
      values: () => ({ studentId: at().member.student.studentId, space: space() }),
      ...membersOnly,
    },
    getStudentPosts: {
      values: () => ({ student: at().member.student.studentId, space: space() }),
      ...membersOnly,
    },
    getPresignedS3Url: { values: () => ({}), anonymous: 'UNAUTHENTICATED', stranger: 'seen' },
    createStudent: { values: () => ({ phone: newPhone() }), ...openToAll },
    sendOTP: { values: () => ({ phone: newPhone() }), ...openToAll },
    createSendChallenge: { values: () => ({}), ...openToAll },
    verifyOTP: { values: () => ({ phone: newPhone(), verificationCode: '0000' }), ...openToAll },
    updateStudent: {
      values: () => ({ id: at().member.student.studentId, firstName: 'Eve' }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'FORBIDDEN',
    },
    changePassword: {
      // Flag 0 to whoever is signed in.
      values: () => ({ password: 'a new password', oldPassword: 'not the old one' }),
      ...ownThings,
    },
    logout: { values: () => ({}), ...ownThings },
    getSessions: { values: () => ({}), ...ownThings },
    getOwnErasure: { values: () => ({}), ...ownThings },
    deleteOwnAccount: {
      values: () => ({ password: 'no', withWords: true }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'VALIDATION_FAILED',
    },
    acceptTerms: { values: () => ({ version: 'none' }), anonymous: 'UNAUTHENTICATED', stranger: 'CONFLICT' },
    keepOwnAccount: { values: () => ({}), anonymous: 'UNAUTHENTICATED', stranger: 'CONFLICT' },
    getSecurityLog: { values: () => ({}), ...ownThings },
    getStaffSecurityLog: { values: () => ({ studentId: at().member.student.studentId }), ...forRoles },
    endSession: { values: () => ({ id: randomUUID() }), ...ownThings },
    endOtherSessions: { values: () => ({}), ...ownThings },
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
    getOwnExport: { values: () => ({}), ...ownThings },
    askOwnExport: { values: () => ({ language: 'en' }), ...ownThings },
    dropOwnExport: { values: () => ({}), ...ownThings },
    getSecondFactor: { values: () => ({}), ...ownThings },
    startTotp: {
      values: () => ({ password: 'not the password' }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'VALIDATION_FAILED',
    },
    // Nothing was begun.
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
    renameTotp: { values: () => ({ name: 'Phone' }), ...ownThings },
    renamePasskey: { values: () => ({ id: randomUUID(), name: 'Phone' }), ...ownThings },
    removeTotp: { values: () => ({}), ...ownThings },
    removePasskey: { values: () => ({ id: randomUUID() }), ...ownThings },
    // None was given.
    renewRecoveryCodes: { values: () => ({}), anonymous: 'UNAUTHENTICATED', stranger: 'FORBIDDEN' },
    confirmSecondFactor: {
      values: () => ({ code: '000000' }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'VALIDATION_FAILED',
    },
    startPasskeyConfirmation: { values: () => ({}), ...ownThings },
    dismissSecondFactorReset: { values: () => ({}), ...ownThings },
    finishSecondFactor: {
      values: () => ({ ticket: 'made up', code: '000000' }),
      anonymous: 'FORBIDDEN',
      stranger: 'FORBIDDEN',
    },
    startPasskeySignIn: {
      values: () => ({ ticket: 'made up' }),
      anonymous: 'FORBIDDEN',
      stranger: 'FORBIDDEN',
    },
    resetSecondFactor: {
      values: () => ({ studentId: at().member.student.studentId, reason: 'mine' }),
      ...forRoles,
    },
    getSignInProviders: { values: () => ({}), ...openToAll },
    getTerms: { values: () => ({}), ...openToAll },
    // No provider is configured here.
    startSignIn: { values: () => ({ provider: 'first' }), anonymous: 'NOT_FOUND', stranger: 'NOT_FOUND' },
    finishSignIn: {
      values: () => ({ code: 'made up', secret: 'made up' }),
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
    sendConfirmation: { values: () => ({ confirmation: 'made up' }), ...openToAll },
    isEmailConfirmed: {
      values: () => ({ token: 'made up' }),
      anonymous: 'FORBIDDEN',
      stranger: 'FORBIDDEN',
    },
    confirmEmail: {
      values: () => ({ token: 'made up', password: 'a new password' }),
      anonymous: 'FORBIDDEN',
      stranger: 'FORBIDDEN',
    },
    forgotPassword: { values: () => ({ email: `${randomUUID()}@example.org` }), ...openToAll },
    resetPassword: {
      values: () => ({ token: 'made up', password: 'a new password' }),
      anonymous: 'FORBIDDEN',
      stranger: 'FORBIDDEN',
    },
    createQuestion: {
      values: () => ({
        subject: at().community.subjectId,
        topic: at().community.topicId,
        space: space(),
        title: 'Why?',
      }),
      ...membersOnly,
    },
    createTopic: {
      values: () => ({ topicName: 'Fields', subject: at().community.subjectId }),
      ...membersOnly,
    },
    updateQuestion: { values: () => ({ id: at().ids.question, title: 'Mine' }), ...membersOnly },
    createAnswer: { values: () => ({ body: '<p>So.</p>', questionId: at().ids.question }), ...membersOnly },
    updateAnswer: { values: () => ({ id: at().ids.answer, body: '<p>Mine</p>' }), ...membersOnly },
    createComment: { values: () => ({ body: 'So?', answerId: at().ids.answer }), ...membersOnly },
    createQuestionComment: { values: () => ({ body: 'So?', questionId: at().ids.question }), ...membersOnly },
    deleteQuestionById: { values: () => ({ id: at().ids.question, reason: 'mine' }), ...membersOnly },
    deleteAnswerById: { values: () => ({ id: at().ids.answer, reason: 'mine' }), ...membersOnly },
    deleteCommentById: { values: () => ({ id: at().ids.comment, reason: 'mine' }), ...membersOnly },
    deleteQuestionCommentById: {
      values: () => ({ id: at().ids.questionComment, reason: 'mine' }),
      ...membersOnly,
    },
    upvoteQuestion: { values: () => ({ questionId: at().ids.question }), ...membersOnly },
    downvoteQuestion: { values: () => ({ questionId: at().ids.question }), ...membersOnly },
    upvoteAnswer: { values: () => ({ answerId: at().ids.answer }), ...membersOnly },
    downvoteAnswer: { values: () => ({ answerId: at().ids.answer }), ...membersOnly },
    saveQuestion: { values: () => ({ questionId: at().ids.question }), ...membersOnly },
    // One's own list can always be tidied, also after leaving.
    unsaveQuestion: { values: () => ({ questionId: at().ids.question }), ...ownThings },
    acceptAnswer: {
      values: () => ({ answerId: at().ids.answer, questionId: at().ids.question }),
      ...membersOnly,
    },
    reportPost: {
      values: () => ({ postId: at().ids.question, postType: 'QUESTION', reason: 'Its spam' }),
      ...membersOnly,
    },
    likeNewspost: { values: () => ({ newspostId: at().ids.newspost }), ...membersOnly },
    saveNewspost: { values: () => ({ newspostId: at().ids.newspost }), ...membersOnly },
    publishNewspost: { values: () => ({ title: 'Mine', body: '<p>Mine</p>', space: space() }), ...forRoles },
    updateNewspost: {
      values: () => ({ id: at().ids.newspost, title: 'Mine', body: '<p>Mine</p>' }),
      ...forRoles,
    },
    removeNewspost: { values: () => ({ id: at().ids.newspost }), ...forRoles },
    restoreNewspost: { values: () => ({ id: at().ids.newspost }), ...forRoles },
    getStudentNotes: {
      values: () => ({ studentId: at().member.student.studentId, space: space() }),
      ...forRoles,
    },
    writeStudentNote: {
      values: () => ({ studentId: at().member.student.studentId, space: space(), text: 'mine' }),
      ...forRoles,
    },
    removeStudentNote: {
      values: () => ({ studentId: at().member.student.studentId, space: space(), note: randomUUID() }),
      ...forRoles,
    },
    blockStudent: {
      values: () => ({ studentId: at().member.student.studentId, space: space(), reason: 'mine' }),
      ...forRoles,
    },
    unblockStudent: {
      values: () => ({ studentId: at().member.student.studentId, space: space(), reason: 'A mistake' }),
      ...forRoles,
    },
    getLeaderboardAsOf: { values: () => ({ space: space(), asOf: { ordinal: 1 } }), ...forRoles },
    getScoreAsOf: {
      values: () => ({ space: space(), studentId: at().member.student.studentId, asOf: { ordinal: 1 } }),
      ...forRoles,
    },
    getHistoryRange: { values: () => ({ space: space() }), ...forRoles },
    getQuestionAsOf: { values: () => ({ questionId: at().ids.question, asOf: { ordinal: 1 } }), ...forRoles },
    getQuestionHistoryRange: { values: () => ({ questionId: at().ids.question }), ...forRoles },
    getAuditEntries: {
      values: () => ({ filter: { space: space(), post: at().ids.question }, first: 10, after: 'MTow' }),
      ...forRoles,
    },
    getAuditEntry: { values: () => ({ ordinal: 1 }), ...forRoles },
    getLogProof: { values: () => ({}), ...forRoles },
    getManagedSpaces: { values: () => ({}), ...forRoles },
    getManagedSpace: { values: () => ({ id: space() }), ...forRoles },
    getManagedSubjects: { values: () => ({ space: space() }), ...forRoles },
    getManagedTopics: { values: () => ({ subject: at().community.subjectId }), ...forRoles },
    getManagedAvatars: { values: () => ({}), ...forRoles },
    getManagedStudents: { values: () => ({ search: 'a' }), ...forRoles },
    getManagedNews: { values: () => ({}), ...forRoles },
    getRoleHolders: { values: () => ({}), ...forRoles },
    createSpace: { values: () => ({ details: { name: 'Mine', color: '000000' } }), ...forRoles },
    changeSpace: { values: () => ({ id: space(), change: { name: 'Mine' } }), ...forRoles },
    addSubject: { values: () => ({ space: space(), subjectName: 'Mine', color: '000000' }), ...forRoles },
    changeSubject: {
      values: () => ({ id: at().community.subjectId, change: { subjectName: 'Mine' } }),
      ...forRoles,
    },
    addTopic: { values: () => ({ subject: at().community.subjectId, topicName: 'Mine' }), ...forRoles },
    changeTopic: {
      values: () => ({ id: at().community.topicId, change: { topicName: 'Mine' } }),
      ...forRoles,
    },
    addAvatar: {
      values: () => ({ group: 'mine', label: 'mine', imageUrl: '/media/mine.webp' }),
      ...forRoles,
    },
    changeAvatar: { values: () => ({ id: 'animals/bear', change: { label: 'mine' } }), ...forRoles },
    retireAvatar: { values: () => ({ id: 'animals/bear' }), ...forRoles },
    restoreAvatar: { values: () => ({ id: 'animals/bear' }), ...forRoles },
    grantRole: {
      values: () => ({ studentId: at().member.student.studentId, role: 'MAINTAINER' }),
      ...forRoles,
    },
    revokeRole: {
      values: () => ({ studentId: at().member.student.studentId, role: 'MODERATOR' }),
      ...forRoles,
    },
    blockAccount: {
      values: () => ({ studentId: at().member.student.studentId, reason: 'mine' }),
      ...forRoles,
    },
    eraseAccount: {
      values: () => ({ studentId: at().member.student.studentId, reason: 'mine', withWords: true }),
      ...forRoles,
    },
    keepAccount: { values: () => ({ studentId: at().member.student.studentId }), ...forRoles },
    unblockAccount: {
      values: () => ({ studentId: at().member.student.studentId, reason: 'A mistake' }),
      ...forRoles,
    },
    getModerationQueue: { values: () => ({ space: space() }), ...forRoles },
    getModerationCase: { values: () => ({ postId: at().ids.question }), ...forRoles },
    getOwnRemovals: { values: () => ({ questionId: at().ids.question }), ...ownThings },
    getSpaceModerators: { values: () => ({ space: space() }), ...forRoles },
    upholdReports: { values: rulingValues, ...forRoles },
    dismissReports: { values: rulingValues, ...forRoles },
    reverseUpholding: { values: rulingValues, ...forRoles },
    getProjections: { values: () => ({}), ...forRoles },
    getProjection: { values: () => ({ name: 'news' }), ...forRoles },
    // Of another projection than what ends it: whether there is still something to end would be chance.
    rebuildProjections: { values: () => ({ names: ['avatars'] }), ...forRoles },
    cancelRebuild: { values: () => ({ name: 'news' }), ...forRoles },
    switchProjection: { values: () => ({ name: 'news', generation: 1 }), ...forRoles },
    verifyProjection: { values: () => ({ name: 'avatars' }), ...forRoles },
    cancelVerification: { values: () => ({ name: 'news' }), ...forRoles },
    retryProjection: { values: () => ({ name: 'news' }), ...forRoles },
    skipProjectionEvent: { values: () => ({ name: 'news', eventId: 'x', reason: 'y' }), ...forRoles },
    handOverReports: { values: () => ({ postId: at().ids.question, seen: SEEN_CASE }), ...forRoles },
    getVotePatterns: { values: () => ({ space: space() }), ...forRoles },
    getVotePattern: { values: () => ({ space: space(), pattern: 'ring-0000000000000000' }), ...forRoles },
    getVotePatternCounts: { values: () => ({}), ...forRoles },
    triageVotePattern: {
      values: () => ({
        space: space(),
        pattern: 'ring-0000000000000000',
        verdict: 'SEEN',
        votes: 1,
        revision: 0,
      }),
      ...forRoles,
    },
    getVotesToJudge: { values: () => ({ space: space() }), ...forRoles },
    getScoreNotices: { values: () => ({ space: space() }), ...membersOnly },
    previewInvalidation: {
      values: () => ({ votes: [{ postId: at().ids.question, voterId: at().member.student.studentId }] }),
      ...forRoles,
    },
    invalidateVotes: {
      values: () => ({
        votes: [{ postId: at().ids.question, voterId: at().member.student.studentId }],
        category: 'OTHER',
        reason: 'mine',
        fingerprint: 'mine',
      }),
      ...forRoles,
    },
    previewReversal: { values: () => ({ caseId: randomUUID() }), ...forRoles },
    reverseInvalidation: { values: () => ({ caseId: randomUUID(), reason: 'mine' }), ...forRoles },
    getInvalidationCases: { values: () => ({}), ...forRoles },
    getInvalidationCase: { values: () => ({ caseId: randomUUID() }), ...forRoles },
    markNotificationsSeen: { values: () => ({ space: space() }), ...membersOnly },
    joinSpace: {
      values: () => ({ spaceId: randomUUID() }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'NOT_FOUND',
    },
    leaveSpace: { values: () => ({ spaceId: space() }), ...ownThings },
    requestEntry: {
      values: () => ({ spaceId: randomUUID() }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'NOT_FOUND',
    },
    withdrawEntryRequest: { values: () => ({ spaceId: space() }), ...ownThings },
    getInvitedStudents: { values: () => ({ space: space() }), ...forRoles },
    inviteStudent: {
      values: () => ({ space: space(), userName: at().member.student.userName }),
      ...forRoles,
    },
    getInvitations: { values: () => ({ space: space() }), ...forRoles },
    createInvitation: {
      values: () => ({ space: space(), details: { kind: 'LINK', uses: 1, days: 1 } }),
      ...forRoles,
    },
    revokeInvitation: { values: () => ({ space: space(), id: randomUUID() }), ...forRoles },
    getInvitedSpace: {
      values: () => ({ secret: 'ACDEFHJK' }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'NOT_FOUND',
    },
    joinByInvitation: {
      values: () => ({ secret: 'ACDEFHJK' }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'NOT_FOUND',
    },
    revokeStudentInvitation: {
      values: () => ({ space: space(), studentId: at().member.student.studentId }),
      ...forRoles,
    },
    getEntryRequests: { values: () => ({ space: space() }), ...forRoles },
    stateAge: {
      values: () => ({ spaceId: randomUUID(), band: 'BELOW' }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'NOT_FOUND',
    },
    askGuardian: {
      values: () => ({ spaceId: randomUUID(), email: `parent.${randomUUID()}@example.org` }),
      anonymous: 'UNAUTHENTICATED',
      stranger: 'NOT_FOUND',
    },
    getYoungerStudents: { values: () => ({ space: space() }), ...forRoles },
    forgetAge: {
      values: () => ({ space: space(), studentId: at().member.student.studentId }),
      ...forRoles,
    },
    getGuardianConsent: {
      values: () => ({ token: 'made up' }),
      anonymous: 'NOT_FOUND',
      stranger: 'NOT_FOUND',
    },
    answerGuardianConsent: {
      values: () => ({ token: 'made up', isGiven: true, termsVersion: 'nimo-1' }),
      anonymous: 'NOT_FOUND',
      stranger: 'NOT_FOUND',
    },
    answerEntryRequest: {
      values: () => ({ space: space(), studentId: at().member.student.studentId, isAccepted: true }),
      ...forRoles,
    },
    removeMember: {
      values: () => ({ space: space(), studentId: at().member.student.studentId, reason: 'mine' }),
      ...forRoles,
    },
  };
}
