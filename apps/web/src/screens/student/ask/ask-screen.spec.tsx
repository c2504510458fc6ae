import { beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import '../../../features/editor/rich-text-editor';
import {
  isha,
  ishaAsAuthor,
  newQuestionDetail,
  optics,
  physics,
  space,
  spaceAnswers,
} from '../../../testing/ask-fixtures';
import { choose } from '../../../testing/choose';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { renderApp } from '../../../testing/render-app';
import '../dashboard/dashboard-screen';
import '../leaderboard/leaderboard-screen';
import './ask-screen';

function openApp(address: string, answers: Answers = {}) {
  const asked = newQuestionDetail({ title: 'Asked', author: ishaAsAuthor });
  const api = fakeApi({
    ...spaceAnswers({ questions: [newQuestionDetail()] }),
    createQuestion: () => asked,
    createTopic: () => ({ ...optics, _id: 'new-topic-id' }),
    ...answers,
  });
  return { api, user: userEvent.setup(), ...renderApp(address, { user: isha, space }) };
}

async function openForm(answers: Answers = {}) {
  const opened = openApp('/ask', answers);
  const form = within(await screen.findByRole('form', { name: 'Ask your Question' }));
  // The title is rendered first.
  await form.findByRole('textbox', { name: /^Description/ });
  return { ...opened, form };
}

const unavailable = () => {
  throw apiError('Try later.', 'UNAVAILABLE');
};

beforeEach(() => localStorage.clear());

describe('asking a question', () => {
  it('is not offered where the student can only read', async () => {
    const archived = { getStudentSpaces: () => [{ ...space, isArchived: true }] };
    openApp('/ask', archived);
    expect(await screen.findByText('You can only read in this space.')).toBeVisible();
    expect(screen.queryByRole('form')).not.toBeInTheDocument();
    cleanup();
    openApp('/dashboard', archived);
    expect(await screen.findByText(/^This space is archived\./)).toBeVisible();
    expect(await screen.findByRole('list', { name: 'RECENTLY POSTED' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Ask your Question' })).not.toBeInTheDocument();
  });

  it('shows what is missing and sends nothing', async () => {
    const { api, user, form } = await openForm();
    await user.click(form.getByRole('button', { name: 'Submit' }));
    expect(await form.findByText('Please add question title.')).toBeVisible();
    expect(form.getByText('Please select a subject')).toBeVisible();
    expect(form.getByText('Please select or create a topic')).toBeVisible();
    expect(api.calls('AskQuestion')).toHaveLength(0);
    expect(form.getByRole('textbox', { name: /Title/ })).toHaveFocus();
    await user.type(form.getByRole('textbox', { name: /Title/ }), 'Why?');
    await user.click(form.getByRole('button', { name: 'Submit' }));
    await waitFor(() => expect(form.getByRole('combobox', { name: 'Subject' })).toHaveFocus());
  });

  it('starts in the title, on a page with its own name and URL', async () => {
    const { form, address } = await openForm();
    expect(address()).toBe('/ask');
    expect(form.getByRole('heading', { level: 1, name: 'Ask your Question' })).toBeVisible();
    expect(document.title).toBe('Ask your Question | Nimo');
    expect(form.getByRole('textbox', { name: /Title/ })).toHaveFocus();
  });

  it('returns to the previous page', async () => {
    const { user, address } = openApp('/leaderboard');
    await screen.findByRole('heading', { name: 'LeaderBoard' });
    await user.keyboard('c');
    expect(await screen.findByRole('form', { name: 'Ask your Question' })).toBeVisible();
    expect(address()).toBe('/ask');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(address()).toBe('/leaderboard'));
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
  });

  it.each([
    ['Escape', (user: UserEvent) => user.keyboard('{Escape}')],
    ['Close', (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Close' }))],
  ])('returns the focus to the button that opened it, by %s', async (_, leave) => {
    const { user, address } = openApp('/dashboard');
    await user.click(await screen.findByRole('link', { name: 'Ask your Question' }));
    expect(await screen.findByRole('textbox', { name: /Title/ })).toHaveFocus();
    await leave(user);
    await waitFor(() => expect(address()).toBe('/dashboard'));
    await waitFor(() => expect(screen.getByRole('link', { name: 'Ask your Question' })).toHaveFocus());
  });

  it('closes an open list on the first Escape and the page on the second', async () => {
    const { user, form, address } = await openForm();
    await user.click(form.getByPlaceholderText('Choose a subject'));
    const list = await screen.findByRole('listbox');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(list).not.toBeVisible());
    expect(address()).toBe('/ask');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(address()).toBe('/dashboard'));
  });

  it('validates the title while typing, including blanks', async () => {
    const { user, form } = await openForm();
    const title = form.getByRole('textbox', { name: /Title/ });
    await user.type(title, 'a');
    expect(form.queryByText('Please add question title.')).not.toBeInTheDocument();
    await user.clear(title);
    await user.type(title, '  ');
    expect(form.getByText('Please add question title.')).toBeVisible();
  });

  it('selects the matching subject on Enter', async () => {
    const { user, form } = await openForm();
    await user.type(form.getByRole('combobox', { name: 'Subject' }), 'phy');
    await screen.findByRole('option', { name: 'Physics', hidden: true });
    await user.keyboard('{Enter}');
    expect(form.getByRole('combobox', { name: 'Subject' })).toHaveValue('Physics');
    expect(form.getByRole('combobox', { name: 'Topic' })).toBeEnabled();
  });

  it.each([
    ['the topic that holds what was typed', 'opt', [], 'Optics', 'Optics'],
    ['a new topic where none is like it', 'Rayleigh', [], 'Add new topic: “Rayleigh”', 'Rayleigh'],
    ['nothing where a topic is only like it', 'Optisc', [optics], undefined, 'Optisc'],
  ])('selects on Enter %s', async (_, typed, hits, marked, taken) => {
    const { user, form } = await openForm({ searchTopics: () => ({ hits }) });
    await choose(user, form.getByRole('combobox', { name: 'Subject' }), 'Physics');
    const topic = form.getByRole('combobox', { name: 'Topic' });
    await user.click(topic);
    await user.type(topic, typed);
    await screen.findByRole('option', { name: marked ?? 'Optics', hidden: true });
    await waitFor(() => {
      const selected = screen.queryAllByRole('option', { hidden: true, selected: true });
      // The header's language choice has options, too.
      const names = selected
        .map(({ textContent }) => textContent.trim())
        .filter((name) => name !== 'English');
      expect(names).toEqual(marked ? [marked] : []);
    });
    await user.keyboard('{Enter}');
    expect(topic).toHaveValue(taken);
    expect(topic.hasAttribute('data-expanded')).toBe(marked === undefined);
  });

  it('creates the new topic first, omits an empty description, and turns My Questions on', async () => {
    const { api, user, form, address } = await openForm();
    await user.type(form.getByRole('textbox', { name: /Title/ }), 'Asked');
    await choose(user, form.getByRole('combobox', { name: 'Subject' }), 'Physics');
    await user.type(form.getByRole('combobox', { name: 'Topic' }), 'Rayleigh');
    await user.click(await screen.findByRole('option', { name: /Add new topic/, hidden: true }));
    await user.click(form.getByRole('button', { name: 'Submit' }));
    expect(await screen.findByText('Question added successfully!')).toBeVisible();
    expect(api.calls('CreateTopic')[0]?.variables).toEqual({ topicName: 'Rayleigh', subject: physics._id });
    expect(api.calls('AskQuestion')[0]?.variables).toEqual({
      space: space._id,
      subject: physics._id,
      topic: 'new-topic-id',
      title: 'Asked',
      imageUrls: [],
    });
    await waitFor(() => expect(address()).toBe('/dashboard?myQuestions=true'));
    expect(screen.queryByRole('form')).not.toBeInTheDocument();
  });

  it('keeps every topic in place when more are found', async () => {
    const [fibres, adopted] = [
      { ...optics, _id: 'fibres', topicName: 'Fibre optics' },
      { ...optics, _id: 'adopted', topicName: 'Adopted topics' },
    ];
    let answerSearch = () => {};
    const { user, form } = await openForm({
      getSubjectTopics: () => [adopted, fibres, optics],
      searchTopics: () =>
        new Promise((resolve) => {
          answerSearch = () => resolve({ hits: [optics, adopted, fibres] });
        }),
    });
    // Other fields of the page have options, too.
    const shown = () =>
      screen
        .getAllByRole('option', { hidden: true })
        .map(({ textContent }) => textContent.trim())
        .filter((name) => /optic|adopted/i.test(name));
    await choose(user, form.getByRole('combobox', { name: 'Subject' }), 'Physics');
    await user.type(form.getByRole('combobox', { name: 'Topic' }), 'optic');
    const before = ['Optics', 'Fibre optics', 'Add new topic: “optic”'];
    await waitFor(() => expect(shown()).toEqual(before));
    await waitFor(() => {
      answerSearch();
      expect(shown()).toEqual([...before, 'Adopted topics']);
    });
    await user.type(form.getByRole('combobox', { name: 'Topic' }), 's');
    await waitFor(() => expect(shown()).toEqual(['Optics', 'Fibre optics']));
  });

  it("suggests the subject's topics, and similar ones while typing", async () => {
    const { api, user, form } = await openForm();
    await choose(user, form.getByRole('combobox', { name: 'Subject' }), 'Physics');
    const topic = form.getByRole('combobox', { name: 'Topic' });
    await user.click(topic);
    expect(await screen.findByRole('option', { name: 'Optics', hidden: true })).toBeInTheDocument();
    await user.type(topic, 'Rayleigh');
    await waitFor(() =>
      expect(api.calls('SearchTopics').at(-1)?.variables).toMatchObject({
        search: 'Rayleigh',
        subject: physics._id,
      }),
    );
    await waitFor(() =>
      expect(screen.queryByRole('option', { name: 'Optics', hidden: true })).not.toBeInTheDocument(),
    );
  });

  it('shows and announces similar questions under the title after a pause, with a preview', async () => {
    const like = newQuestionDetail({ title: 'Why is the sky blue at noon?' });
    const hit = { _id: like._id, question: like, title: [{ text: like.title, isMatch: false }], excerpt: [] };
    const { api, user, form } = await openForm({
      getSimilarQuestions: () => ({ hits: [hit], degraded: false }),
    });
    await user.click(form.getByRole('textbox', { name: /Title/ }));
    await user.paste('Why is the sky');
    const similar = within(await form.findByRole('region', { name: 'Similar questions' }));
    const link = similar.getByRole('link', { name: 'Why is the sky blue at noon? (opens in a new tab)' });
    expect(link).toHaveAttribute('href', `/singleQuestion/${like._id}/home`);
    expect(link).toHaveAttribute('target', '_blank');
    expect(form.getByText('1 similar question found')).toHaveAttribute('role', 'status');
    await choose(user, form.getByRole('combobox', { name: 'Subject' }), 'Physics');
    expect(link).toBeVisible();
    expect(api.calls('SimilarQuestions').map(({ variables }) => variables)).toEqual([
      { title: 'Why is the sky', space: space._id, limit: 5 },
    ]);
    await user.clear(form.getByRole('textbox', { name: /Title/ }));
    await waitFor(() => expect(form.queryByRole('region', { name: 'Similar questions' })).toBeNull());
  });

  it('stays open with its text when the API refuses', async () => {
    const { user, form } = await openForm({
      createQuestion: () => {
        throw apiError('Please add question title.', 'VALIDATION_FAILED', 'title');
      },
    });
    await user.type(form.getByRole('textbox', { name: /Title/ }), 'Refused');
    await choose(user, form.getByRole('combobox', { name: 'Subject' }), 'Physics');
    await choose(user, form.getByRole('combobox', { name: 'Topic' }), 'Optics');
    await user.click(form.getByRole('button', { name: 'Submit' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Please add question title.');
    expect(form.getByRole('textbox', { name: /Title/ })).toHaveValue('Refused');
  });

  it('keeps the text over Escape, a reload and Cancel, until it is discarded', async () => {
    const { user, form, address, unmount } = await openForm();
    await user.type(form.getByRole('textbox', { name: /Title/ }), 'Half a thou');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(address()).toBe('/dashboard'));
    expect(await screen.findByText('Draft saved')).toBeVisible();
    unmount();
    const again = await openForm();
    expect(again.form.getByRole('textbox', { name: /Title/ })).toHaveValue('Half a thou');
    expect(again.form.getByText('Draft restored.')).toBeVisible();
    await again.user.click(again.form.getByRole('button', { name: 'Cancel' }));
    again.unmount();
    const third = await openForm();
    expect(third.form.getByRole('textbox', { name: /Title/ })).toHaveValue('Half a thou');
    await third.user.click(third.form.getByRole('button', { name: 'Discard draft' }));
    expect(await screen.findByRole('textbox', { name: /Title/ })).toHaveValue('');
    expect(screen.queryByText('Draft restored.')).not.toBeInTheDocument();
    expect(Object.keys(localStorage).filter((key) => key.startsWith('draft:'))).toEqual([]);
  });

  it('leaves no draft and no notice if nothing was written', async () => {
    const { user, form } = await openForm();
    await user.type(form.getByRole('textbox', { name: /Title/ }), 'x');
    await user.clear(form.getByRole('textbox', { name: /Title/ }));
    await user.click(form.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByText('Draft saved')).not.toBeInTheDocument();
    expect(Object.keys(localStorage).filter((key) => key.startsWith('draft:'))).toEqual([]);
  });

  it('accepts ten images and discards the rest', async () => {
    URL.createObjectURL = () => `blob:${Math.random()}`;
    URL.revokeObjectURL = () => undefined;
    const { user, form } = await openForm({
      getPresignedS3Url: () => ({ url: '/upload/slot', key: 'stored.webp' }),
    });
    const files = Array.from(
      { length: 11 },
      (_, index) => new File(['x'], `${index}.png`, { type: 'image/png' }),
    );
    const input = document.querySelector<HTMLInputElement>('input[type="file"]');
    if (!input) throw new Error('There is no file input');
    await user.upload(input, files);
    expect(await screen.findByText('Allow maximum 10 images.')).toBeVisible();
    expect(await form.findAllByRole('img')).toHaveLength(10);
    await user.click(form.getByRole('button', { name: 'Remove image 3' }));
    expect(form.getAllByRole('img')).toHaveLength(9);
    expect(form.getByRole('button', { name: 'Remove image 3' })).toHaveFocus();
    await user.click(form.getByRole('button', { name: 'Remove image 9' }));
    expect(form.getByRole('button', { name: 'Remove image 8' })).toHaveFocus();
  });
});

describe('the options', () => {
  it('of a subject that failed to load can be retried', async () => {
    const { api, user, form } = await openForm({ getSubjectsForSpace: unavailable });
    expect(await form.findByText('Try later.')).toBeVisible();
    api.change({ getSubjectsForSpace: () => [physics] });
    await user.click(form.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(form.queryByText('Try later.')).not.toBeInTheDocument());
  });

  it.each([
    ['all topics', 'getSubjectTopics', '', () => [optics]],
    ['topics like the text', 'searchTopics', 'opt', () => ({ hits: [optics] })],
  ])('of %s that failed to load can be retried', async (_, field, text, found) => {
    localStorage.setItem(
      `draft:${isha._id}:space:${space._id}`,
      JSON.stringify({ title: 'Half', subject: physics._id, topic: null, body: '' }),
    );
    const { api, user, form } = await openForm({ [field]: unavailable });
    const topic = form.getByRole('combobox', { name: 'Topic' });
    await user.click(topic);
    if (text !== '') await user.type(topic, text);
    expect(await form.findByText('Try later.')).toBeVisible();
    api.change({ [field]: found });
    await user.click(form.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(form.queryByText('Try later.')).not.toBeInTheDocument());
  });
});
