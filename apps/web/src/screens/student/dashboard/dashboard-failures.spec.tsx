import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  isha,
  newQuestionDetail,
  optics,
  pageOf,
  physics,
  space,
  spaceAnswers,
} from '../../../testing/ask-fixtures';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { renderApp } from '../../../testing/render-app';
import '../single-question/single-question-screen';
import './dashboard-screen';

const unavailable = () => {
  throw apiError('Try later.', 'UNAVAILABLE');
};

function openDashboard(answers: Answers = {}, search = '', questions = [newQuestionDetail()]) {
  const api = fakeApi({ ...spaceAnswers({ questions }), ...answers });
  return { api, user: userEvent.setup(), ...renderApp(`/dashboard${search}`, { user: isha, space }) };
}

/** Opens a strip between the bar and the list. */
const unfold = async (user: ReturnType<typeof userEvent.setup>, name: string) =>
  user.click(await screen.findByRole('button', { name, expanded: false }));

async function unfoldStrip(user: ReturnType<typeof userEvent.setup>, name: string) {
  await unfold(user, name);
  return within(await screen.findByRole('region', { name }));
}

beforeEach(() => localStorage.clear());

describe.each([
  ['Unsolved Questions', 'getUnsolvedQuestions', 'No unsolved questions right now.', pageOf([])],
  ['All Topics', 'getPopularTopics', 'No topics yet.', []],
])('the strip %s', (name, field, emptyText, nothing) => {
  it('keeps its height while loading and when empty', async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const { user } = openDashboard({ [field]: () => answered.then(() => nothing) });
    const { findByRole, findByText, queryByRole } = await unfoldStrip(user, name);
    expect(await findByRole('list')).toHaveAttribute('aria-busy', 'true');
    answer();
    expect(await findByText(emptyText)).toBeVisible();
    expect(queryByRole('list')).not.toBeInTheDocument();
  });

  it('shows why it failed, and retries', async () => {
    const { api, user } = openDashboard({ [field]: unavailable });
    const { findByText, getByRole } = await unfoldStrip(user, name);
    expect(await findByText('Try later.')).toBeVisible();
    api.change({ [field]: () => nothing });
    await user.click(getByRole('button', { name: 'Try again' }));
    expect(await findByText(emptyText)).toBeVisible();
  });
});

describe('the filter options', () => {
  it.each([
    ['Subject', 'getSubjectsForSpace', () => [physics]],
    ['Topic', 'getSubjectTopics', () => [optics]],
  ])('of a %s that failed to load can be retried', async (label, field, found) => {
    const { api, user } = openDashboard({ [field]: unavailable }, `?subject=${physics._id}`);
    await unfold(user, 'Filters, 1 active');
    const retry = await screen.findByRole('button', { name: `${label} could not be loaded. Try again` });
    expect(retry).toHaveAttribute('title', 'Try later.');
    api.change({ [field]: found });
    await user.click(retry);
    expect(await screen.findByRole('combobox', { name: label })).toBeVisible();
  });
});

/** Loses and restores the connection. */
function comeBack() {
  act(() => {
    window.dispatchEvent(new Event('offline'));
    window.dispatchEvent(new Event('online'));
  });
}

describe('an image', () => {
  it('that failed to load is requested again when the server is back', async () => {
    openDashboard();
    await screen.findByRole('list', { name: 'RECENTLY POSTED' });
    const asked = ['lost', 'there'].map((name) => {
      const picture = new Image();
      picture.src = `/media/${name}.webp`;
      Object.defineProperties(picture, {
        complete: { value: true },
        naturalWidth: { value: name === 'lost' ? 0 : 300 },
      });
      document.body.append(picture);
      return jest.spyOn(picture, 'setAttribute');
    });
    comeBack();
    await waitFor(() => expect(asked[0]).toHaveBeenCalledWith('src', '/media/lost.webp'));
    expect(asked[1]).not.toHaveBeenCalled();
  });
});

