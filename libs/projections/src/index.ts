export type { BatchEnd, ProjectedEvent, Projection, Table } from './projection.js';
export type { Reactor, ReactorEvent } from './reactor.js';
export { SCORE_SNAPSHOTS_DDL } from './history/history.tables.js';
export * from './activities/activities.queries.js';
export * from './audit/own-staff-action.queries.js';
export * from './avatars/avatars.queries.js';
export type { AuditPoints } from './audit/audit-points.js';
export * from './audit/audit.queries.js';
export { AUDIT_KINDS, type AuditKind } from './audit/audit.tables.js';
export type { AsOf } from './history/scores-as-of.js';
export * from './history/history-marks.js';
export * from './history/leaderboard-as-of.queries.js';
export * from './history/question-as-of.js';
export { ordinalReached } from './history/scores-as-of.js';
export { ScoreSnapshots } from './history/score-snapshots.js';
export * from './leaderboard/leaderboard.queries.js';
export * from './leaderboard/score-explanation.queries.js';
export * from './leaderboard/scoring-rules.queries.js';
export * from './leaderboard/scoring-trial.queries.js';
export * from './leaderboard/penalty-effects.queries.js';
export { type CaseReport } from './moderation/moderation-cases.table.js';
export type { Block } from './moderation/moderation-history.tables.js';
export * from './moderation/moderation-case.queries.js';
export * from './moderation/moderation-queue.queries.js';
export type { ModeratorScope } from './moderator-scope.js';
export { notOfRemovedSpace } from './removed-space.sql.js';
export * from './moderation/own-removals.queries.js';
export * from './moderation/removals.queries.js';
export * from './moderation/own-suspension.queries.js';
export * from './moderation/warnings.queries.js';
export * from './news/news.queries.js';
export * from './notes/notes.queries.js';
export { EVERY_MEMBER, noticesOf } from './notifications/notifications.tables.js';
export * from './notifications/notifications.queries.js';
export type { NotifiedPatterns, StaffNotificationOptions } from './notifications/open-work.sql.js';
export * from './own-data/own-sections.js';
export * from './patterns/find-patterns.js';
export * from './patterns/cases.queries.js';
export * from './patterns/invalidation-effect.queries.js';
export * from './patterns/patterns.queries.js';
export * from './patterns/triage.js';
export * from './patterns/score-notices.queries.js';
export * from './patterns/vote-givers.queries.js';
export * from './pictures/pictures.queries.js';
export * from './questions/answers.queries.js';
export * from './questions/comments.queries.js';
export * from './questions/public-question.queries.js';
export {
  mayChangePublicQuestion,
  PUBLIC_PAGE_EVENTS,
  PUBLIC_PAGE_PROJECTIONS,
  type PublicQuestionRows,
} from './public-question-rows.js';
export * from './questions/question-pages.queries.js';
export type { QuestionParts, QuestionView, ReferenceView } from './questions/question.view.js';
export type { OpenPage, Page, Queryable, Statement } from './queryable.js';
export { projections, REWRITING_EVENTS } from './registry.js';
export { findOwnSubjects, type OwnSubjectsView } from './students/students.queries.js';
export { SPELLING } from './search/folding.js';
export { coveringGrams, formsOf, hasRun, type Unit, wordsOfRun } from './search/runs.js';
export * from './search/words.js';
export * from './spaces/managed-spaces.queries.js';
export * from './spaces/space-dump.queries.js';
export * from './spaces/spaces.queries.js';
export * from './spaces/entry-requests.queries.js';
export * from './spaces/stated-ages.queries.js';
export type { Reader } from './queryable.js';
export * from './statistics/statistics.queries.js';
export * from './students/managed-students.queries.js';
export * from './students/student-detail.queries.js';
export {
  type AuthorView,
  findAuthorsByIds,
  findMembersByIds,
  findStudentByEmail,
  findStudentById,
  findStudentByPhone,
  findStudentByUserName,
  type MemberSearch,
  type RoleView,
  searchMembers,
  type StudentView,
} from './students/students.queries.js';
