import type { AuditClass, AuditKind } from '../../generated/graphql';
import type { AuditView } from './audit-address';

/** What every kind is filed under. The compiler asks for a line here when the api learns another kind. */
const classes = {
  VoteCast: 'VOTE',
  VoteWithdrawn: 'VOTE',
  PostReported: 'REPORT',
  ReportsUpheld: 'ACT',
  ReportsDismissed: 'ACT',
  ReportsHandedOver: 'ACT',
  UpholdingReversed: 'ACT',
  VotesInvalidated: 'ACT',
  InvalidationReversed: 'ACT',
  QuestionDeleted: 'ACT',
  AnswerDeleted: 'ACT',
  CommentDeleted: 'ACT',
  StudentBlocked: 'ACT',
  StudentUnblocked: 'ACT',
  SecondFactorReset: 'ACT',
  MemberSuspended: 'ACT',
  SuspensionLifted: 'ACT',
  StudentErased: 'ACT',
  RoleGranted: 'ACT',
  RoleRevoked: 'ACT',
  SpaceCreated: 'ACT',
  SpaceChanged: 'ACT',
  SubjectAdded: 'ACT',
  SubjectChanged: 'ACT',
  TopicCreated: 'ACT',
  TopicChanged: 'ACT',
  AvatarAdded: 'ACT',
  AvatarChanged: 'ACT',
  AvatarRetired: 'ACT',
  AvatarRestored: 'ACT',
  NewspostPublished: 'ACT',
  NewspostChanged: 'ACT',
  NewspostRemoved: 'ACT',
  NewspostRestored: 'ACT',
  ScoringRulesPublished: 'ACT',
  ProjectionRebuildStarted: 'ACT',
  ProjectionRebuildCancelled: 'ACT',
  ProjectionSwitched: 'ACT',
  ProjectionVerificationStarted: 'ACT',
  ProjectionVerificationCancelled: 'ACT',
  ProjectionVerificationFinished: 'ACT',
  ProjectionEventRetried: 'ACT',
  ProjectionEventSkipped: 'ACT',
  ConfidentialDataRead: 'READ',
} as const satisfies Readonly<Record<AuditKind, AuditClass>>;

export const auditKinds = Object.keys(classes) as readonly AuditKind[];

export const classOfKind = (kind: AuditKind): AuditClass => classes[kind];

/** Whether a view can hold lines of that class. */
export const isOfView = (view: AuditView, of: AuditClass): boolean =>
  view === 'acts' ? of === 'ACT' : view === 'reads' ? of === 'READ' : true;
