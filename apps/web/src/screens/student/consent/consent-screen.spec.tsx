import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { renderApp } from '../../../testing/render-app';
import './consent-screen';

const question = {
  userName: 'asha',
  spaceName: 'Robotics',
  spaceDescription: 'We build.',
  consentAge: 16,
  state: 'ASKED',
  termsVersion: 'nimo-1',
};

function openLink(answers: Answers = {}) {
  const api = fakeApi({
    getGuardianConsent: () => question,
    answerGuardianConsent: () => ({ ...question, state: 'GIVEN' }),
    ...answers,
  });
  return { api, user: userEvent.setup({ delay: null }), ...renderApp('/consent#token-of-a-mail') };
}

describe("the guardian's page", () => {
  it('explains the request, and answers when a button is pressed', async () => {
    const { api, user, address } = openLink();
    expect(await screen.findByText(/asha wants to join “Robotics” on Nimo/)).toBeVisible();
    expect(screen.getByText('About the space: We build.')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Parent or guardian consent');
    expect(screen.getByText('A student is asking for your consent.')).toBeVisible();
    expect(address()).toBe('/consent');
    expect(api.calls('AnswerGuardianConsent')).toHaveLength(0);
    await user.click(screen.getByRole('button', { name: 'I agree' }));
    expect(await screen.findByText('You agreed. asha can join “Robotics”.')).toBeVisible();
    expect(screen.getByRole('status')).toHaveFocus();
    expect(api.calls('AnswerGuardianConsent')[0]?.variables).toEqual({
      token: 'token-of-a-mail',
      isGiven: true,
      termsVersion: 'nimo-1',
    });
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Consent given');
    expect(document.title).toBe('Consent given | Nimo');
    expect(screen.queryByText('A student is asking for your consent.')).not.toBeInTheDocument();
  });

  it.each([
    ['GIVEN', 'Consent given'],
    ['REFUSED', 'Consent declined'],
  ])('shows that a link with the answer %s has been answered', async (state, title) => {
    openLink({ getGuardianConsent: () => ({ ...question, state }) });
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible();
    expect(screen.getByText('You have already answered this request.')).toBeVisible();
  });

  it('withdraws consent', async () => {
    const { api, user } = openLink({
      getGuardianConsent: () => ({ ...question, state: 'GIVEN' }),
      answerGuardianConsent: () => ({ ...question, state: 'REFUSED' }),
    });
    await user.click(await screen.findByRole('button', { name: 'Withdraw my consent' }));
    expect(await screen.findByText('You declined. asha cannot join “Robotics”.')).toBeVisible();
    expect(screen.getByRole('status')).toHaveFocus();
    expect(api.calls('AnswerGuardianConsent')[0]?.variables).toMatchObject({ isGiven: false });
    expect(screen.queryByRole('button', { name: 'I don’t agree' })).not.toBeInTheDocument();
  });

  it('explains what is wrong with a link', async () => {
    openLink({
      getGuardianConsent: () => {
        throw apiError('This link is not valid, or it has ended.', 'NOT_FOUND');
      },
    });
    expect(await screen.findByText('This link is not valid, or it has ended.')).toBeVisible();
  });

  it('asks for the link if it is missing', async () => {
    fakeApi({});
    renderApp('/consent');
    expect(
      await screen.findByText('To give or change your answer, open the link from the email again.'),
    ).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});
