import { lazy, Suspense } from 'react';
import { Navigate, Route, Routes } from 'react-router-dom';
import { ShellSkeleton } from '../features/shell/shell-skeleton';
import type { Area } from '../features/areas/own-areas';
import { withAllTexts, withStaffTexts } from '../i18n/i18n';
import { DesktopOnly, RequireAuth, RequireSpace, VisitorsOrNarrow } from './guards';
import { paths, redirects, routePatterns } from './paths';

const DataLayer = lazy(withAllTexts(() => import('./data-layer')));
const SpaceLayout = lazy(() => import('../features/shell/space-layout'));
const RequireArea = lazy(() => import('../features/areas/require-area'));
const AreaRoutes = lazy(withStaffTexts(() => import('./area-routes')));
const LoginScreen = lazy(() => import('../screens/login/login-screen'));
const RegisterScreen = lazy(withAllTexts(() => import('../screens/register/register-screen')));
const ForgotPasswordScreen = lazy(() => import('../screens/forgot-password/forgot-password-screen'));
const LogoutScreen = lazy(() => import('../screens/logout/logout-screen'));
const SpacesScreen = lazy(() => import('../screens/spaces/spaces-screen'));
const DashboardScreen = lazy(() => import('../screens/dashboard/dashboard-screen'));
const SingleQuestionScreen = lazy(() => import('../screens/single-question/single-question-screen'));
const PublicQuestionScreen = lazy(() => import('../screens/public-question/public-question-screen'));
const LeaderboardScreen = lazy(() => import('../screens/leaderboard/leaderboard-screen'));
const ScoreExplanationScreen = lazy(() => import('../screens/score-explanation/score-explanation-screen'));
const NimoSenseScreen = lazy(() => import('../screens/nimo-sense/nimo-sense-screen'));
const ProfileScreen = lazy(() => import('../screens/profile/profile-screen'));
const SearchScreen = lazy(() => import('../screens/search/search-screen'));
const NewsScreen = lazy(() => import('../screens/news/news-screen'));
const UserDetailScreen = lazy(() => import('../screens/user-detail/user-detail-screen'));
const SettingsScreen = lazy(() => import('../screens/settings/settings-screen'));
const NotFoundScreen = lazy(() => import('../screens/not-found/not-found-screen'));

const areas: readonly Area[] = ['moderation', 'audit', 'maintenance'];

/** Every route. Screens are lazy; what lies between is who may see them and what surrounds them. */
export function AppRoutes() {
  return (
    <Suspense fallback={<ShellSkeleton />}>
      <Routes>
        <Route element={<VisitorsOrNarrow />}>
          <Route element={<DataLayer />}>
            <Route path={routePatterns.publicQuestion} element={<PublicQuestionScreen />} />
          </Route>
        </Route>
        <Route element={<DesktopOnly />}>
          {redirects.map(({ from, to }) => (
            <Route key={from} path={from} element={<Navigate to={to} replace />} />
          ))}
          <Route path={paths.login} element={<LoginScreen />} />
          <Route path={paths.register} element={<RegisterScreen />} />
          <Route path={paths.forgotPassword} element={<ForgotPasswordScreen />} />
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
                  <Route path={paths.dashboard} element={<DashboardScreen />} />
                  <Route path={paths.leaderboard} element={<LeaderboardScreen />} />
                  <Route path={paths.scoreExplanation} element={<ScoreExplanationScreen />} />
                  <Route path={paths.nimoSense} element={<NimoSenseScreen />} />
                  <Route path={paths.profile} element={<ProfileScreen />} />
                  <Route path={paths.search} element={<SearchScreen />} />
                  <Route path={routePatterns.userDetail} element={<UserDetailScreen />} />
                </Route>
              </Route>
            </Route>
          </Route>
          <Route path="*" element={<NotFoundScreen />} />
        </Route>
      </Routes>
    </Suspense>
  );
}
