import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../ask/ask-screen';
import {
  isha,
  newAnswer,
  newComment,
  newQuestionDetail,
  optics,
  pageOf,
  physics,
  space,
  spaceAnswers,
} from '../../../testing/ask-fixtures';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthor } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import '../dashboard/dashboard-screen';
import './search-screen';

const parts = (text: string, isMatch = false) => [{ text, isMatch }];

function hitOf(question: ReturnType<typeof newQuestionDetail>) {
  return { _id: question._id, question, title: parts(question.title), excerpt: parts(question.excerpt) };
}

function hitsOf(questions: readonly ReturnType<typeof newQuestionDetail>[], degraded = false) {
  return { hits: questions.map(hitOf), degraded };
}

const questionsNamed = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => newQuestionDetail({ title: `${name} ${index + 1}` }));

function openSearch(search = '', answers: Answers = {}, questions = [newQuestionDetail()]) {
  const api = fakeApi({
    ...spaceAnswers({ questions }),
    searchQuestions: () => hitsOf(questions),
    searchAnswers: () => ({ hits: [], degraded: false }),
    searchTopics: () => ({ hits: [optics] }),
    searchUsers: () => ({ hits: [newAuthor()] }),
    ...answers,
  });
  return { api, user: userEvent.setup(), ...renderApp(`/search${search}`, { user: isha, space }) };
}

const box = () => screen.findByRole('searchbox', { name: 'Search' });
const lastSearch = (api: ReturnType<typeof fakeApi>) => api.calls('SearchQuestions').at(-1)?.variables;

beforeEach(() => localStorage.clear());

it('renders formulas of a result, highlights matches, and keeps other dollar signs', async () => {
  const question = newQuestionDetail();
  const excerpt = [
    ...parts('The '),
    ...parts('speed', true),
    ...parts(' \u2063$\\frac{'),
    ...parts('s', true),
    ...parts('}{t}$\u2063 for $\u2060x^2$\u2060'),
  ];
  openSearch('?text=speed', {
    searchQuestions: () => ({ hits: [{ ...hitOf(question), excerpt }], degraded: false }),
  });
  const match = await screen.findByText('speed');
  expect(match.tagName).toBe('MARK');
  const preview = match.parentElement;
  expect(preview?.querySelectorAll('mark')).toHaveLength(1);
  expect(preview?.querySelector('[data-source]')).toHaveAttribute('data-source', '\\frac{s}{t}');
  expect(preview?.textContent).toMatch(/^The speed .* for \$x\^2\$$/);
});

describe('the search box', () => {
  it('opens the search page when focused, and keeps the focus', async () => {
    fakeApi(spaceAnswers({}));
    const { address } = renderApp('/dashboard', { user: isha, space });
    const searchBox = await box();
    await userEvent.click(searchBox);
    await waitFor(() => expect(address()).toBe('/search'));
    expect(await box()).toHaveFocus();
  });

  it('is focused when the page is opened directly', async () => {
    openSearch();
    await waitFor(async () => expect(await box()).toHaveFocus());
  });

  it('lets Tab pass, and opens the page at the first letter', async () => {
    const api = fakeApi({ ...spaceAnswers({}), searchQuestions: () => hitsOf([]) });
    const { address } = renderApp('/dashboard', { user: isha, space });
    const searchBox = await box();
    const user = userEvent.setup();
    while (document.activeElement !== searchBox) await user.tab();
    expect(address()).toBe('/dashboard');
    await user.keyboard('sky');
    expect(address()).toMatch(/^\/search/);
    await waitFor(() => expect(address()).toBe('/search?text=sky'));
    expect(searchBox).toHaveValue('sky');
    await waitFor(() => expect(lastSearch(api)).toMatchObject({ search: 'sky' }));
  });

  it('writes the text into the URL, and is cleared by its button', async () => {
    const { user, address } = openSearch();
    await user.type(await box(), 'sky');
    await waitFor(() => expect(address()).toBe('/search?text=sky'));
    await user.click(screen.getByRole('button', { name: 'Clear search' }));
    await waitFor(() => expect(address()).toBe('/search'));
  });

  it('is hidden before a space was entered', async () => {
    fakeApi(spaceAnswers({}));
    renderApp(`/singleQuestion/${newQuestionDetail()._id}/home`, { user: isha });
    await screen.findByRole('navigation', { name: 'Main menu' });
    expect(screen.queryByRole('searchbox')).not.toBeInTheDocument();
  });
});

