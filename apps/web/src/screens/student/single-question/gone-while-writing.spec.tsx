import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../../../features/comments/comment-editor';
import '../../../features/editor/rich-text-editor';
import '../../../features/questions/question-form';
import {
  isha,
  ishaAsAuthor,
  newAnswer,
  newQuestionDetail,
  pageOf,
  space,
  spaceAnswers,
} from '../../../testing/ask-fixtures';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { findEditor } from '../../../testing/find-editor';
import { renderApp } from '../../../testing/render-app';
import './single-question-screen';

const goneQuestion: Answers = {
  getQuestionByIdWithUserAuthorization: () => null,
  getPaginatedAnswers: () => pageOf([]),
  getPaginatedQuestionComments: () => pageOf([]),
};

function openQuestion(answers: readonly ReturnType<typeof newAnswer>[] = [], changes: object = {}) {
  const question = newQuestionDetail(changes);
  const api = fakeApi(spaceAnswers({ questions: [question], answers }));
  renderApp(`/singleQuestion/${question._id}/home`, { user: isha, space });
  const user = userEvent.setup();
  const press = async (name: string, menu?: string) => {
    if (menu !== undefined) await user.click(await screen.findByRole('button', { name: menu }));
    await user.click(await screen.findByRole(menu === undefined ? 'button' : 'menuitem', { name }));
  };
  const type = async (name: string, text: string, place?: HTMLElement) => {
    const field = await findEditor(name, place);
    act(() => field.focus());
    await user.keyboard(text);
    expect(field).toHaveTextContent(text);
    return field;
  };
  /** Another person changes something, and the page gets a live signal. */
  const others = async (changed: Answers) => {
    await waitFor(() => expect(api.live.listeners('QuestionUpdated')).toHaveLength(1));
    api.change(changed);
    api.live.announce('QuestionUpdated', { questionUpdated: { questionId: question._id, sequence: 7 } });
  };
  return { api, user, question, press, type, others };
}

const opener = 'Write a comment or @mention';
const says = async (text: string) => expect(await screen.findByText(text)).toBeVisible();
const copied = async (user: ReturnType<typeof userEvent.setup>) => {
  await user.click(screen.getByRole('button', { name: 'Copy text' }));
  await says('Copied!');
  return navigator.clipboard.readText();
};

beforeEach(() => localStorage.clear());

describe('a question that is gone', () => {
  const notice = 'Not sent: this question is no longer available. Copy your text to keep it.';

  it('keeps an unfinished answer with its caret, to be copied', async () => {
    const { user, press, type, others } = openQuestion([newAnswer()]);
    await press('Add Your Answer');
    const field = await type('Your answer', 'Half an answer');
    await others(goneQuestion);
    await says(notice);
    expect(screen.getByRole('heading', { name: 'Question not found' })).toBeVisible();
    expect(screen.queryByText('Because of scattering.')).not.toBeInTheDocument();
    await waitFor(() => expect(field).toHaveFocus());
    await user.keyboard(', and more');
    expect(field).toHaveTextContent('Half an answer, and more');
    expect(screen.getByRole('button', { name: 'Submit' })).toBeDisabled();
    expect(await copied(user)).toBe('Half an answer, and more');
    await press('Cancel');
    expect(screen.queryByText(notice)).not.toBeInTheDocument();
  });

  it('keeps an unfinished comment, to be copied', async () => {
    const { user, press, type, others } = openQuestion();
    await press(opener);
    const field = await type('Write a comment', 'Half a comment');
    await others(goneQuestion);
    await says(notice);
    expect(field).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Send comment' })).not.toBeInTheDocument();
    expect(await copied(user)).toBe('Half a comment');
  });

  it("keeps its author's unfinished edit, to be copied", async () => {
    const { user, press, others } = openQuestion([], { author: ishaAsAuthor });
    await press('Edit', 'More actions for this question');
    const dialog = await screen.findByRole('form', { name: 'Edit your Question' });
    await user.type(within(dialog).getByRole('textbox', { name: /^Title/ }), ' Really?');
    await others(goneQuestion);
    await says(notice);
    expect(within(dialog).getByRole('button', { name: 'Submit' })).toBeDisabled();
    expect(await copied(user)).toBe('Why is the sky blue? Really?\n\nIt is not the sea.');
  });

  it('is detected by the refusal if the page had no signal', async () => {
    const { api, press, type } = openQuestion();
    await press('Add Your Answer');
    await type('Your answer', 'An answer');
    api.change({
      ...goneQuestion,
      createAnswer: () => {
        throw apiError('No Question found with this id!', 'NOT_FOUND', undefined, 'QUESTION_NOT_FOUND');
      },
    });
    await press('Submit');
    await says(notice);
    expect(screen.getByRole('textbox', { name: 'Your answer' })).toHaveTextContent('An answer');
  });

  it('is not confused with one the page cannot read because of another API version', async () => {
    const { press, type, others } = openQuestion();
    await press('Add Your Answer');
    const field = await type('Your answer', 'Half an answer');
    await others({
      getQuestionByIdWithUserAuthorization: () => {
        throw apiError('Cannot query field "x" on type "Question".', 'VALIDATION_FAILED');
      },
    });
    expect(await screen.findByText(/^This page may be out of date/)).toBeVisible();
    expect(screen.queryByText(notice)).not.toBeInTheDocument();
    expect(field).toBeVisible();
    expect(screen.getByRole('button', { name: 'Submit' })).toBeEnabled();
  });

  it('leaves nothing if nothing was written', async () => {
    const { others } = openQuestion([newAnswer()]);
    await others(goneQuestion);
    expect(await screen.findByRole('heading', { name: 'Question not found' })).toBeVisible();
    expect(screen.queryByRole('button', { name: opener })).not.toBeInTheDocument();
    expect(screen.queryByRole('textbox', { name: 'Your answer' })).not.toBeInTheDocument();
    expect(screen.queryByText(notice)).not.toBeInTheDocument();
  });
});

