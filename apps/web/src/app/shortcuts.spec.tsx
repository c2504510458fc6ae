import { beforeEach, describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../features/editor/rich-text-editor';
import '../screens/student/ask/ask-screen';
import '../screens/student/dashboard/dashboard-screen';
import '../screens/student/leaderboard/leaderboard-screen';
import '../screens/student/search/search-screen';
import '../screens/student/single-question/single-question-screen';
import { isha, newQuestionDetail, space, spaceAnswers } from '../testing/ask-fixtures';
import { fakeApi } from '../testing/fake-api';
import { renderApp } from '../testing/render-app';
import '../features/shortcuts/shortcut-sheet';
import { shortcutOf, shortcuts } from '../features/shortcuts/shortcut-list';

const questions = ['One', 'Two', 'Three'].map((title) => newQuestionDetail({ title }));
const [one, two] = questions;

function open(address = '/dashboard') {
  const api = fakeApi({
    ...spaceAnswers({ questions }),
    getSimilarQuestions: () => ({ hits: [], degraded: false }),
    searchQuestions: () => ({
      hits: questions.map((question) => ({
        _id: question._id,
        question,
        title: [{ text: question.title, isMatch: false }],
        excerpt: [],
      })),
      degraded: false,
    }),
    getPaginatedLeaderboardScores: () => ({ docs: [], page: 1, totalPages: 1 }),
    getLeaderboardScores: () => ({ rank: null, scores: null }),
  });
  return { api, user: userEvent.setup(), ...renderApp(address, { user: isha, space }) };
}

async function openDashboard() {
  const opened = open();
  await screen.findByRole('article', { name: 'Question: One' });
  return opened;
}

const sheet = () => screen.findByRole('dialog', { name: 'Keyboard shortcuts' });

beforeEach(() => localStorage.clear());

describe('the list of shortcuts', () => {
  it('has unique keys, none of which is a prefix of others', () => {
    for (const { id, keys } of shortcuts) {
      expect(shortcutOf(keys, (meant) => meant === id)).toBe(id);
      if (keys.length > 1) expect(shortcutOf(keys.slice(0, 1))).toBe('begun');
    }
  });
});

describe('in a list', () => {
  it('J and K select the next and the previous question, and stop at the ends', async () => {
    const { user, address } = await openDashboard();
    await user.keyboard('j');
    expect(screen.getByRole('link', { name: 'Two' })).toHaveFocus();
    expect(address()).toBe(`/dashboard?question=${two?._id}`);
    expect(await screen.findByRole('article', { name: 'Question: Two' })).toBeVisible();
    await user.keyboard('jjj');
    expect(screen.getByRole('link', { name: 'Three' })).toHaveFocus();
    await user.keyboard('kkkk');
    expect(screen.getByRole('link', { name: 'One' })).toHaveFocus();
    expect(address()).toBe(`/dashboard?question=${one?._id}`);
  });

  it.each(['o', '{Enter}'])('%s opens the selected question on its own page, and U returns', async (key) => {
    const { user, address } = await openDashboard();
    await user.keyboard(`j${key}`);
    await waitFor(() => expect(address()).toBe(`/singleQuestion/${two?._id}/home`));
    await screen.findByRole('article', { name: 'Question: Two' });
    await user.keyboard('u');
    expect(address()).toBe(`/dashboard?question=${two?._id}`);
  });

  it('J and K also move through search results, which Escape closes', async () => {
    const { user, address } = open('/search?text=any');
    await screen.findByRole('link', { name: 'One' });
    screen.getByRole('tab', { name: 'Questions' }).focus();
    await user.keyboard('jj');
    expect(address()).toBe(`/search?text=any&question=${two?._id}`);
    await user.keyboard('{Escape}');
    expect(address()).toBe('/search?text=any');
    await user.keyboard('ku');
    expect(address()).toBe('/search?text=any');
  });
});

describe('anywhere', () => {
  it('/ focuses the search box', async () => {
    const { user, address } = await openDashboard();
    await user.keyboard('/');
    await waitFor(() => expect(address()).toBe('/search'));
    const box = screen.getByRole('searchbox', { name: 'Search' });
    expect(box).toHaveFocus();
    expect(box).toHaveValue('');
  });

  it('C opens the ask page once, also from another screen', async () => {
    const { user, address } = open('/leaderboard');
    await screen.findByRole('heading', { name: 'LeaderBoard' });
    await user.keyboard('c');
    expect(await screen.findByRole('form', { name: 'Ask your Question' })).toBeVisible();
    expect(address()).toBe('/ask');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(address()).toBe('/leaderboard'));
    await user.keyboard('c');
    expect(await screen.findByRole('form', { name: 'Ask your Question' })).toBeVisible();
  });

  it('G and a letter navigate, if the letter follows in time', async () => {
    const { user, address } = await openDashboard();
    await user.keyboard('gl');
    expect(address()).toBe('/leaderboard');
    await user.keyboard('gx');
    await user.keyboard('gd');
    expect(address()).toBe('/dashboard');
  });

  it('? shows all shortcuts, and so does the menu', async () => {
    const { user } = await openDashboard();
    await user.keyboard('?');
    const help = within(await sheet());
    expect(help.getAllByRole('term')).toHaveLength(
      shortcuts.filter(({ group }) => group !== 'moderation').length,
    );
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await user.click(screen.getByRole('button', { name: /^Account of/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'Keyboard shortcuts' }));
    expect(await sheet()).toBeVisible();
  });
});

describe('no shortcut runs', () => {
  it('while typing, next to the fields of a form, or with a modifier', async () => {
    const { user, address } = await openDashboard();
    await user.keyboard('{Control>}j{/Control}{Shift>}J{/Shift}{Alt>}c{/Alt}');
    expect(address()).toBe('/dashboard');
    await user.keyboard('c');
    await screen.findByRole('form', { name: 'Ask your Question' });
    await user.type(screen.getByRole('textbox', { name: /Title/ }), 'jogc?/');
    screen.getByRole('button', { name: 'Submit' }).focus();
    await user.keyboard('jgl');
    expect(address()).toBe('/ask');
  });

  it('on the key that closed a dialog', async () => {
    const { user, address } = open(`/search?text=any&question=${one?._id}`);
    await screen.findByRole('region', { name: 'Selected question' });
    screen.getByRole('tab', { name: 'Questions' }).focus();
    await user.keyboard('?');
    await sheet();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(address()).toBe(`/search?text=any&question=${one?._id}`);
  });

  it('once turned off, which is stored on this device', async () => {
    const { user, address, unmount } = await openDashboard();
    await user.keyboard('?');
    await user.click(within(await sheet()).getByRole('switch', { name: /^Single-key shortcuts/ }));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await user.keyboard('jgl?');
    expect(address()).toBe('/dashboard');
    unmount();
    const again = await openDashboard();
    await again.user.keyboard('j');
    expect(again.address()).toBe('/dashboard');
    await again.user.click(screen.getByRole('button', { name: /^Account of/ }));
    await again.user.click(await screen.findByRole('menuitem', { name: 'Keyboard shortcuts' }));
    await again.user.click(within(await sheet()).getByRole('switch', { name: /^Single-key shortcuts/ }));
    await again.user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await again.user.keyboard('j');
    expect(again.address()).toBe(`/dashboard?question=${two?._id}`);
  });
});

it('reads a Cyrillic keyboard by key position', async () => {
  const { address } = await openDashboard();
  fireEvent.keyDown(document.body, { key: 'о', code: 'KeyJ' });
  await waitFor(() => expect(address()).toBe(`/dashboard?question=${two?._id}`));
});