describe('a search', () => {
  it('without text requests nothing, and has no filters', async () => {
    const { api } = openSearch('?text=%20%20');
    expect(await screen.findByText('What are you looking for?')).toBeVisible();
    expect(screen.queryByRole('group', { name: 'Filters' })).not.toBeInTheDocument();
    expect(api.calls('SearchQuestions')).toHaveLength(0);
  });

  it('requests ten results, best match first', async () => {
    const { api } = openSearch('?text=sky');
    expect(await screen.findByRole('list', { name: 'Search results' })).toBeVisible();
    expect(lastSearch(api)).toEqual({
      search: 'sky',
      skip: 0,
      limit: 10,
      queryVals: { space: space._id, scope: 'world' },
    });
  });

  it('announces how many results are shown', async () => {
    let find = (): void => undefined;
    const isFound = new Promise<void>((resolve) => (find = resolve));
    openSearch('?text=sky', {
      searchQuestions: async () => {
        await isFound;
        return hitsOf([newQuestionDetail()]);
      },
    });
    const main = within(await screen.findByRole('main'));
    const status = await main.findByRole('status');
    expect(status).toBeEmptyDOMElement();
    find();
    await waitFor(() => expect(status).toHaveTextContent('1 result shown'));
  });

  it('shows an empty result, and offers to ask', async () => {
    const { user, address } = openSearch('?text=xyz', {}, []);
    const none = 'Opps! No result were found for your query. Try a different one!';
    expect(await screen.findByRole('heading', { name: none })).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Ask your Question' }));
    expect(await screen.findByRole('form', { name: 'Ask your Question' })).toBeVisible();
    expect(address()).toBe('/ask');
  });

  it('links to other tabs with results when its own has none', async () => {
    const { api, user, address } = openSearch(
      '?text=optics&solvedQuestions=true',
      { searchUsers: () => ({ hits: Array.from({ length: 10 }, () => newAuthor()) }) },
      [],
    );
    const others = within(await screen.findByRole('group', { name: 'Matches in other tabs:' }));
    expect(others.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Topics (1)',
      'People (10+)',
    ]);
    expect(api.calls('SearchElsewhere')[0]?.variables).toMatchObject({ search: 'optics', space: space._id });
    await user.click(others.getByRole('button', { name: 'Topics (1)' }));
    await waitFor(() => expect(address()).toBe('/search?text=optics&tab=topics'));
    expect(await screen.findByRole('link', { name: /Optics/ })).toBeVisible();
    expect(screen.queryByRole('group', { name: 'Matches in other tabs:' })).toBeNull();
  });

  it('shows the count of each tab under the active filters', async () => {
    const tenPeople = { hits: Array.from({ length: 10 }, () => newAuthor()) };
    let count = (): void => undefined;
    const people = new Promise<typeof tenPeople>((resolve) => (count = () => resolve(tenPeople)));
    const { api, user } = openSearch(`?text=optics&subject=${physics._id}`, { searchUsers: () => people }, [
      newQuestionDetail({ title: 'Why is the sky blue?' }),
    ]);
    await screen.findByRole('link', { name: 'Why is the sky blue?' });
    count();
    await waitFor(() =>
      expect(screen.getByRole('tab', { name: 'People' })).toHaveAccessibleDescription('10+ results'),
    );
    expect(screen.getByRole('tab', { name: 'Questions' })).toHaveAccessibleDescription('1 result');
    expect(screen.getByRole('tab', { name: 'Answers' })).toHaveTextContent('Answers0');
    expect(api.calls('SearchElsewhere')).toHaveLength(1);
    expect(api.calls('SearchElsewhere')[0]?.variables).toMatchObject({
      search: 'optics',
      subject: physics._id,
      queryVals: { space: space._id, subject: physics._id },
    });
    // Counts that arrive later do not change the list.
    await user.click(screen.getByRole('tab', { name: 'Topics' }));
    expect(await screen.findByRole('link', { name: /Optics/ })).toBeVisible();
    expect(api.calls('SearchQuestions')).toHaveLength(1);
  });

  it('highlights matches', async () => {
    const question = newQuestionDetail({ title: 'Why is the sky blue?' });
    const hit = {
      ...hitOf(question),
      title: [...parts('Why is the '), ...parts('sky', true), ...parts(' blue?')],
      excerpt: [...parts('It is not the '), ...parts('skye', true)],
    };
    openSearch('?text=sky', { searchQuestions: () => ({ hits: [hit], degraded: false }) });
    const link = await screen.findByRole('link', { name: 'Why is the sky blue?' });
    expect(within(link).getByText('sky').tagName).toBe('MARK');
    expect(screen.getByText('skye').tagName).toBe('MARK');
  });

  it('loads ten more, and stops at the end', async () => {
    const questions = questionsNamed(13, 'Sky');
    const { api, user } = openSearch('?text=sky', {
      searchQuestions: ({ skip, limit }) =>
        hitsOf(questions.slice(Number(skip), Number(skip) + Number(limit))),
    });
    await user.click(await screen.findByRole('button', { name: 'Load more results' }));
    expect(await screen.findByRole('link', { name: 'Sky 13' })).toBeVisible();
    expect(screen.getAllByRole('link', { name: /^Sky/ })).toHaveLength(13);
    expect(lastSearch(api)).toMatchObject({ skip: 10, limit: 10 });
    expect(screen.queryByRole('button', { name: 'Load more results' })).not.toBeInTheDocument();
  });

  it('shows when results come from the fallback engine', async () => {
    openSearch('?text=sky', { searchQuestions: () => hitsOf([newQuestionDetail()], true) });
    expect(await screen.findByText(/Search is limited right now/)).toBeVisible();
  });

  it('offers a retry after a failure', async () => {
    const { api, user } = openSearch('?text=sky', {
      searchQuestions: () => {
        throw apiError('Try later.', 'UNAVAILABLE');
      },
    });
    expect(await screen.findByRole('alert')).toHaveTextContent('Try later.');
    api.change({ searchQuestions: () => hitsOf([newQuestionDetail({ title: 'Back again' })]) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: 'Back again' })).toBeVisible();
  });
});

