import { useMediaQuery } from '@mantine/hooks';
import { Navigate, Outlet, useLocation, useParams } from 'react-router-dom';
import { useAuthUser, useCurrentSpace } from '../lib/auth-storage';
import { useTrail } from '../lib/way-back';
import { NarrowNotice } from '../features/shell/narrow-notice';
import { paths } from './paths';

/** Where to go on after the login. */
export interface LoginState {
  from?: string;
}

function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 1023.98px)', false, { getInitialValueInEffect: false });
}

/** Under 1024 px the screens below it give way to a sentence. */
export function DesktopOnly() {
  return useIsNarrow() ? <NarrowNotice /> : <Outlet />;
}

/** Leads visitors to the login and remembers where they wanted to go. */
export function RequireAuth() {
  const user = useAuthUser();
  const { pathname, search, hash } = useLocation();
  useTrail();
  if (user) return <Outlet />;
  const state: LoginState = { from: `${pathname}${search}${hash}` };
  return <Navigate to={paths.login} replace state={state} />;
}

/** The areas of a space make no sense before one was entered. */
export function RequireSpace() {
  return useCurrentSpace() ? <Outlet /> : <Navigate to={paths.spaces} replace />;
}

/** A signed-in student reads a question inside the product; the narrow screen keeps the public page, which it can show. */
export function VisitorsOrNarrow() {
  const user = useAuthUser();
  const isNarrow = useIsNarrow();
  const { questionId = '' } = useParams();
  return user && !isNarrow ? <Navigate to={paths.singleQuestion(questionId, 'home')} replace /> : <Outlet />;
}