describe('the question list', () => {
  it('shows at the end why the next page failed, and loads it on retry', async () => {
    const first = newQuestionDetail({ title: 'First' });
    const pageTwo = pageOf([newQuestionDetail({ title: 'Second' })], 2, 2);
    const pageOfList: Answers[string] = ({ paginateOptions }) =>
      (paginateOptions as { page: number }).page === 1 ? pageOf([first], 1, 2) : unavailable();
    const { api, user } = openDashboard({ getPaginatedQuestions: pageOfList });
    await user.click(await screen.findByRole('button', { name: 'Load more questions' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Try later.');
    expect(screen.getByRole('link', { name: 'First' })).toBeVisible();
    expect(api.calls('QuestionList')).toHaveLength(2);
    api.change({ getPaginatedQuestions: () => pageTwo });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: 'Second' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'First' })).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('ignores a late page of the previous list', async () => {
    const of = (title: string, page: number) => pageOf([newQuestionDetail({ title })], page, 2);
    let answer = () => {};
    const late = new Promise<void>((resolve) => (answer = resolve));
    const { user } = openDashboard({
      getPaginatedQuestions: async ({ paginateOptions, queryVals }) => {
        const { page } = paginateOptions as { page: number };
        if ((queryVals as { myQuestions?: boolean }).myQuestions) return of(`Mine ${page}`, page);
        if (page === 2) await late;
        return of(`Anyone’s ${page}`, page);
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Load more questions' }));
    await unfold(user, 'Filters');
    await user.click(await screen.findByRole('checkbox', { name: 'My Questions' }));
    expect(await screen.findByRole('link', { name: 'Mine 1' })).toBeVisible();
    answer();
    await user.click(await screen.findByRole('button', { name: 'Load more questions' }));
    expect(await screen.findByRole('link', { name: 'Mine 2' })).toBeVisible();
    expect(screen.queryByRole('link', { name: /Anyone/ })).not.toBeInTheDocument();
    await user.click(screen.getByRole('checkbox', { name: 'My Questions' }));
    expect(await screen.findByRole('link', { name: 'Anyone’s 2' })).toBeVisible();
  });

  it('keeps its length when it is refetched after a lost connection', async () => {
    const titles = ['First', 'Second'];
    const { api, user } = openDashboard({
      getPaginatedQuestions: ({ paginateOptions }) => {
        const { page } = paginateOptions as { page: number };
        return pageOf(
          [newQuestionDetail({ _id: `id-${titles[page - 1]}`, title: titles[page - 1] })],
          page,
          2,
        );
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Load more questions' }));
    expect(await screen.findByRole('link', { name: 'Second' })).toBeVisible();
    const reads = api.calls('QuestionList').length;
    titles[1] = 'Second, edited';
    act(() => api.live.drop());
    expect(await screen.findByRole('link', { name: 'Second, edited' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'First' })).toBeVisible();
    expect(api.calls('QuestionList')).toHaveLength(reads + 2);
  });

  it('requests a failed page again as soon as the server is back', async () => {
    const pages = [pageOf([newQuestionDetail({ title: 'First' })], 1, 2)];
    const { user } = openDashboard({
      getPaginatedQuestions: ({ paginateOptions }) =>
        pages[(paginateOptions as { page: number }).page - 1] ?? unavailable(),
    });
    await user.click(await screen.findByRole('button', { name: 'Load more questions' }));
    expect(await screen.findByText('Try later.')).toBeVisible();
    pages.push(pageOf([newQuestionDetail({ title: 'Second' })], 2, 2));
    comeBack();
    expect(await screen.findByRole('link', { name: 'Second' })).toBeVisible();
  });

  it('stays, with a discreet notice, when it could not be refreshed', async () => {
    const question = newQuestionDetail({ title: 'Still here' });
    const { api, user } = openDashboard({}, '', [question]);
    await screen.findByRole('link', { name: 'Still here' });
    await user.click(screen.getByRole('link', { name: 'Leaderboard' }));
    api.change({ getPaginatedQuestions: unavailable });
    await user.click(screen.getByRole('link', { name: 'Nimo Ask' }));
    expect(await screen.findByText('This page may be out of date. Try later.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Still here' })).toBeVisible();
    api.change({ getPaginatedQuestions: () => pageOf([question]) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByText(/may be out of date/)).not.toBeInTheDocument());
  });

  it('restores its scroll position when someone comes back', async () => {
    const scrolledTo: unknown[] = [];
    window.scrollTo = (to?: unknown) => void scrolledTo.push(to);
    const waiting = newQuestionDetail({ title: 'Who knows?' });
    const { user, back } = openDashboard({ getUnsolvedQuestions: () => pageOf([waiting]) }, '', [waiting]);
    const unsolved = await unfoldStrip(user, 'Unsolved Questions');
    const link = await unsolved.findByRole('link', { name: /Who knows/ });
    // The router of the specs keeps its URL in memory; scroll positions belong to the URL of the window.
    window.history.replaceState(null, '', '/dashboard');
    document.documentElement.scrollTop = 640;
    fireEvent.scroll(window);
    await user.click(link);
    expect(await screen.findByRole('link', { name: 'Back' })).toBeVisible();
    scrolledTo.length = 0;
    back();
    expect(await screen.findByRole('list', { name: 'RECENTLY POSTED' })).toBeVisible();
    expect(scrolledTo).toContainEqual({ top: 640 });
  });
});

describe('the back arrow of a question', () => {
  const questions = [newQuestionDetail({ title: 'One' }), newQuestionDetail({ title: 'Two' })];

  it('returns to the same list, with its filters and the open question', async () => {
    const { user, address } = openDashboard({}, '?sort=2', questions);
    await user.click(await screen.findByRole('link', { name: 'Two' }));
    const left = address();
    await user.keyboard('o');
    await user.click(await screen.findByRole('link', { name: 'Back' }));
    expect(address()).toBe(left);
    expect(left).toBe(`/dashboard?sort=2&question=${questions[1]?._id}`);
  });

  it('leads to the plain dashboard after a detour', async () => {
    const { user, address } = openDashboard({}, '?sort=2', questions);
    await screen.findByRole('link', { name: 'Two' });
    await user.click(screen.getByRole('link', { name: 'Leaderboard' }));
    await user.click(screen.getByRole('link', { name: 'Nimo Ask' }));
    await screen.findByRole('link', { name: 'Two' });
    await user.keyboard('o');
    await user.click(await screen.findByRole('link', { name: 'Back' }));
    expect(address()).toBe('/dashboard');
  });
});

describe('the dashboard by keyboard', () => {
  it('starts with a link that skips the menu', async () => {
    const { user } = openDashboard();
    await screen.findByRole('list', { name: 'RECENTLY POSTED' });
    await user.tab();
    expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveFocus();
    expect(screen.getByRole('main')).toHaveAttribute('id', 'content');
  });

  it('moves through a menu with the arrow keys and returns to it from its dialog', async () => {
    const { user } = openDashboard();
    const opener = await screen.findByRole('button', { name: 'More actions for this question' });
    opener.focus();
    await user.keyboard('{Enter}');
    const item = await screen.findByRole('menuitem', { name: 'Report' });
    await user.keyboard('{ArrowDown}');
    await waitFor(() => expect(item).toHaveFocus());
    await user.keyboard('{Enter}');
    const dialog = await screen.findByRole('dialog', { name: 'Why are you reporting this post' });
    await waitFor(() => expect(dialog).toContainElement(document.activeElement as HTMLElement));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(opener).toHaveFocus());
  });

  it('has a live region for toasts before the first one', async () => {
    openDashboard();
    await screen.findByRole('list', { name: 'RECENTLY POSTED' });
    expect(document.querySelector('[data-position="bottom-right"]')).toHaveAttribute('aria-live', 'polite');
  });
});