describe('a result', () => {
  it('opens next to the list with its comments and answers, and closes on Escape', async () => {
    const question = newQuestionDetail({ title: 'Why is the sky blue?', answerCount: 1, commentsCount: 1 });
    const answer = newAnswer({
      question: { _id: question._id },
      commentsCount: 1,
      comments: [newComment({ body: 'On the answer' })],
    });
    const { user, address } = openSearch(
      '?text=sky',
      {
        getPaginatedAnswers: () => pageOf([answer]),
        getPaginatedQuestionComments: () => pageOf([newComment({ body: 'On the question' })]),
        getPaginatedComments: () =>
          pageOf([newComment({ body: 'On the answer', answer: { _id: answer._id } })]),
      },
      [question],
    );
    await user.click(await screen.findByRole('link', { name: 'Why is the sky blue?' }));
    expect(address()).toBe(`/search?text=sky&question=${question._id}`);
    const panel = within(await screen.findByRole('region', { name: 'Selected question' }));
    expect(await panel.findByText('On the question')).toBeVisible();
    expect(await panel.findByText('Because of scattering.')).toBeVisible();
    expect(await panel.findByText('On the answer')).toBeVisible();
    expect(panel.getByRole('link', { name: 'Open question page' })).toHaveAttribute(
      'href',
      `/singleQuestion/${question._id}/home`,
    );
    act(() => panel.getByRole('link', { name: 'Open question page' }).focus());
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('region', { name: 'Selected question' })).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Why is the sky blue?' })).toHaveFocus();
    expect(address()).toBe('/search?text=sky');
  });
});

