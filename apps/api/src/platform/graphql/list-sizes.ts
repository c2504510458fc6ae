import {
  ANSWER_COMMENTS_PAGE_SIZE,
  ANSWERS_PAGE_SIZE,
  AVATARS_MAX,
  BODY_MAX_BYTES,
  CASE_EFFECTS_SHOWN_MAX,
  CASE_VOTES_MAX,
  COMMENTS_AT_ONCE_MAX,
  COMMENT_MAX_LENGTH,
  COUNTED_SPACES_MAX,
  IMAGES_MAX,
  INVITATIONS_SHOWN_MAX,
  INVITED_SHOWN_MAX,
  NOTES_MAX,
  OWN_REMOVALS_SHOWN_MAX,
  PATTERNS_MAX,
  STAR_VOTERS_SHOWN_MAX,
  SAVED_QUESTIONS_MAX,
  SPACES_SHOWN_MAX,
  SUBJECTS_SHOWN_MAX,
  TOPICS_SHOWN_MAX,
  USER_SEARCH_MAX,
} from '@nimo/domain';
import { HISTORY_DAYS, MAX_MARKS, MAX_REPORTS_SHOWN, NOTICES_MAX } from '@nimo/projections';
import { LARGEST_PAGE } from './page.js';

/** The entries of a page are under one of these names, as many as its limit says. */
export const PAGE_LISTS: ReadonlySet<string> = new Set(['docs', 'hits', 'nodes']);
/** The arguments in which a document names the size of a page. */
export const PAGE_ARGUMENTS = ['paginateOptions', 'limit', 'first'] as const;

/** Queries that let more be asked for than `LARGEST_PAGE`. */
export const LARGER_PAGES: Readonly<Record<string, number>> = { searchUsers: USER_SEARCH_MAX };

/** Of a whole page of answers: their number is bounded over all of them. */
const COMMENTS_AN_ANSWER = COMMENTS_AT_ONCE_MAX / LARGEST_PAGE;
/** The viewer, or nobody. */
const OWN_VOTE = 1;
/** Few comments mention anybody. */
const MENTIONED = 1;
const RECOVERY_CODES = 10;
const PASSKEYS = 10;
const PARTS_OF_A_TEXT = 10;
const FEW = 5;
const SOME = 20;
const MANY = 50;
/** Of a period of statistics, and more than of the votes on a post. */
const DAYS = 400;
/** Of what staff make one by one. */
const OF_STAFF = 100;

/**
 * How many entries a list is weighed with: its bound, or what a large installation has. A list that is not named here
 * would have `LARGEST_PAGE`, so that a new one is bounded before anybody thinks of it; a test fails until somebody has.
 */
