import type { AccessRule } from '../../apps/api/src/platform/auth/access.js';

export interface ReferenceArea {
  /** Name of its page, `docs/api/reference/<name>.md`. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** Resolvers whose operations are on the page. */
  readonly resolvers: readonly string[];
}

/** The pages of the reference, in the order of its index. */
export const REFERENCE_AREAS: readonly ReferenceArea[] = [
  {
    name: 'signing-in',
    title: 'Sign-up and sign-in',
    about: 'Accounts by phone, email and external providers; sessions; the second factor at sign-in.',
    resolvers: [
      'StudentsResolver',
      'ProfilesResolver',
      'OtpResolver',
      'SessionsResolver',
      'EmailAccountsResolver',
      'SignInResolver',
      'SecondFactorSignInResolver',
      'TermsResolver',
    ],
  },
  {
    name: 'own-account',
    title: 'Own account',
    about: 'Sessions, second factors, contacts, data export, account deletion, pictures.',
    resolvers: [
      'OwnSessionsResolver',
      'SecondFactorResolver',
      'FactorResetResolver',
      'ContactChangesResolver',
      'OwnErasureResolver',
      'OwnDataResolver',
      'SecurityLogResolver',
      'AvatarsResolver',
      'UploadsResolver',
    ],
  },
  {
    name: 'spaces',
    title: 'Spaces',
    about: 'Finding, joining and leaving spaces; guardian consent; statistics.',
    resolvers: [
      'SpacesResolver',
      'EntryRequestsResolver',
      'EntryByInvitationResolver',
      'GuardiansResolver',
      'GuardianConsentsResolver',
      'StatisticsResolver',
    ],
  },
  {
    name: 'questions',
    title: 'Questions and answers',
    about: 'Asking, answering, commenting, voting, accepting, saving, reporting, and live updates.',
    resolvers: [
      'QuestionsResolver',
      'QuestionListsResolver',
      'AnswersResolver',
      'CommentsResolver',
      'VotesResolver',
      'BookmarksResolver',
      'TopicsResolver',
      'ReportsResolver',
      'OwnRemovalsResolver',
      'LiveResolver',
      'SearchResolver',
    ],
  },
  {
    name: 'people',
    title: 'Scores, people, news and notifications',
    about: 'Leaderboard, score breakdown, profiles, activities, news, notifications.',
    resolvers: [
      'LeaderboardResolver',
      'ScoreExplanationResolver',
      'UserDetailResolver',
      'ActivitiesResolver',
      'NotificationsResolver',
      'NewsResolver',
    ],
  },
  {
    name: 'moderation',
    title: 'Moderation',
    about: 'For moderators: reported posts, members and invitations, notes, vote patterns, time travel.',
    resolvers: [
      'ModerationResolver',
      'CaseDecisionsResolver',
      'StudentNotesResolver',
      'WarningsResolver',
      'VotePatternsResolver',
      'InvalidationCasesResolver',
      'AsOfResolver',
      'NewsMutationsResolver',
      'MembersResolver',
      'InvitationsResolver',
      'StudentInvitationsResolver',
    ],
  },
  {
    name: 'audit',
    title: 'Audit',
    about: 'The audit trail and proof of log integrity.',
    resolvers: ['AuditResolver', 'LogProofResolver'],
  },
  {
    name: 'administration',
    title: 'Administration',
    about: 'For maintainers: spaces, subjects, avatars, accounts, roles, scoring rules, projections.',
    resolvers: [],
  },
];

const STAFF_AREA = 'administration';
const DEFAULT_AREA = 'spaces';

/** Reference area of an operation. Operations of unlisted resolvers go to administration if restricted to roles, otherwise to spaces. */
export function areaOf(operation: string, rule: AccessRule | undefined): string {
  const [resolver = ''] = operation.split('.');
  const named = REFERENCE_AREAS.find(({ resolvers }) => resolvers.includes(resolver));
  return named?.name ?? (rule?.kind === 'role' ? STAFF_AREA : DEFAULT_AREA);
}
