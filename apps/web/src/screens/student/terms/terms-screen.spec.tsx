import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi } from '../../../testing/fake-api';
import { newAuthUser } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './terms-screen';

describe('the terms of use', () => {
  it('are public, with a default text if the installation has none', async () => {
    fakeApi({ getTerms: () => ({ version: 'nimo-1', text: null, mustAccept: false }) });
    renderApp('/terms');
    expect(await screen.findByText('Version nimo-1')).toBeVisible();
    expect(screen.getByText(/^Nimo is a place to ask/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'I accept' })).toBeNull();
  });

  it('are accepted after a change, in the version that was shown', async () => {
    const api = fakeApi({
      getTerms: () => ({ version: '2', text: 'Be kind.\n\nBe honest.', mustAccept: true }),
      acceptTerms: () => ({ flag: 1 }),
      getSpaces: () => [],
    });
    renderApp('/terms', { user: newAuthUser() });
    expect(await screen.findByText('Be honest.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Delete my account' })).toHaveAttribute(
      'href',
      '/setting?tab=deletion',
    );
    expect(screen.getByRole('link', { name: 'Log out' })).toHaveAttribute('href', '/logout');
    await userEvent.setup({ delay: null }).click(screen.getByRole('button', { name: 'I accept' }));
    expect(api.calls('AcceptTerms')[0]?.variables).toEqual({ version: '2' });
  });
});
