import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../../../features/editor/rich-text-editor';
import {
  isha,
  newQuestionDetail,
  optics,
  pageOf,
  physics,
  space,
  spaceAnswers,
} from '../../../testing/ask-fixtures';
import { choose } from '../../../testing/choose';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { findEditor } from '../../../testing/find-editor';
import { renderApp } from '../../../testing/render-app';
import './dashboard-screen';

function openDashboard(answers: Answers = {}, search = '', questions = [newQuestionDetail()]) {
  const api = fakeApi({ ...spaceAnswers({ questions }), ...answers });
  return { api, user: userEvent.setup(), ...renderApp(`/dashboard${search}`, { user: isha, space }) };
}

/** Opens a strip between the bar and the list. */
async function unfold(user: ReturnType<typeof userEvent.setup>, name: string) {
  await user.click(await screen.findByRole('button', { name, expanded: false }));
}

const list = (name: string) => screen.findByRole('list', { name });
const lastQuery = (api: ReturnType<typeof fakeApi>) => api.calls('QuestionList').at(-1)?.variables;

beforeEach(() => localStorage.clear());

describe('the question list', () => {
  it('shows the newest first, 20 per page', async () => {
    const { api } = openDashboard();
    expect(await list('RECENTLY POSTED')).toBeVisible();
    expect(lastQuery(api)).toEqual({
      withFirst: true,
      page: 1,
      limit: 20,
      sort: 1,
      queryVals: { space: space._id, scope: 'world' },
    });
  });

  it('sets the direction of titles and excerpts by their own first letter', async () => {
    openDashboard({}, '', [newQuestionDetail({ title: 'ما هو HTML؟', excerpt: 'لا أعرف HTML' })]);
    const questions = within(await list('RECENTLY POSTED'));
    expect(await questions.findByRole('heading', { name: 'ما هو HTML؟' })).toHaveAttribute('dir', 'auto');
    expect(questions.getByText('لا أعرف HTML')).toHaveAttribute('dir', 'auto');
  });

  it('shows an empty state', async () => {
    openDashboard({}, '', []);
    expect(await screen.findByText('No questions found!')).toBeVisible();
  });

  it('does not move when a question arrives, and announces it once', async () => {
    const shown = newQuestionDetail();
    const { api, user } = openDashboard({}, '', [shown]);
    await list('RECENTLY POSTED');
    await waitFor(() => expect(api.live.listeners('NotificationArrived').length).toBeGreaterThan(0));
    api.change({
      getPaginatedQuestions: () => pageOf([newQuestionDetail({ title: 'Just asked' }), shown]),
    });
    api.live.announce('NotificationArrived', { notificationArrived: { space: space._id } });
    const button = await screen.findByRole('button', { name: '1 new question' });
    expect(button.closest('[role]:not(button)')).toHaveAttribute('role', 'status');
    expect(screen.getByRole('log')).toBeEmptyDOMElement();
    await user.click(button);
    expect(await screen.findByRole('link', { name: 'Just asked' })).toBeVisible();
    expect(screen.getByRole('heading', { name: 'RECENTLY POSTED' })).toHaveFocus();
  });

  it('offers a retry after a failure', async () => {
    const { api, user } = openDashboard({
      getPaginatedQuestions: () => {
        throw apiError('Try later.', 'UNAVAILABLE');
      },
    });
    expect(await screen.findByRole('alert')).toHaveTextContent('Try later.');
    api.change({ getPaginatedQuestions: () => pageOf([newQuestionDetail({ title: 'Back again' })]) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: 'Back again' })).toBeVisible();
  });

  it('loads pages up to the last one, without duplicates', async () => {
    const first = newQuestionDetail({ title: 'First' });
    const pages = [pageOf([first], 1, 2), pageOf([first, newQuestionDetail({ title: 'Second' })], 2, 2)];
    const { user } = openDashboard({
      getPaginatedQuestions: ({ paginateOptions }) => pages[(paginateOptions as { page: number }).page - 1],
    });
    await user.click(await screen.findByRole('button', { name: 'Load more questions' }));
    expect(await screen.findByRole('link', { name: 'Second' })).toBeVisible();
    expect(screen.getAllByRole('link', { name: 'First' })).toHaveLength(1);
    expect(screen.queryByRole('button', { name: 'Load more questions' })).not.toBeInTheDocument();
  });

  it('marks solved questions', async () => {
    openDashboard({}, '', [newQuestionDetail({ acceptedAnswer: { _id: 'a' } })]);
    expect(within(await list('RECENTLY POSTED')).getByText('Solved')).toBeInTheDocument();
  });

  it('opens the first question, and then the selected one', async () => {
    const questions = [newQuestionDetail({ title: 'One' }), newQuestionDetail({ title: 'Two' })];
    const { user, address } = openDashboard({}, '', questions);
    expect(await screen.findByRole('article', { name: 'Question: One' })).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Two' }));
    expect(await screen.findByRole('article', { name: 'Question: Two' })).toBeVisible();
    expect(address()).toBe(`/dashboard?question=${questions[1]?._id}`);
    const actions = within(screen.getByRole('article', { name: 'Question: Two' }));
    expect(actions.getByRole('link', { name: 'Open question page' })).toHaveAttribute(
      'href',
      `/singleQuestion/${questions[1]?._id}/home`,
    );
  });
});

