import { describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { v4 as uuid } from 'uuid';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthor, newAuthUser, newScore, newSpace, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './profile-screen';

const space = newSpace();
const me = newAuthUser();

const question = { _id: uuid() };
/** The four kinds of data, each with the path to its question. */
const kinds = {
  Question: { __typename: 'ActivityQuestion', ...question },
  Answer: { __typename: 'ActivityAnswer', _id: uuid(), question },
  QuestionComment: { __typename: 'ActivityQuestionComment', _id: uuid(), mentions: [], question },
  Comment: { __typename: 'ActivityComment', _id: uuid(), mentions: [], answer: { _id: uuid(), question } },
} as const;

function newActivity(activityType: string, dataResolve: keyof typeof kinds, data: object = {}) {
  return {
    _id: uuid(),
    createdAt: '2026-11-20T08:00:00.000Z',
    activityType,
    dataResolve,
    subject: { _id: uuid(), subjectName: 'Physics', color: '1c7ed6' },
    topic: { _id: uuid(), topicName: 'Optics' },
    student: newAuthor({ ...me }),
    data: { title: 'Why is the sky blue?', body: '', ...kinds[dataResolve], ...data },
  };
}

function openActivities(activities: readonly object[], answers: Answers = {}) {
  const api = fakeApi({
    getStudent: () => newStudent({ _id: me._id }),
    getLeaderboardScores: () => ({
      rank: 1,
      scores: newScore({ questionsAsked: 7, questionsAnswered: 5, answersAccepted: 3 }),
    }),
    getPaginatedSavedQuestions: () => ({ docs: [], page: 1, totalPages: 0 }),
    getPaginatedStudentActivities: () => ({ docs: activities, page: 1, totalPages: 1 }),
    getNewNotificationCount: () => 0,
    ...answers,
  });
  return { api, user: userEvent.setup(), ...renderApp('/profile?tab=activities', { user: me, space }) };
}

describe('my activities', () => {
  it.each([
    ['CREATE_QUESTION', 'Question', 'You asked a Question'],
    ['UPVOTE_QUESTION', 'Question', 'You upvoted a Question'],
    ['DOWNVOTE_QUESTION', 'Question', 'You downvoted a Question'],
    ['CREATE_ANSWER', 'Answer', 'You added an Answer'],
    ['UPVOTE_ANSWER', 'Answer', 'You upvoted an Answer'],
    ['DOWNVOTE_ANSWER', 'Answer', 'You downvoted an Answer'],
    ['CREATE_COMMENT', 'Comment', 'You commented on an Answer'],
    ['UPVOTE_COMMENT', 'Comment', 'You upvoted a Comment on an Answer'],
    ['DOWNVOTE_COMMENT', 'Comment', 'You downvoted a Comment on an Answer'],
    ['CREATE_QUESTION_COMMENT', 'QuestionComment', 'You commented on a Question'],
    ['UPVOTE_QUESTION_COMMENT', 'QuestionComment', 'You upvoted a Comment on a Question'],
    ['DOWNVOTE_QUESTION_COMMENT', 'QuestionComment', 'You downvoted a Comment on a Question'],
  ] as const)('labels %s and links from the %s to its question', async (type, kind, label) => {
    openActivities([newActivity(type, kind)]);
    const item = within(await screen.findByRole('article'));
    expect(item.getByText(label)).toBeVisible();
    expect(item.getByRole('link', { name: 'Why is the sky blue?' })).toHaveAttribute(
      'href',
      `/singleQuestion/${question._id}/profile`,
    );
  });

  it('shows date, subject and topic, and the HTML of a post or the text of a comment', async () => {
    openActivities([
      newActivity('CREATE_ANSWER', 'Answer', { body: '<p>Because of <strong>scattering</strong>.</p>' }),
      newActivity('CREATE_COMMENT', 'Comment', {
        body: '<b>no</b> markup for @[meera_nair]',
        mentions: ['meera_nair'],
      }),
    ]);
    const [answer, comment] = await screen.findAllByRole('article');
    if (!answer || !comment) throw new Error('two activities were expected');
    expect(within(answer).getByText('scattering').tagName).toBe('STRONG');
    expect(answer.querySelector('time')).toHaveAttribute('dateTime', '2026-11-20T08:00:00.000Z');
    expect(within(answer).getByText('Physics')).toBeVisible();
    expect(within(answer).getByText('Optics')).toBeVisible();
    expect(within(comment).getByText(/<b>no<\/b> markup/)).toBeVisible();
    expect(within(comment).getByText('@meera_nair')).toBeVisible();
  });

  it.each([
    ['Answer', { question: null }],
    ['QuestionComment', { question: null }],
    ['Comment', { answer: null }],
    ['Comment', { answer: { _id: uuid(), question: null } }],
  ] as const)('explains that a %s has no question to open', async (kind, data) => {
    const { user, address } = openActivities([newActivity('CREATE_ANSWER', kind, data)]);
    await user.click(await screen.findByRole('button', { name: 'Why is the sky blue?' }));
    expect(await screen.findByText('No Question found with this id!')).toBeVisible();
    expect(address()).toBe('/profile?tab=activities');
  });

  it('shows the totals of questions, answers and accepted answers', async () => {
    openActivities([]);
    const card = within(await screen.findByRole('region', { name: 'My contribution' }));
    for (const [label, count] of [
      ['Questions asked', '7'],
      ['Questions answered', '5'],
      ['Answers accepted', '3'],
    ] as const) {
      expect(await card.findByText(count)).toBeVisible();
      expect(card.getByText(label)).toBeVisible();
    }
  });

  it('shows 0 before any activity', async () => {
    openActivities([], { getLeaderboardScores: () => ({ rank: null, scores: null }) });
    const card = within(await screen.findByRole('region', { name: 'My contribution' }));
    expect(await card.findAllByText('0')).toHaveLength(3);
  });

  it('is the second tab, kept in the URL', async () => {
    const { user, address } = openActivities([]);
    await user.click(await screen.findByRole('tab', { name: 'Saved Questions' }));
    expect(address()).toBe('/profile');
    await user.click(screen.getByRole('tab', { name: 'My Activities' }));
    expect(address()).toBe('/profile?tab=activities');
    expect(await screen.findByRole('heading', { name: 'No activities yet' })).toBeVisible();
  });

  it('loads a hundred at a time, and shows what went wrong', async () => {
    const { api, user } = openActivities([], {
      getPaginatedStudentActivities: () => {
        throw apiError('Nimo is busy.', 'UNAVAILABLE');
      },
    });
    expect(await screen.findByRole('alert')).toHaveTextContent('Nimo is busy.');
    api.change({
      getPaginatedStudentActivities: () => ({
        docs: [newActivity('CREATE_QUESTION', 'Question')],
        page: 1,
        totalPages: 1,
      }),
    });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('You asked a Question')).toBeVisible();
    expect(api.calls('OwnActivities')[0]?.variables).toEqual({ space: space._id, page: 1 });
  });
});
