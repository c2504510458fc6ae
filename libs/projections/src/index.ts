export type { BatchEnd, ProjectedEvent, Projection, Table } from './projection.js';
export type { Reactor, ReactorEvent } from './reactor.js';
export { SCORE_SNAPSHOTS_DDL } from './history/score-snapshots.ddl.js';
export { ActivityEntity } from './activities/activities.entity.js';
export * from './activities/activities.queries.js';
export { AvatarEntity } from './avatars/avatars.entity.js';
export * from './audit/own-act.queries.js';
export * from './avatars/avatars.queries.js';
export { AuditEntryEntity } from './audit/audit.entity.js';
export type { AuditPoints } from './audit/audit-points.js';
export * from './audit/audit.queries.js';
export { AUDIT_KINDS, type AuditKind } from './audit/audited-events.js';
export { readModelEntities } from './entities.js';
export type { AsOf } from './history/as-of.js';
export * from './history/history-range.queries.js';
export * from './history/leaderboard-as-of.queries.js';
export * from './history/question-as-of.js';
export { ordinalReached } from './history/scores-as-of.js';
export { ScoreSnapshots } from './history/score-snapshots.js';
export { LeaderboardEntity } from './leaderboard/leaderboard.entity.js';
export * from './leaderboard/leaderboard.queries.js';
export * from './leaderboard/score-explanation.queries.js';
export * from './leaderboard/scoring-rules.queries.js';
export * from './leaderboard/scoring-trial.queries.js';
export { type CaseReport } from './moderation/moderation-cases.table.js';
export type { Block } from './moderation/moderation-history.tables.js';
export * from './moderation/moderation-case.queries.js';
export * from './moderation/moderation-queue.queries.js';
export * from './moderation/own-removals.queries.js';
export { NewspostEntity, NewspostReactionEntity } from './news/news.entity.js';
export * from './news/managed-news.queries.js';
export * from './news/news.queries.js';
export * from './news/own-reactions.js';
export * from './notes/notes.queries.js';
export { EVERY_MEMBER, noticesOf } from './notifications/notices.table.js';
export { NoticeEntity } from './notifications/notifications.entity.js';
export * from './notifications/notifications.queries.js';
export * from './patterns/find-patterns.js';
export * from './patterns/cases.queries.js';
export * from './patterns/invalidation-effect.queries.js';
export * from './patterns/patterns.queries.js';
export * from './patterns/score-notices.queries.js';
export * from './pictures/pictures.queries.js';
export * from './questions/answers.queries.js';
export * from './questions/comments.queries.js';
export * from './questions/indexed-questions.queries.js';
export * from './questions/own-votes.js';
export * from './questions/post-reports.queries.js';
export * from './questions/public-question.queries.js';
export * from './questions/question-pages.queries.js';
export { AnswerEntity, CommentEntity, QuestionEntity } from './questions/questions.entity.js';
export type { QuestionParts, QuestionView, ReferenceView } from './questions/question.view.js';
export type { OpenPage, Page, Queryable, Statement } from './queryable.js';
export { projections, REWRITING_EVENTS } from './registry.js';
export { plainTextOf } from './excerpt.js';
export { mendCutHtml } from './rich-text/mend-cut-html.js';
export { sanitiseRichText } from './rich-text/sanitise.js';
export { EmbeddedSearch } from './search/embedded/embedded-search.js';
export type * from './search/search-engine.js';
export { searchClient, shippingClient, type TypesenseServer } from './search/typesense/typesense-client.js';
export { TypesenseSearch } from './search/typesense/typesense-search.js';
export { TypesenseShipper } from './search/typesense/typesense-shipper.js';
export { MembershipEntity, SpaceEntity, SubjectEntity, TopicEntity } from './spaces/spaces.entity.js';
export * from './spaces/managed-spaces.queries.js';
export * from './spaces/spaces.queries.js';
export { ActivityDayEntity } from './statistics/statistics.entity.js';
export * from './statistics/statistics.queries.js';
export * from './students/managed-students.queries.js';
export * from './students/student-detail.queries.js';
export { StudentEntity, StudentRoleEntity } from './students/students.entity.js';
export {
  type AuthorView,
  findAuthorsByIds,
  findRolesOf,
  findStudentByEmail,
  findStudentById,
  findStudentByPhone,
  findStudentByUserName,
  type MemberSearch,
  type RoleView,
  searchMembers,
  type StudentView,
} from './students/students.queries.js';
