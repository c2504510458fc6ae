import { useEffect } from 'react';
import { Navigate, Outlet, useLocation, useParams } from 'react-router-dom';
import { useAuthUser, useCurrentSpace } from '../lib/auth-storage';
import { decodeSecret, keepInvitation } from '../lib/pending-invitation';
import { withAllTexts } from '../i18n/i18n';
import { lazyPart } from '../lib/lazy-part';
import { useContinuesInBrowser, useIsNarrow } from '../lib/narrow';
import { useTrail } from '../lib/way-back';
import { paths } from './paths';

/** Where to go on after the login. */
export interface LoginState {
  from?: string;
}

// Wide windows, which have to load least at first, never show it.
const NarrowNotice = lazyPart(withAllTexts(() => import('../features/shell/narrow-notice')));

/** Whether the window shows the message in place of the screens. */
function useIsHeldBack(): boolean {
  const [isNarrow, goesOn] = [useIsNarrow(), useContinuesInBrowser()];
  return isNarrow && !goesOn;
}

/** Under 1024 px the screens below it give way to a sentence, until somebody chooses to go on. */
export function WideOrContinued() {
  return useIsHeldBack() ? <NarrowNotice /> : <Outlet />;
}

/** Leads visitors to the login and remembers where they wanted to go. */
export function RequireAuth() {
  const user = useAuthUser();
  const { pathname, search, hash } = useLocation();
  useTrail();
  const isInvitation = pathname === paths.join && hash.length > 1;
  useEffect(() => {
    if (!user && isInvitation) keepInvitation(decodeSecret(hash));
  }, [user, isInvitation, hash]);
  if (user) return <Outlet />;
  const state: LoginState = { from: `${pathname}${search}${hash}` };
  return <Navigate to={paths.login} replace state={state} />;
}

/** The areas of a space make no sense before one was entered. */
export function RequireSpace() {
  return useCurrentSpace() ? <Outlet /> : <Navigate to={paths.spaces} replace />;
}

/** A signed-in student reads a question inside the product; where the message would be, the public page stays. */
export function VisitorsOrHeldBack() {
  const user = useAuthUser();
  const isHeldBack = useIsHeldBack();
  const { questionId = '' } = useParams();
  return user && !isHeldBack ? (
    <Navigate to={paths.singleQuestion(questionId, 'home')} replace />
  ) : (
    <Outlet />
  );
}
