import type { Location } from 'react-router-dom';

/** Every path of the product. Screens link through these, never by a literal. */
export const paths = {
  root: '/',
  login: '/login',
  logout: '/logout',
  register: '/register',
  forgotPassword: '/forgot-password',
  terms: '/terms',
  consent: '/consent',
  deleteAccount: '/setting?tab=deletion',
  settings: '/setting',
  spaces: '/space',
  join: '/join',
  /** The secret is in the fragment, which is never sent to a server. */
  invitation: (secret: string) => `/join#${encodeURIComponent(secret)}`,
  /** A class code is shown to everyone in the room, so it may be in the path. */
  classCode: (code: string) => `/join/${encodeURIComponent(code)}`,
  dashboard: '/dashboard',
  ask: '/ask',
  leaderboard: '/leaderboard',
  scoreExplanation: '/leaderboard/score',
  nimoSense: '/nimoSense',
  profile: '/profile',
  search: '/search',
  news: '/news',
  notifications: '/notifications',
  moderation: '/moderation',
  moderationCase: (postId: string) => `/moderation/${encodeURIComponent(postId)}`,
  entry: '/moderation/entry',
  entryOf: (spaceId: string) => `/moderation/entry?${new URLSearchParams({ space: spaceId })}`,
  shownClassCode: (spaceId: string, invitationId: string) =>
    `/moderation/entry/code/${encodeURIComponent(spaceId)}/${encodeURIComponent(invitationId)}`,
  votePatterns: '/moderation/patterns',
  votePatternsOf: (spaceId: string) => `/moderation/patterns?${new URLSearchParams({ space: spaceId })}`,
  votePattern: (spaceId: string, patternId: string) =>
    `/moderation/patterns/${encodeURIComponent(spaceId)}/${encodeURIComponent(patternId)}`,
  voteReview: '/moderation/votes',
  votesToReview: (filter: { space: string; voter?: string; author?: string; post?: string }) =>
    `/moderation/votes?${new URLSearchParams(filter)}`,
  voteGivers: (filter: { space: string; author: string }) =>
    `/moderation/votes/givers?${new URLSearchParams(filter)}`,
  removals: '/moderation/removals',
  removal: (removalId: string) => `/moderation/removals/${encodeURIComponent(removalId)}`,
  voteCases: '/moderation/cases',
  voteCase: (caseId: string) => `/moderation/cases/${encodeURIComponent(caseId)}`,
  audit: '/audit',
  act: (ordinal: number) => `/audit/${ordinal}`,
  asOf: '/audit/as-of',
  leaderboardAsOf: (spaceId: string) => `/audit/as-of/leaderboard?${new URLSearchParams({ space: spaceId })}`,
  questionAsOf: (questionId: string) => `/audit/as-of/question/${encodeURIComponent(questionId)}`,
  proof: '/audit/proof',
  maintenance: '/maintenance',
  managedSpaces: '/maintenance/content/spaces',
  managedSpace: (spaceId: string) => `/maintenance/content/spaces/${encodeURIComponent(spaceId)}`,
  managedAvatars: '/maintenance/content/avatars',
  managedRoles: '/maintenance/content/roles',
  managedStudents: '/maintenance/content/students',
  managedNews: '/maintenance/content/news',
  log: '/maintenance/log',
  logEvent: (ordinal: number) => `/maintenance/log/${ordinal}`,
  logStream: (streamId: string) => `/maintenance/log/stream?${new URLSearchParams({ id: streamId })}`,
  /** The stream of an event, without its name, which may contain the ID of a student. */
  logStreamOf: (ordinal: number) => `/maintenance/log/stream?of=${ordinal}`,
  scoring: '/maintenance/scoring',
  scoringVersion: (version: number) => `/maintenance/scoring/versions/${version}`,
  projection: (name: string) => `/maintenance/projections/${encodeURIComponent(name)}`,
  risingStars: '/nimorisingstar',
  userDetail: (studentId: string, spaceId?: string) =>
    `/nimorisingstarsingle?${new URLSearchParams({ id: studentId, ...(spaceId === undefined ? {} : { space: spaceId }) })}`,
  singleQuestion: (questionId: string, origin: SingleQuestionOrigin) =>
    `/singleQuestion/${encodeURIComponent(questionId)}/${origin}`,
  publicQuestion: (questionId: string) => `/question/${encodeURIComponent(questionId)}`,
} as const;

/** Where the back arrow of the single question page goes. */
export type SingleQuestionOrigin = 'home' | 'profile';

export const routePatterns = {
  singleQuestion: '/singleQuestion/:questionId/:type',
  publicQuestion: '/question/:questionId',
  invitation: '/join/:code?',
  userDetail: '/nimorisingstarsingle',
  shownClassCode: '/moderation/entry/code/:spaceId/:invitationId',
} as const;

const loginTemplates = [
  '/pages-login',
  '/pages-login-2',
  '/auth-lock-screen',
  '/auth-lock-screen-2',
  '/auth-two-step-verification',
  '/auth-two-step-verification-2',
];
const registerTemplates = [
  '/pages-register',
  '/pages-register-2',
  '/page-confirm-mail',
  '/page-confirm-mail-2',
  '/auth-email-verification',
  '/auth-email-verification-2',
];
const recoverTemplates = ['/page-recoverpw', '/page-recoverpw-2', '/pages-forgot-pwd'];

/** Aliases and their targets. */
export const redirects: ReadonlyArray<{ from: string; to: string }> = [
  { from: paths.root, to: paths.spaces },
  { from: paths.risingStars, to: paths.leaderboard },
  ...loginTemplates.map((from) => ({ from, to: paths.login })),
  ...registerTemplates.map((from) => ({ from, to: paths.register })),
  ...recoverTemplates.map((from) => ({ from, to: paths.forgotPassword })),
];

/** Where a read-only page sends someone who wants to take part: the space to join, and where to return afterwards. */
export interface JoinState {
  joins: string;
  backTo: string;
}

export function joinStateOf({ state }: Pick<Location, 'state'>): JoinState | undefined {
  const { joins, backTo } = (state ?? {}) as Partial<JoinState>;
  return joins === undefined || backTo === undefined ? undefined : { joins, backTo };
}

/** Navigation state for /logout, set by our own buttons. Links from elsewhere or in a post cannot carry it. */
export const confirmedLogout = { state: { isLogoutConfirmed: true } } as const;

export const hasConfirmedLogout = (state: unknown): boolean =>
  typeof state === 'object' &&
  state !== null &&
  'isLogoutConfirmed' in state &&
  state.isLogoutConfirmed === true;
