import { describe, expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { Providers } from '../../app/providers';
import { signIn, signOut } from '../../lib/auth-storage';
import { newAuthUser } from '../../testing/fixtures';
import '../../testing/render-app';
import { UserMenu } from './user-menu';

const showMenu = () =>
  render(
    <Providers env="test">
      <MemoryRouter>
        <UserMenu onLogout={() => undefined} onShortcuts={() => undefined} />
      </MemoryRouter>
    </Providers>,
  );

describe('the user menu', () => {
  it('names Admin until the stored user is read', () => {
    signOut();
    showMenu();
    expect(screen.getByRole('button', { name: 'Account of Admin' })).toBeVisible();
  });

  it('names who is signed in', () => {
    const user = newAuthUser();
    signIn('token-of-the-session', user, true);
    showMenu();
    expect(screen.getByRole('button', { name: `Account of ${user.userName}` })).toBeVisible();
  });
});
