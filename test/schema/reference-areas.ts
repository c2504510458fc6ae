import type { AccessRule } from '../../apps/api/src/platform/auth/access.js';

export interface ReferenceArea {
  /** Name of its page, `docs/api/reference/<name>.md`. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** Whose operations are told of there. */
  readonly resolvers: readonly string[];
}

/** The pages of the reference, in the order of its index. */
export const REFERENCE_AREAS: readonly ReferenceArea[] = [
  {
    name: 'signing-in',
    title: 'Signing up and in',
    about: 'Accounts by phone, by e-mail and by another service; sessions; the second factor at the log-in.',
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
    title: 'One’s own account',
    about: 'Sessions, second factors, contacts, a copy of one’s data, the deletion of an account, pictures.',
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
    about: 'Finding spaces, joining and leaving them, a guardian’s consent, statistics.',
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
    about: 'Asking, answering, commenting, voting, accepting, saving, reporting, and hearing of changes.',
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
    about: 'The leaderboard and what a score is made of, profiles, activities, news, notifications.',
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
    about: 'For moderators: reported posts, members and invitations, notes, vote patterns, earlier states.',
    resolvers: [
      'ModerationResolver',
      'CaseDecisionsResolver',
      'StudentNotesResolver',
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
    about: 'Who did what, and the proof that the log is whole.',
    resolvers: ['AuditResolver', 'LogProofResolver'],
  },
  {
    name: 'administration',
    title: 'Administration',
    about: 'For maintainers: spaces, subjects, avatars, accounts, roles, scoring rules, projections.',
    resolvers: [],
  },
];

const OF_STAFF = 'administration';
const OF_ALL = 'spaces';

/** Where an operation is told of. What no area names goes by its rule: what is for roles alone to administration. */
export function areaOf(operation: string, rule: AccessRule | undefined): string {
  const [resolver = ''] = operation.split('.');
  const named = REFERENCE_AREAS.find(({ resolvers }) => resolvers.includes(resolver));
  return named?.name ?? (rule?.kind === 'role' ? OF_STAFF : OF_ALL);
}