describe('the question next to the list', () => {
  it('shows the selected question before the API has answered, and leaves the list as it was', async () => {
    const questions = [newQuestionDetail(), newQuestionDetail({ title: 'Second', body: '<p>Its text.</p>' })];
    const { api, user } = openDashboard({}, '', questions);
    await screen.findByRole('article', { name: `Question: ${questions[0]?.title}` });
    api.change({
      getPaginatedQuestions: () => pageOf([newQuestionDetail({ title: 'Just asked' }), ...questions]),
      getQuestionByIdWithUserAuthorization: () => new Promise(() => undefined),
    });
    await waitFor(() => expect(api.calls('WholeQuestions')).toHaveLength(1));
    await user.click(screen.getByRole('link', { name: 'Second' }));
    expect(await screen.findByText('Its text.')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Just asked' })).not.toBeInTheDocument();
  });

  it('stays open while its reader writes an answer, even if it is removed', async () => {
    const [first, second] = [newQuestionDetail({ title: 'First' }), newQuestionDetail({ title: 'Second' })];
    const { api, user, address } = openDashboard({}, '', [first, second]);
    await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
    const field = await findEditor('Your answer');
    act(() => field.focus());
    await user.keyboard('Half an answer');
    await waitFor(() => expect(api.live.listeners('NotificationArrived').length).toBeGreaterThan(0));
    api.change({
      getPaginatedQuestions: () => pageOf([newQuestionDetail({ title: 'Just asked' }), second]),
      getQuestionByIdWithUserAuthorization: ({ questionId }) => (questionId === second._id ? second : null),
    });
    api.live.announce('QuestionUpdated', { questionUpdated: { questionId: first._id, sequence: 7 } });
    api.live.announce('NotificationArrived', { notificationArrived: { space: space._id } });
    await user.click(await screen.findByRole('button', { name: '1 new question' }));
    expect(await screen.findByRole('link', { name: 'Just asked' })).toBeVisible();
    expect(await screen.findByText(/^Not sent: this question is no longer available/)).toBeVisible();
    expect(field).toBeVisible();
    expect(field).toHaveTextContent('Half an answer');
    expect(address()).toBe(`/dashboard?question=${first._id}`);
  });
});

describe('filters', () => {
  it('sort by answers', async () => {
    const { api, user, address } = openDashboard();
    await unfold(user, 'Filters');
    await choose(user, await screen.findByRole('combobox', { name: 'Sort' }), 'Most Answered');
    expect(await screen.findByRole('heading', { name: 'MOST ANSWERED' })).toBeVisible();
    expect(address()).toBe('/dashboard?sort=2');
    await waitFor(() => expect(lastQuery(api)).toMatchObject({ sort: 2, page: 1 }));
  });

  it('open lists of at most 130 px', async () => {
    const { user } = openDashboard();
    await unfold(user, 'Filters');
    for (const name of ['Sort', 'Subject']) {
      await user.click(await screen.findByRole('combobox', { name }));
      expect(await screen.findByRole('listbox', { name })).toHaveStyle({ maxHeight: '130px' });
      await user.keyboard('{Escape}');
    }
  });

  it('offer topics once a subject is selected, and name both in the heading', async () => {
    const { user } = openDashboard();
    await unfold(user, 'All Topics');
    await unfold(user, 'Filters');
    const subject = await screen.findByRole('combobox', { name: 'Subject' });
    expect(screen.queryByRole('combobox', { name: 'Topic' })).not.toBeInTheDocument();
    await choose(user, subject, 'Physics');
    expect(await screen.findByRole('heading', { name: 'All Physics QUESTIONS' })).toBeVisible();
    expect(screen.getByRole('heading', { name: 'All Physics Topics' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'All Physics Topics' })).toBeVisible();
    await user.type(await screen.findByRole('combobox', { name: 'Topic' }), 'opt');
    await screen.findByRole('option', { name: 'Optics', hidden: true });
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('heading', { name: 'ALL QUESTIONS FROM Optics' })).toBeVisible();
  });

  it('make solved and unsolved exclude each other, and combine the others', async () => {
    const { user, address } = openDashboard();
    await unfold(user, 'Filters');
    await user.click(await screen.findByRole('checkbox', { name: 'Unsolved' }));
    await user.click(screen.getByRole('checkbox', { name: 'My Questions' }));
    await user.click(screen.getByRole('checkbox', { name: 'Saved' }));
    await user.click(screen.getByRole('checkbox', { name: 'Solved' }));
    expect(address()).toBe('/dashboard?myQuestions=true&savedQuestions=true&solvedQuestions=true');
    expect(screen.getByRole('checkbox', { name: 'Unsolved' })).not.toBeChecked();
  });

  it('are read from the URL and cleared together', async () => {
    const { api, user, address } = openDashboard(
      {},
      `?sort=2&subject=${physics._id}&topic=${optics._id}&savedQuestions=true`,
    );
    const clear = await screen.findByRole('button', { name: 'Clear Filter' });
    expect(screen.getByRole('button', { name: 'Filters, 4 active' })).toBeVisible();
    expect(lastQuery(api)).toMatchObject({
      sort: 2,
      queryVals: { subject: physics._id, topic: optics._id, savedQuestions: true },
    });
    await user.click(clear);
    expect(address()).toBe('/dashboard');
    expect(screen.queryByRole('button', { name: 'Clear Filter' })).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Filters' })).toHaveFocus();
  });

  it('apply a clicked topic', async () => {
    const { user, address } = openDashboard();
    await unfold(user, 'All Topics');
    await user.click(await screen.findByRole('button', { name: 'Show questions from Optics' }));
    expect(address()).toBe(`/dashboard?subject=${physics._id}&topic=${optics._id}`);
  });
});

