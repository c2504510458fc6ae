import { Suspense, useEffect, useState } from 'react';
import {
  createRoutesFromElements,
  Navigate,
  Outlet,
  Route,
  useLocation,
  useParams,
  useRoutes,
} from 'react-router-dom';
import type { Area } from '../features/areas/own-areas';
import { ShellSkeleton } from '../components/skeletons';
import { withAllTexts, withStaffTexts } from '../i18n/i18n';
import { useAuthUser, useCurrentSpace } from '../lib/auth-storage';
import { lazyPart, preloadParts } from '../lib/browser/loading';
import { useContinuesInBrowser, useIsNarrow } from '../lib/browser/device';
import { useRouteFocus } from '../lib/browser/focus';
import { useTrail } from '../lib/browser/back-navigation';
import { paths, redirects, routePatterns } from '../lib/paths';
import type { LoginState } from '../screens/student/login/login-screen';

const spaceLayout = () => import('../features/shell/space-layout');
const dashboard = () => import('../screens/student/dashboard/dashboard-screen');

const DataLayer = lazyPart(
  withAllTexts(() => {
    // Preload the most likely next screens; a failure surfaces when one is needed.
    for (const next of [spaceLayout, dashboard]) next().catch(() => undefined);
    return import('./data-layer');
  }),
);
const SpaceLayout = lazyPart(spaceLayout);
const RequireArea = lazyPart(() => import('../features/areas/require-area'));
const AreaRoutes = lazyPart(withStaffTexts(() => import('./area-routes')));
const LoginScreen = lazyPart(() => import('../screens/student/login/login-screen'));
const RegisterScreen = lazyPart(withAllTexts(() => import('../screens/student/register/register-screen')));
const ForgotPasswordScreen = lazyPart(
  withAllTexts(() => import('../screens/student/forgot-password/forgot-password-screen')),
);
const TermsScreen = lazyPart(withAllTexts(() => import('../screens/student/terms/terms-screen')));
const ConsentScreen = lazyPart(withAllTexts(() => import('../screens/student/consent/consent-screen')));
const LogoutScreen = lazyPart(withAllTexts(() => import('../screens/student/logout/logout-screen')));
const SpacesScreen = lazyPart(() => import('../screens/student/spaces/spaces-screen'));
const InvitationScreen = lazyPart(() => import('../screens/student/spaces/invitation-screen'));
const DashboardScreen = lazyPart(dashboard);
const AskScreen = lazyPart(() => import('../screens/student/ask/ask-screen'));
const SingleQuestionScreen = lazyPart(
  () => import('../screens/student/single-question/single-question-screen'),
);
const PublicQuestionScreen = lazyPart(
  () => import('../screens/student/public-question/public-question-screen'),
);
const LeaderboardScreen = lazyPart(() => import('../screens/student/leaderboard/leaderboard-screen'));
const ScoreExplanationScreen = lazyPart(
  () => import('../screens/student/score-explanation/score-explanation-screen'),
);
const NimoSenseScreen = lazyPart(() => import('../screens/student/nimo-sense/nimo-sense-screen'));
const ProfileScreen = lazyPart(() => import('../screens/student/profile/profile-screen'));
const SearchScreen = lazyPart(() => import('../screens/student/search/search-screen'));
const NewsScreen = lazyPart(() => import('../screens/student/news/news-screen'));
const NotificationsScreen = lazyPart(() => import('../screens/student/notifications/notifications-screen'));
const UserDetailScreen = lazyPart(() => import('../screens/student/user-detail/user-detail-screen'));
const SettingsScreen = lazyPart(() => import('../screens/student/settings/settings-screen'));
const NotFoundScreen = lazyPart(withAllTexts(() => import('../screens/student/not-found/not-found-screen')));

/** Preloads writing a question, the most likely next step. */
function DashboardBeforeAsk() {
  useEffect(() => preloadParts([AskScreen.preload]), []);
  return <DashboardScreen />;
}

const areas: readonly Area[] = ['moderation', 'audit', 'maintenance'];

