import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { signIn, signOut } from '../../lib/auth-storage';
import { newAuthUser } from '../../testing/fixtures';
import { renderPart } from '../../testing/render-part';
import { UserMenu } from './header';

const showMenu = () => renderPart(<UserMenu onLogout={() => undefined} onShortcuts={() => undefined} />);

describe('the user menu', () => {
  it('shows Admin until the stored user is loaded', () => {
    signOut();
    showMenu();
    expect(screen.getByRole('button', { name: 'Account of Admin' })).toBeVisible();
  });

  it('shows the signed-in user', () => {
    const user = newAuthUser();
    signIn('token-of-the-session', user, true);
    showMenu();
    expect(screen.getByRole('button', { name: `Account of ${user.userName}` })).toBeVisible();
  });
});
