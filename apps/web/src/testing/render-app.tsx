import { notifications } from '@mantine/notifications';
import { act, render } from '@testing-library/react';
import { createPath, MemoryRouter, useLocation, useNavigate, type Path } from 'react-router-dom';
import '../app/data-layer';
import { Providers } from '../app/providers';
import { AppRoutes } from '../app/routes';
import '../features/shell/space-layout';
import { withAllTexts } from '../i18n/i18n';
import { enterSpace, signIn, signOut, type AuthUser, type CurrentSpace } from '../lib/auth-storage';
import { timings } from '../lib/timings';
import './async-timeout';

// Loads the lazy parts imported above and by each spec before its first test.
await withAllTexts(() => Promise.resolve())();

const TEN_MINUTES = 600_000;
export const productTimings = { ...timings };

// On a slow machine, nothing may disappear too early or time out.
Object.assign(timings, {
  successMessage: TEN_MINUTES,
  errorMessage: TEN_MINUTES,
  undo: TEN_MINUTES,
  copied: TEN_MINUTES,
  otpVerify: TEN_MINUTES,
  shortcutSequence: TEN_MINUTES,
});

interface Start {
  /** The signed-in user; omit for a visitor. */
  user?: AuthUser;
  space?: CurrentSpace;
}

/** Renders the whole app at a URL, as opened by a browser, or by a link with navigation state. */
export function renderApp(
  address: string | (Partial<Path> & { state: unknown }),
  { user, space }: Start = {},
) {
  notifications.clean();
  signOut();
  if (user) signIn('token-of-the-session', user, true);
  if (space) enterSpace(space);

  let current = typeof address === 'string' ? address : createPath(address);
  let back = () => {};
  function AddressBar() {
    const { pathname, search } = useLocation();
    const navigate = useNavigate();
    current = `${pathname}${search}`;
    back = () => {
      act(() => {
        void navigate(-1);
      });
    };
    return null;
  }
  const view = render(
    <Providers env="test">
      <MemoryRouter initialEntries={[address]} useTransitions={false}>
        <AddressBar />
        <AppRoutes />
      </MemoryRouter>
    </Providers>,
  );
  return { ...view, address: () => current, back: () => back() };
}