// Created once, so that the layout does not re-render when the screen changes.
const routes = createRoutesFromElements(
  <>
    <Route element={<RedirectSignedIn />}>
      <Route element={<DataLayer />}>
        <Route path={routePatterns.publicQuestion} element={<PublicQuestionScreen />} />
      </Route>
    </Route>
    {/* At any width: a class scans the code with phones. */}
    <Route element={<DataLayer />}>
      <Route path={routePatterns.invitation} element={<InvitationScreen />} />
    </Route>
    {/* For parents, on any device. */}
    <Route path={paths.consent} element={<ConsentScreen />} />
    <Route element={<RequireWideWindow />}>
      {redirects.map(({ from, to }) => (
        <Route key={from} path={from} element={<Navigate to={to} replace />} />
      ))}
      <Route path={paths.login} element={<LoginScreen />} />
      <Route path={paths.register} element={<RegisterScreen />} />
      <Route path={paths.forgotPassword} element={<ForgotPasswordScreen />} />
      <Route path={paths.terms} element={<TermsScreen />} />
      <Route path={paths.logout} element={<LogoutScreen />} />
      <Route element={<RequireAuth />}>
        <Route element={<DataLayer />}>
          <Route path={paths.spaces} element={<SpacesScreen />} />
          {areas.map((area) => (
            <Route key={area} element={<RequireArea area={area} otherwise={<NotFoundScreen />} />}>
              <Route path={`${paths[area]}/*`} element={<AreaRoutes area={area} />} />
            </Route>
          ))}
          <Route element={<SpaceLayout />}>
            <Route path={routePatterns.singleQuestion} element={<SingleQuestionScreen />} />
            <Route path={paths.news} element={<NewsScreen />} />
            <Route path={paths.settings} element={<SettingsScreen />} />
            <Route element={<RequireSpace />}>
              <Route path={paths.dashboard} element={<DashboardBeforeAsk />} />
              <Route path={paths.ask} element={<AskScreen />} />
              <Route path={paths.leaderboard} element={<LeaderboardScreen />} />
              <Route path={paths.scoreExplanation} element={<ScoreExplanationScreen />} />
              <Route path={paths.nimoSense} element={<NimoSenseScreen />} />
              <Route path={paths.profile} element={<ProfileScreen />} />
              <Route path={paths.notifications} element={<NotificationsScreen />} />
              <Route path={paths.search} element={<SearchScreen />} />
              <Route path={routePatterns.userDetail} element={<UserDetailScreen />} />
            </Route>
          </Route>
        </Route>
      </Route>
      <Route path="*" element={<NotFoundScreen />} />
    </Route>
  </>,
);

/** All routes. Screens are lazy, wrapped in access checks and layouts. */
export function AppRoutes() {
  useRouteFocus();
  return <Suspense fallback={<ShellSkeleton />}>{useRoutes(routes)}</Suspense>;
}

// Lazy, because wide windows never show it.
const NarrowNotice = lazyPart(withAllTexts(() => import('../features/shell/narrow-notice')));

/** Whether the window is too narrow and the user has not chosen to continue. */
function useIsTooNarrow(): boolean {
  const [isNarrow, continues] = [useIsNarrow(), useContinuesInBrowser()];
  return isNarrow && !continues;
}

/** Below 1024 px, shows a message until the user chooses to continue. Keeps a screen that was open in a wider window, with its input. */
function RequireWideWindow() {
  const isTooNarrow = useIsTooNarrow();
  const [wasWide, setWasWide] = useState(!isTooNarrow);
  if (!isTooNarrow && !wasWide) setWasWide(true);
  if (!wasWide) return <NarrowNotice />;
  return (
    <>
      <Outlet />
      {isTooNarrow && (
        <Suspense>
          <NarrowNotice isOverScreen />
        </Suspense>
      )}
    </>
  );
}

/** Redirects visitors to the login and remembers the requested URL. */
function RequireAuth() {
  const user = useAuthUser();
  const { pathname, search, hash } = useLocation();
  useTrail();
  if (user) return <Outlet />;
  const state: LoginState = { from: `${pathname}${search}${hash}` };
  return <Navigate to={paths.login} replace state={state} />;
}

/** Redirects to the spaces until one is entered. */
function RequireSpace() {
  return useCurrentSpace() ? <Outlet /> : <Navigate to={paths.spaces} replace />;
}

/** Shows signed-in students the question inside the app; on narrow windows the public page stays. */
function RedirectSignedIn() {
  const user = useAuthUser();
  const isTooNarrow = useIsTooNarrow();
  const { questionId = '' } = useParams();
  return user && !isTooNarrow ? (
    <Navigate to={paths.singleQuestion(questionId, 'home')} replace />
  ) : (
    <Outlet />
  );
}
