import { notifications } from '@mantine/notifications';
import { configure, render } from '@testing-library/react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { Providers } from '../app/providers';
import { AppRoutes } from '../app/routes';
import '../i18n/i18n';
import { enterSpace, signIn, signOut, type AuthUser, type CurrentSpace } from '../lib/auth-storage';

// The first screen of a file waits for its code to be compiled.
configure({ asyncUtilTimeout: 5000 });

interface Start {
  /** Who is signed in; nobody when left out. */
  user?: AuthUser;
  space?: CurrentSpace;
}

/** The whole product at an address, as a browser would open it. */
export function renderApp(address: string, { user, space }: Start = {}) {
  notifications.clean();
  signOut();
  if (user) signIn('token-of-the-session', user, true);
  if (space) enterSpace(space);

  let current = address;
  function AddressBar() {
    const { pathname, search } = useLocation();
    current = `${pathname}${search}`;
    return null;
  }
  const view = render(
    <Providers env="test">
      <MemoryRouter initialEntries={[address]}>
        <AddressBar />
        <AppRoutes />
      </MemoryRouter>
    </Providers>,
  );
  return { ...view, address: () => current };
}
