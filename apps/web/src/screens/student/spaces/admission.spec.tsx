import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthUser, newSpace } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './invitation-screen';
import './spaces-screen';

const unasked = { age: 16, stated: null, guardian: null };
const robotics = newSpace({ name: 'Robotics', joined: false, consent: unasked });

function openSpaces(answers: Answers = {}, path = '/space') {
  const api = fakeApi({ getSpaces: () => [robotics], getInvitedSpace: () => robotics, ...answers });
  return {
    api,
    user: userEvent.setup({ delay: null }),
    ...renderApp(path, { user: newAuthUser() }),
  };
}
const card = () => screen.findByRole('button', { name: /Robotics/ });

describe('a space with an age limit', () => {
  it('asks for the age, and then whether to join', async () => {
    const { api, user } = openSpaces({
      declareAge: () => ({ ...robotics, consent: { ...unasked, stated: 'FROM' } }),
    });
    await user.click(await card());
    const dialog = within(await screen.findByRole('dialog', { name: 'How old are you?' }));
    await user.click(dialog.getByRole('button', { name: '16 or older' }));
    expect(await screen.findByText('You are about to join Robotics.')).toBeVisible();
    expect(api.calls('StateAge')[0]?.variables).toEqual({ spaceId: robotics._id, band: 'FROM' });
  });

  it("asks younger students for a guardian's email", async () => {
    const younger = { ...unasked, stated: 'BELOW' };
    const { api, user } = openSpaces({
      declareAge: () => ({ ...robotics, consent: younger }),
      requestGuardianConsent: () => ({ ...robotics, consent: { ...younger, guardian: 'ASKED' } }),
    });
    await user.click(await card());
    await user.click(await screen.findByRole('button', { name: 'Under 16' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Ask a parent or guardian' }));
    const send = dialog.getByRole('button', { name: 'Send link' });
    expect(send).toBeDisabled();
    await user.type(dialog.getByLabelText('Email of a parent or guardian'), ' parent@example.org ');
    await user.click(send);
    expect(await dialog.findByText(/^We sent the link\./)).toBeVisible();
    expect(api.calls('AskGuardian')[0]?.variables).toEqual({
      spaceId: robotics._id,
      email: 'parent@example.org',
    });
    expect(dialog.getByRole('button', { name: 'Send a new link' })).toBeVisible();
  });

  it('shows on its card that a guardian was asked, and a refusal of the API', async () => {
    const asked = { age: 16, stated: 'BELOW', guardian: 'ASKED' };
    const { user } = openSpaces({
      getSpaces: () => [{ ...robotics, consent: asked }],
      requestGuardianConsent: () => {
        throw apiError('This is your own email.', 'VALIDATION_FAILED', 'email');
      },
    });
    expect(await card()).toHaveTextContent('Waiting for consent');
    await user.click(await card());
    await user.type(await screen.findByLabelText('Email of a parent or guardian'), 'me@example.org{Enter}');
    expect(await screen.findByText('This is your own email.')).toBeVisible();
  });

  it('continues once a guardian has agreed, even with the dialog open', async () => {
    const asked = { age: 16, stated: 'BELOW', guardian: 'ASKED' };
    const { api, user } = openSpaces({
      getSpaces: () => [{ ...robotics, consent: asked }],
      requestGuardianConsent: () => ({ ...robotics, consent: { ...asked, guardian: 'GIVEN' } }),
    });
    await user.click(await card());
    await user.type(await screen.findByLabelText('Email of a parent or guardian'), 'p@example.org{Enter}');
    expect(await screen.findByText('You are about to join Robotics.')).toBeVisible();
    expect(api.calls('AskGuardian')).toHaveLength(1);
  });

  it('asks existing members, who can continue meanwhile', async () => {
    const { user } = openSpaces({
      getSpaces: () => [{ ...robotics, joined: true }],
      declareAge: () => ({ ...robotics, joined: true, consent: { ...unasked, stated: 'FROM' } }),
    });
    const notice = within(await screen.findByRole('region', { name: 'Robotics' }));
    await user.click(notice.getByRole('button', { name: 'Answer' }));
    await user.click(await screen.findByRole('button', { name: '16 or older' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Robotics' })).not.toBeInTheDocument());
  });

  it('also asks with an invitation, and then joins', async () => {
    const { user, address } = openSpaces(
      {
        declareAge: () => ({ ...robotics, consent: { ...unasked, stated: 'FROM' } }),
        joinByInvitation: () => ({ ...robotics, joined: true }),
      },
      '/join#KDTW7X',
    );
    await user.click(await screen.findByRole('button', { name: 'Join Robotics' }));
    await user.click(await screen.findByRole('button', { name: '16 or older' }));
    await waitFor(() => expect(address()).toBe('/dashboard'));
  });
});