export const LIST_SIZES: Readonly<Record<string, number>> = {
  'ActivityComment.mentions': MENTIONED,
  'ActivityQuestionComment.mentions': MENTIONED,
  'AddedSecondFactor.recoveryCodes': RECOVERY_CODES,
  'Answer.comments': COMMENTS_AN_ANSWER,
  'Answer.downvotedBy': OWN_VOTE,
  'Answer.imageUrls': IMAGES_MAX,
  'Answer.upvotedBy': OWN_VOTE,
  'AnswerAsOf.comments': COMMENTS_AN_ANSWER,
  'AnswerAsOf.downvotedBy': OWN_VOTE,
  'AnswerAsOf.imageUrls': IMAGES_MAX,
  'AnswerAsOf.upvotedBy': OWN_VOTE,
  'AnswerHit.excerpt': PARTS_OF_A_TEXT,
  'AnswerHit.title': PARTS_OF_A_TEXT,
  'AuditEntry.points': FEW,
  'AuditEvent.data': SOME,
  'AvatarGroup.urls': AVATARS_MAX,
  'CaseAuthorRecord.blocks': SOME,
  'CaseAuthorRecord.decisions': MANY,
  'Comment.downvotedBy': OWN_VOTE,
  'Comment.mentions': MENTIONED,
  'Comment.upvotedBy': OWN_VOTE,
  'CurrentScoringRules.changes': SOME,
  'CurrentScoringRules.weights': SOME,
  'HistoryRange.marks': MAX_MARKS,
  'InvalidationCase.spaces': FEW,
  'InvalidationCaseDetail.judgedVotes': CASE_VOTES_MAX,
  'InvalidationCaseDetail.spaces': FEW,
  'InvalidationEffect.posts': CASE_EFFECTS_SHOWN_MAX,
  'InvalidationEffect.students': CASE_EFFECTS_SHOWN_MAX,
  'JudgedVote.caseIds': FEW,
  'LogProof.misfits': MANY,
  'LogProof.signedHeads': SOME,
  'ManagedStudent.roles': FEW,
  'ModerationCase.decisions': MANY,
  'ModerationCase.imageUrls': IMAGES_MAX,
  'ModerationCase.reports': MAX_REPORTS_SHOWN,
  'ModerationCase.voteDays': DAYS,
  'Mutation.rebuildProjections': SOME,
  'Mutation.renewRecoveryCodes': RECOVERY_CODES,
  'Projection.generations': FEW,
  'Projection.history': SOME,
  'Projection.skipped': FEW,
  'ProjectionVerification.differing': SOME,
  'Query.getAllSavedQuestions': SAVED_QUESTIONS_MAX,
  'Query.getAvatars': FEW,
  'Query.getManagedAvatars': AVATARS_MAX,
  'Query.getManagedSpaces': SPACES_SHOWN_MAX,
  'Query.getManagedSubjects': SUBJECTS_SHOWN_MAX,
  'Query.getOwnRemovals': OWN_REMOVALS_SHOWN_MAX,
  'Query.getOwnScoreHistory': HISTORY_DAYS,
  'Query.getPopularTopics': 30,
  'Query.getProjections': SOME,
  'Query.getInvitations': INVITATIONS_SHOWN_MAX,
  'Query.getInvitedStudents': INVITED_SHOWN_MAX,
  'Query.getRoleHolders': OF_STAFF,
  'Query.getScoreNotices': NOTICES_MAX,
  'Query.getScoringVersions': OF_STAFF,
  'Query.getSessions': OF_STAFF,
  'Query.getSignInProviders': 2,
  'Query.getSpaceModerators': OF_STAFF,
  'Query.getSpaces': SPACES_SHOWN_MAX,
  'Query.getStudentSpaces': SPACES_SHOWN_MAX,
  'Query.getStudentNotes': NOTES_MAX,
  'Query.getSubjectTopics': TOPICS_SHOWN_MAX,
  'Query.getSubjectsForSpace': SUBJECTS_SHOWN_MAX,
  'Query.getVotePatternCounts': COUNTED_SPACES_MAX,
  'Query.getVotePatterns': PATTERNS_MAX,
  'Question.downvotedBy': OWN_VOTE,
  'Question.imageUrls': IMAGES_MAX,
  'Question.tags': FEW,
  'Question.upvotedBy': OWN_VOTE,
  'QuestionAsOf.answers': ANSWERS_PAGE_SIZE,
  'QuestionAsOf.comments': ANSWER_COMMENTS_PAGE_SIZE,
  'QuestionHit.excerpt': PARTS_OF_A_TEXT,
  'QuestionHit.title': PARTS_OF_A_TEXT,
  'QueuedCase.reasons': FEW,
  'Refusal.params': FEW,
  'ScoreExplanationPage.days': LARGEST_PAGE,
  'ScoreExplanationPage.reasons': SOME,
  'ScoringDraft.weights': SOME,
  'ScoringTrial.distribution': SOME,
  'ScoringTrial.lines': SOME,
  'ScoringVersion.weights': SOME,
  'SecondFactor.passkeys': PASSKEYS,
  'SpaceStatistics.subjects': SUBJECTS_SHOWN_MAX,
  'SpaceStatistics.workload': DAYS,
  'Student.favouriteSubjects': SOME,
  'Student.leaderboardScores': SPACES_SHOWN_MAX,
  'Student.roles': SOME,
  'Student.savedQuestions': SAVED_QUESTIONS_MAX,
  'Student.spaces': SPACES_SHOWN_MAX,
  'Student.troublingSubjects': SOME,
  'Student.troublingTopics': SOME,
  'VotePattern.evidence': CASE_VOTES_MAX,
  'VotePattern.links': STAR_VOTERS_SHOWN_MAX,
  'VotePattern.students': STAR_VOTERS_SHOWN_MAX,
};

/** Bytes of the texts that may be long. */
export const LONG_TEXTS: Readonly<Record<string, number>> = {
  'Answer.body': BODY_MAX_BYTES,
  'AnswerAsOf.body': BODY_MAX_BYTES,
  'Comment.body': COMMENT_MAX_LENGTH,
  'ManagedNewspost.body': BODY_MAX_BYTES,
  'ModerationCase.body': BODY_MAX_BYTES,
  'Newspost.body': BODY_MAX_BYTES,
  'OwnRemoval.body': BODY_MAX_BYTES,
  'Question.body': BODY_MAX_BYTES,
};
/** Of any other field, its name included. */
export const FIELD_BYTES = 100;

/** An operation is a statement or more, which no count of fields tells. */
export const QUERY_COST = 100;
export const MUTATION_COST = 4_000;
/** To hash a password takes a processor for a tenth of a second. */
const HASHING_COST = 12_000;
/** Many rows are read to show a few. */
const SEARCHING_COST = 4_000;

export const OPERATION_COSTS: Readonly<Record<string, number>> = {
  changePassword: HASHING_COST,
  getAuditEntries: SEARCHING_COST,
  getLeaderboardAsOf: SEARCHING_COST,
  getQuestionAsOf: SEARCHING_COST,
  getQuestionHistoryRange: SEARCHING_COST,
  getScoreAsOf: SEARCHING_COST,
  getSimilarQuestions: SEARCHING_COST,
  getSpaceStatistics: SEARCHING_COST,
  getVotePattern: SEARCHING_COST,
  getVotePatternCounts: SEARCHING_COST,
  getVotePatterns: SEARCHING_COST,
  login: HASHING_COST,
  registerByEmail: HASHING_COST,
  resetPassword: HASHING_COST,
  searchAnswers: SEARCHING_COST,
  searchQuestions: SEARCHING_COST,
  searchTopics: SEARCHING_COST,
  searchUsers: SEARCHING_COST,
  startContactChange: HASHING_COST,
  startPasskey: HASHING_COST,
  startTotp: HASHING_COST,
  updateStudent: HASHING_COST,
};
