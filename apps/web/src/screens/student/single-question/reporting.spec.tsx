import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  isha,
  newAnswer,
  newComment,
  newQuestionDetail,
  space,
  spaceAnswers,
} from '../../../testing/ask-fixtures';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthor } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './single-question-screen';

/** A question, an answer, and a comment on each, by four people. */
function newThread() {
  const author = (userName: string) => newAuthor({ userName });
  const inAnswer = newComment({ body: 'On the answer.', author: author('leon') });
  return {
    question: newQuestionDetail({ author: author('mira'), answerCount: 1 }),
    inQuestion: newComment({ body: 'On the question.', author: author('tomas') }),
    answer: newAnswer({ author: author('lena'), comments: [inAnswer], commentsCount: 1 }),
    inAnswer,
  };
}

type Thread = ReturnType<typeof newThread>;

function open({ question, answer, inQuestion }: Thread, more: Answers = {}) {
  const answers = spaceAnswers({ questions: [question], answers: [answer], comments: [inQuestion] });
  const api = fakeApi({ ...answers, reportPost: () => ({ _id: 'r' }), ...more });
  return { api, ...renderApp(`/singleQuestion/${question._id}/home`, { user: isha, space }) };
}

async function report(menu: string, item: string): Promise<void> {
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: menu }));
  await user.click(await screen.findByRole('menuitem', { name: item }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Why are you reporting this post' }));
  await user.click(dialog.getByRole('radio', { name: 'Its spam' }));
  await user.click(dialog.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByText('Report sent successfully!')).toBeVisible();
}

const stored = () => JSON.parse(localStorage.getItem(`hiddenPosts:${isha._id}`) ?? 'null') as unknown;

/** Simulates a reload: only the storage remains. */
const forget = () => act(() => void window.dispatchEvent(new StorageEvent('storage')));

beforeEach(() => {
  localStorage.clear();
  forget();
});

const cases = [
  {
    type: 'QUESTION',
    wireType: 'QUESTION',
    post: 'question',
    menu: 'More actions for this question',
    item: 'Report',
    text: 'It is not the sea.',
  },
  {
    type: 'ANSWER',
    wireType: 'ANSWER',
    post: 'answer',
    menu: 'More actions for the answer by lena',
    item: 'Report',
    text: 'Because of scattering.',
  },
  {
    type: 'QUESTION_COMMENT',
    wireType: 'QUESTION_COMMENT',
    post: 'inQuestion',
    menu: 'More actions for the comment by tomas',
    item: 'Report Comment',
    text: 'On the question.',
  },
  {
    type: 'ANSWER_COMMENT',
    wireType: 'COMMENT',
    post: 'inAnswer',
    menu: 'More actions for the comment by leon',
    item: 'Report Comment',
    text: 'On the answer.',
  },
] as const;

describe.each(cases)('a reported $type', ({ type, wireType, post, menu, item, text }) => {
  it(`is sent to the API as ${wireType}, stored as ${type} and stays hidden after a reload`, async () => {
    const thread = newThread();
    const { _id } = thread[post];
    const { api, unmount } = open(thread);
    expect(await screen.findByText(text)).toBeVisible();
    await report(menu, item);
    expect(api.calls('ReportPost').map(({ variables }) => variables)).toEqual([
      { postId: _id, postType: wireType, reason: 'Its spam' },
    ]);
    expect(stored()).toEqual({ [type]: [_id] });
    await waitFor(() => expect(screen.queryByText(text)).not.toBeInTheDocument());

    unmount();
    forget();
    open(thread);
    const other = type === 'QUESTION' ? 'You reported this question' : 'It is not the sea.';
    expect(await screen.findByText(other)).toBeVisible();
    await waitFor(() => expect(screen.queryByText(text)).not.toBeInTheDocument());
  });

  it('on another device is also hidden here', async () => {
    const thread = newThread();
    const { _id } = thread[post];
    open(thread, {
      getPaginatedPostReports: ({ postType }) => ({
        docs: postType === wireType ? [{ _id: 'r', post: _id }] : [],
        page: 1,
        totalPages: 1,
      }),
    });
    await waitFor(() => expect(stored()).toEqual({ [type]: [_id] }));
    await waitFor(() => expect(screen.queryByText(text)).not.toBeInTheDocument());
  });
});

it('excludes a reported answer from the count', async () => {
  open(newThread());
  expect(await screen.findByRole('heading', { name: '1 Answer' })).toBeVisible();
  await report('More actions for the answer by lena', 'Report');
  expect(await screen.findByText('No answers yet')).toBeVisible();
  expect(screen.getByRole('heading', { name: '0 Answers' })).toBeVisible();
});

it('keeps a refused report open, and shows why', async () => {
  const user = userEvent.setup();
  open(newThread(), {
    reportPost: () => {
      throw apiError('Please try again later.', 'RATE_LIMITED');
    },
  });
  await user.click(await screen.findByRole('button', { name: 'More actions for the answer by lena' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Report' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Why are you reporting this post' }));
  await user.click(dialog.getByRole('radio', { name: 'Its spam' }));
  await user.click(dialog.getByRole('button', { name: 'Submit' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('Please try again later.');
  expect(stored()).toBeNull();
});