describe('an answer that is gone', () => {
  const notice = 'Not sent: this answer is no longer available. Copy your text to keep it.';
  const [first, commented, last] = [
    newAnswer({ body: '<p>The first.</p>' }),
    newAnswer({ body: '<p>The second.</p>', author: ishaAsAuthor }),
    newAnswer({ body: '<p>The last.</p>' }),
  ];
  const remaining: Answers = { getPaginatedAnswers: () => pageOf([first, last]) };

  it('keeps an unfinished comment in its place, to be copied', async () => {
    const { user, type, others } = openQuestion([first, commented, last]);
    const card = await screen.findByRole('article', { name: 'Answer by isha_p' });
    await user.click(within(card).getByRole('button', { name: opener }));
    const field = await type('Write a comment', 'Half a comment', card);
    await others(remaining);
    await says(notice);
    expect(screen.queryByText('The second.')).not.toBeInTheDocument();
    await waitFor(() => expect(field).toHaveFocus());
    const cards = screen.getAllByRole('article', { name: /^Answer by/ });
    expect(cards.indexOf(card)).toBe(1);
    expect(await copied(user)).toBe('Half a comment');
  });

  it("keeps its author's unfinished edit, to be copied", async () => {
    const { user, press, type, others } = openQuestion([first, commented, last]);
    await press('Edit', 'More actions for the answer by isha_p');
    await type('Your answer', ' Now better.');
    await others(remaining);
    await says(notice);
    expect(screen.getByRole('form', { name: 'Edit your Answer' })).toBeVisible();
    expect(await copied(user)).toContain('Now better.');
    await press('Cancel');
    expect(screen.getAllByRole('article', { name: /^Answer by/ })).toHaveLength(2);
  });

  it('disappears if nothing is being written on it', async () => {
    const { others } = openQuestion([first, commented, last]);
    await says('The second.');
    await others(remaining);
    await waitFor(() => expect(screen.queryByText('The second.')).not.toBeInTheDocument());
    expect(screen.getAllByRole('article', { name: /^Answer by/ })).toHaveLength(2);
  });
});

describe('a space that its reader was removed from', () => {
  const ofGuest = { isAuthorizedToInteract: false, space: { ...space, joined: false } };
  const notice = 'Not sent: you can no longer take part in this space. Copy your text to keep it.';

  it('keeps the text being written, to be copied', async () => {
    const { user, question, press, type, others } = openQuestion();
    await press('Add Your Answer');
    await type('Your answer', 'Half an answer');
    await others({
      getQuestionByIdWithUserAuthorization: () => ({ ...question, ...ofGuest }),
    });
    await says(notice);
    expect(screen.getByRole('heading', { name: question.title })).toBeVisible();
    expect(screen.queryByRole('button', { name: opener })).not.toBeInTheDocument();
    expect(await copied(user)).toBe('Half an answer');
  });

  it('keeps an unfinished comment, to be copied', async () => {
    const { user, question, press, type, others } = openQuestion();
    await press(opener);
    await type('Write a comment', 'Half a comment');
    await others({
      getQuestionByIdWithUserAuthorization: () => ({ ...question, ...ofGuest }),
    });
    await says(notice);
    expect(await copied(user)).toBe('Half a comment');
  });
});
