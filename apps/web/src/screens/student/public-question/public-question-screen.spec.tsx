import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { isha, newAnswer, newQuestionDetail, space, spaceAnswers } from '../../../testing/ask-fixtures';
import { fakeApi } from '../../../testing/fake-api';
import { renderApp } from '../../../testing/render-app';
import './public-question-screen';

const question = newQuestionDetail({ isAuthorizedToInteract: false, space: { ...space, joined: false } });

function openPublic(start: Parameters<typeof renderApp>[1] = {}) {
  const api = fakeApi(spaceAnswers({ questions: [question], answers: [newAnswer()] }));
  return { api, user: userEvent.setup(), ...renderApp(`/question/${question._id}`, start) };
}

describe('the public question page', () => {
  it('can be read without logging in', async () => {
    const { api } = openPublic();
    expect(await screen.findByRole('heading', { level: 1, name: question.title })).toBeVisible();
    expect(await screen.findByText('Because of scattering.')).toBeVisible();
    expect(api.calls('PublicQuestion')[0]?.authorization).toBeNull();
    expect(api.calls('OwnReports')).toHaveLength(0);
  });

  it.each([/^Upvote, 0/, 'Save', 'Copy', 'Add Your Answer', 'Send comment'])(
    'leads from %s to the login',
    async (name) => {
      const { user, address } = openPublic();
      await screen.findByText('Because of scattering.');
      const [button] = await screen.findAllByRole('button', { name });
      await user.click(button as HTMLElement);
      expect(await screen.findByRole('button', { name: 'Log In' })).toBeVisible();
      expect(address()).toBe('/login');
    },
  );

  it('redirects a signed-in student to the page inside the product', async () => {
    const { address } = openPublic({ user: isha, space });
    expect(await screen.findByRole('heading', { level: 1, name: question.title })).toBeVisible();
    expect(address()).toBe(`/singleQuestion/${question._id}/home`);
  });
});