describe('the filters', () => {
  async function choose(user: ReturnType<typeof userEvent.setup>, name: string, option: string) {
    const field = await screen.findByRole('combobox', { name });
    await user.click(field);
    await waitFor(() => expect(field).toHaveAttribute('aria-controls'));
    const options = document.getElementById(field.getAttribute('aria-controls') ?? '');
    if (!options) throw new Error('The field has no list');
    await user.click(await within(options).findByRole('option', { name: option, hidden: true }));
  }

  it('are sort, subject, its topics, Unsolved, My Questions and Solved, without Saved', async () => {
    const { api, user, address } = openSearch('?text=sky');
    const bar = within(await screen.findByRole('group', { name: 'Filters' }));
    expect(
      bar.getAllByRole<HTMLInputElement>('checkbox').map(({ labels }) => labels?.[0]?.textContent),
    ).toEqual(['Unsolved', 'My Questions', 'Solved']);
    expect(bar.queryByRole('combobox', { name: 'Topic' })).not.toBeInTheDocument();
    await choose(user, 'Sort', 'Most Answered');
    await choose(user, 'Subject', 'Physics');
    await choose(user, 'Topic', 'Optics');
    await user.click(bar.getByRole('checkbox', { name: 'Solved' }));
    await waitFor(() =>
      expect(lastSearch(api)).toEqual({
        search: 'sky',
        skip: 0,
        limit: 10,
        sort: 2,
        queryVals: {
          space: space._id,
          scope: 'world',
          subject: physics._id,
          topic: optics._id,
          solvedQuestions: true,
        },
      }),
    );
    expect(address()).toBe(
      `/search?text=sky&sort=2&subject=${physics._id}&topic=${optics._id}&solvedQuestions=true`,
    );
  });

  it('have a Clear button each', async () => {
    const { user, address } = openSearch(
      `?text=sky&sort=2&subject=${physics._id}&topic=${optics._id}&solvedQuestions=true`,
    );
    const clear = (name: string) => screen.findByRole('button', { name: `Clear ${name}` });
    await user.click(await clear('Topic'));
    expect(address()).toBe(`/search?text=sky&sort=2&subject=${physics._id}&solvedQuestions=true`);
    await user.click(await clear('Subject'));
    await user.click(await clear('Sort'));
    await user.click(
      screen.getByTitle('Clear Solved').querySelector('input') ?? screen.getByTitle('Clear Solved'),
    );
    expect(address()).toBe('/search?text=sky');
  });

  it('are reset by Clear Filter, which keeps the text', async () => {
    const { api, user, address } = openSearch(
      `?text=sky&sort=2&subject=${physics._id}&topic=${optics._id}&unsolvedQuestions=true&myQuestions=true&savedQuestions=true`,
    );
    const clear = await screen.findByRole('button', { name: 'Clear Filter' });
    await waitFor(() => expect(lastSearch(api)?.['queryVals']).toMatchObject({ myQuestions: true }));
    expect(lastSearch(api)?.['queryVals']).not.toHaveProperty('savedQuestions');
    await user.click(clear);
    expect(address()).toBe('/search?text=sky');
    expect(await box()).toHaveValue('sky');
    expect(screen.queryByRole('button', { name: 'Clear Filter' })).not.toBeInTheDocument();
    await waitFor(() =>
      expect(lastSearch(api)).toEqual({
        search: 'sky',
        skip: 0,
        limit: 10,
        queryVals: { space: space._id, scope: 'world' },
      }),
    );
  });

  it('stick once the page is scrolled further than 90 px', async () => {
    openSearch('?text=sky');
    const bar = await screen.findByRole('group', { name: 'Filters' });
    const scrollTo = (top: number) => {
      Object.defineProperty(window, 'scrollY', { value: top, configurable: true });
      act(() => void fireEvent.scroll(window));
    };
    scrollTo(90);
    expect(bar).not.toHaveAttribute('data-stuck');
    scrollTo(91);
    expect(bar).toHaveAttribute('data-stuck');
    scrollTo(0);
    expect(bar).not.toHaveAttribute('data-stuck');
  });
});

describe('the other tabs', () => {
  it('find answers, each of which opens its question', async () => {
    const question = newQuestionDetail({ title: 'Why is the sky blue?' });
    const answer = newAnswer({ question: { _id: question._id } });
    const hit = { _id: answer._id, answer, title: parts(question.title), excerpt: parts('scattering', true) };
    const { api, user, address } = openSearch(
      `?text=scattering&subject=${physics._id}&sort=1`,
      { searchAnswers: () => ({ hits: [hit], degraded: false }) },
      [question],
    );
    await user.click(await screen.findByRole('tab', { name: 'Answers' }));
    await user.click(await screen.findByRole('link', { name: /Why is the sky blue.*Answer by meera_nair/ }));
    expect(await screen.findByRole('region', { name: 'Selected question' })).toBeVisible();
    expect(address()).toBe(
      `/search?text=scattering&tab=answers&sort=1&subject=${physics._id}&question=${question._id}`,
    );
    expect(api.calls('SearchAnswers').at(-1)?.variables).toEqual({
      search: 'scattering',
      skip: 0,
      limit: 10,
      sort: 1,
      space: space._id,
      subject: physics._id,
    });
    expect(screen.queryByRole('checkbox', { name: 'Solved' })).not.toBeInTheDocument();
  });

  it('lead from a topic to its questions', async () => {
    const { user } = openSearch('?text=opt');
    await user.click(await screen.findByRole('tab', { name: 'Topics' }));
    expect(await screen.findByRole('link', { name: /Optics/ })).toHaveAttribute(
      'href',
      `/dashboard?subject=${physics._id}&topic=${optics._id}`,
    );
  });

  it('lead from a person to their page', async () => {
    const person = newAuthor({ userName: 'rohan_k' });
    openSearch('?text=roh&tab=people', { searchUsers: () => ({ hits: [person] }) });
    expect(await screen.findByRole('link', { name: /rohan_k/ })).toHaveAttribute(
      'href',
      `/nimorisingstarsingle?id=${person._id}`,
    );
  });
});