describe('the bar above the list', () => {
  it.each([
    ['Filters', 'group', 'Filters'],
    ['Unsolved Questions', 'region', 'Unsolved Questions'],
    ['All Topics', 'region', 'All Topics'],
  ])('keeps %s collapsed until it is opened, and remembers that', async (label, role, name) => {
    const { user, unmount } = openDashboard();
    await list('RECENTLY POSTED');
    expect(screen.queryByRole(role, { name })).not.toBeInTheDocument();
    await unfold(user, label);
    const opener = screen.getByRole('button', { name: label, expanded: true });
    expect(screen.getByRole(role, { name })).toHaveAttribute('id', opener.getAttribute('aria-controls'));
    unmount();
    const again = openDashboard();
    expect(await screen.findByRole(role, { name })).toBeVisible();
    await again.user.click(screen.getByRole('button', { name: label }));
    expect(screen.queryByRole(role, { name })).not.toBeInTheDocument();
  });

  it('loads nothing that is collapsed', async () => {
    const { api, user } = openDashboard();
    await screen.findByRole('article', { name: /^Question:/ });
    const read = () =>
      ['UnsolvedQuestions', 'PopularTopics', 'SpaceSubjects'].map((query) => api.calls(query).length);
    expect(read()).toEqual([0, 0, 0]);
    for (const name of ['Unsolved Questions', 'All Topics', 'Filters']) await unfold(user, name);
    await waitFor(() => expect(read()).toEqual([1, 1, 1]));
  });

  it('links to the page to ask a question', async () => {
    openDashboard();
    expect(await screen.findByRole('link', { name: 'Ask your Question' })).toHaveAttribute('href', '/ask');
  });
});

describe('the unsolved questions', () => {
  it('link to their page', async () => {
    const waiting = newQuestionDetail({ title: 'Who knows?' });
    const { user } = openDashboard({ getUnsolvedQuestions: () => pageOf([waiting]) });
    await unfold(user, 'Unsolved Questions');
    const strip = await screen.findByRole('region', { name: 'Unsolved Questions' });
    expect(await within(strip).findByRole('link')).toHaveAttribute(
      'href',
      `/singleQuestion/${waiting._id}/home`,
    );
  });
});
