import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../../features/editor/rich-text-editor';
import '../../features/questions/question-dialog';
import {
  isha,
  ishaAsAuthor,
  newQuestionDetail,
  optics,
  pageOf,
  physics,
  space,
  spaceAnswers,
} from '../../testing/ask-fixtures';
import { apiError, fakeApi, type Answers } from '../../testing/fake-api';
import { renderApp } from '../../testing/render-app';
import './dashboard-screen';

function openDashboard(answers: Answers = {}, search = '', questions = [newQuestionDetail()]) {
  const api = fakeApi({ ...spaceAnswers({ questions }), ...answers });
  return { api, user: userEvent.setup(), ...renderApp(`/dashboard${search}`, { user: isha, space }) };
}

async function choose(user: ReturnType<typeof userEvent.setup>, field: HTMLElement, option: string) {
  await user.click(field);
  await waitFor(() => expect(field).toHaveAttribute('aria-controls'));
  const options = document.getElementById(field.getAttribute('aria-controls') ?? '');
  if (!options) throw new Error('The field has no list');
  await user.click(await within(options).findByRole('option', { name: option, hidden: true }));
}

const list = (name: string) => screen.findByRole('list', { name });
const lastQuery = (api: ReturnType<typeof fakeApi>) => api.calls('QuestionList').at(-1)?.variables;

beforeEach(() => localStorage.clear());

describe('the question list', () => {
  it('shows the newest first, by pages of 20', async () => {
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

  it('shows titles and beginnings in the direction of their own first letters', async () => {
    openDashboard({}, '', [newQuestionDetail({ title: 'ما هو HTML؟', excerpt: 'لا أعرف HTML' })]);
    const questions = within(await list('RECENTLY POSTED'));
    expect(await questions.findByRole('heading', { name: 'ما هو HTML؟' })).toHaveAttribute('dir', 'auto');
    expect(questions.getByText('لا أعرف HTML')).toHaveAttribute('dir', 'auto');
  });

  it('says when nothing is there', async () => {
    openDashboard({}, '', []);
    expect(await screen.findByText('No questions found!')).toBeVisible();
  });

  it('stands still when a question arrives, and tells of it once', async () => {
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
  });

  it('offers another try after a failure', async () => {
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

  it('loads the next page below and stops at the last one, showing nothing twice', async () => {
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

  it('marks what is solved', async () => {
    openDashboard({}, '', [newQuestionDetail({ acceptedAnswer: { _id: 'a' } })]);
    expect(within(await list('RECENTLY POSTED')).getByText('Solved')).toBeInTheDocument();
  });

  it('opens the first question, and the one that is chosen then', async () => {
    const questions = [newQuestionDetail({ title: 'One' }), newQuestionDetail({ title: 'Two' })];
    const { user, address } = openDashboard({}, '', questions);
    expect(await screen.findByRole('article', { name: 'Question: One' })).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Two' }));
    expect(await screen.findByRole('article', { name: 'Question: Two' })).toBeVisible();
    expect(address()).toBe(`/dashboard?question=${questions[1]?._id}`);
  });
});

describe('the question beside the list', () => {
  it('stays open while its reader writes an answer, though it is removed', async () => {
    const [first, second] = [newQuestionDetail({ title: 'First' }), newQuestionDetail({ title: 'Second' })];
    const { api, user, address } = openDashboard({}, '', [first, second]);
    await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
    const field = await screen.findByRole('textbox', { name: 'Your answer' });
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
    expect(await screen.findByText(/^This question is gone/)).toBeVisible();
    expect(field).toBeVisible();
    expect(field).toHaveTextContent('Half an answer');
    expect(address()).toBe(`/dashboard?question=${first._id}`);
  });
});

describe('filters', () => {
  it('order by answers', async () => {
    const { api, user, address } = openDashboard();
    await choose(user, await screen.findByRole('textbox', { name: 'Sort' }), 'Most Answered');
    expect(await screen.findByRole('heading', { name: 'MOST ANSWERED' })).toBeVisible();
    expect(address()).toBe('/dashboard?sort=2');
    await waitFor(() => expect(lastQuery(api)).toMatchObject({ sort: 2, page: 1 }));
  });

  it('offer topics once a subject is chosen, and name both in the heading', async () => {
    const { user } = openDashboard();
    const subject = await screen.findByRole('textbox', { name: 'Subject' });
    expect(screen.queryByRole('textbox', { name: 'Topic' })).not.toBeInTheDocument();
    await choose(user, subject, 'Physics');
    expect(await screen.findByRole('heading', { name: 'All Physics QUESTIONS' })).toBeVisible();
    expect(screen.getByRole('heading', { name: 'All Physics Topics' })).toBeVisible();
    await choose(user, await screen.findByRole('textbox', { name: 'Topic' }), 'Optics');
    expect(await screen.findByRole('heading', { name: 'ALL QUESTIONS FROM Optics' })).toBeVisible();
  });

  it('let solved and unsolved exclude each other while others add up', async () => {
    const { user, address } = openDashboard();
    await user.click(await screen.findByRole('checkbox', { name: 'Unsolved' }));
    await user.click(screen.getByRole('checkbox', { name: 'My Questions' }));
    await user.click(screen.getByRole('checkbox', { name: 'Saved' }));
    await user.click(screen.getByRole('checkbox', { name: 'Solved' }));
    expect(address()).toBe('/dashboard?myQuestions=true&savedQuestions=true&solvedQuestions=true');
    expect(screen.getByRole('checkbox', { name: 'Unsolved' })).not.toBeChecked();
  });

  it('come out of the address and are cleared at once', async () => {
    const { api, user, address } = openDashboard(
      {},
      `?sort=2&subject=${physics._id}&topic=${optics._id}&savedQuestions=true`,
    );
    const clear = await screen.findByRole('button', { name: 'Clear Filter' });
    expect(lastQuery(api)).toMatchObject({
      sort: 2,
      queryVals: { subject: physics._id, topic: optics._id, savedQuestions: true },
    });
    await user.click(clear);
    expect(address()).toBe('/dashboard');
    expect(screen.queryByRole('button', { name: 'Clear Filter' })).not.toBeInTheDocument();
  });

  it('follow a click on a topic', async () => {
    const { user, address } = openDashboard();
    await user.click(await screen.findByRole('button', { name: 'Show questions from Optics' }));
    expect(address()).toBe(`/dashboard?subject=${physics._id}&topic=${optics._id}`);
  });
});

describe('the unsolved questions', () => {
  it('lead to their page', async () => {
    const waiting = newQuestionDetail({ title: 'Who knows?' });
    openDashboard({ getUnsolvedQuestions: () => pageOf([waiting]) });
    const strip = await screen.findByRole('region', { name: 'Unsolved Questions' });
    expect(within(strip).getByRole('link')).toHaveAttribute('href', `/singleQuestion/${waiting._id}/home`);
  });
});

describe('asking', () => {
  async function openDialog(answers: Answers = {}) {
    const asked = newQuestionDetail({ title: 'Asked', author: ishaAsAuthor });
    const opened = openDashboard({
      createQuestion: () => asked,
      createTopic: () => ({ ...optics, _id: 'new-topic-id' }),
      ...answers,
    });
    await opened.user.click(await screen.findByRole('button', { name: 'Ask your Question' }));
    const dialog = await screen.findByRole('dialog', { name: 'Ask your Question' });
    return { ...opened, dialog: within(dialog) };
  }

  it('says what is missing and sends nothing', async () => {
    const { api, user, dialog } = await openDialog();
    await user.click(dialog.getByRole('button', { name: 'Submit' }));
    expect(await dialog.findByText('Please add question title.')).toBeVisible();
    expect(dialog.getByText('Please select a subject')).toBeVisible();
    expect(dialog.getByText('Please select or create a topic')).toBeVisible();
    expect(api.calls('AskQuestion')).toHaveLength(0);
  });

  it('checks the title while one types, blanks included', async () => {
    const { user, dialog } = await openDialog();
    const title = dialog.getByRole('textbox', { name: /Title/ });
    await user.type(title, 'a');
    expect(dialog.queryByText('Please add question title.')).not.toBeInTheDocument();
    await user.clear(title);
    await user.type(title, '  ');
    expect(dialog.getByText('Please add question title.')).toBeVisible();
  });

  it('makes the new topic first, leaves out an empty description, and turns My Questions on', async () => {
    const { api, user, dialog, address } = await openDialog();
    await user.type(dialog.getByRole('textbox', { name: /Title/ }), 'Asked');
    await choose(user, dialog.getByRole('textbox', { name: 'Subject' }), 'Physics');
    await user.type(dialog.getByRole('textbox', { name: 'Topic' }), 'Rayleigh');
    await user.click(await screen.findByRole('option', { name: /Add new topic/, hidden: true }));
    await user.click(dialog.getByRole('button', { name: 'Submit' }));
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
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('leaves every topic to choose from where it is when more are found', async () => {
    const [fibres, adopted] = [
      { ...optics, _id: 'fibres', topicName: 'Fibre optics' },
      { ...optics, _id: 'adopted', topicName: 'Adopted topics' },
    ];
    let answerSearch = () => {};
    const { user, dialog } = await openDialog({
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
    await choose(user, dialog.getByRole('textbox', { name: 'Subject' }), 'Physics');
    await user.type(dialog.getByRole('textbox', { name: 'Topic' }), 'optic');
    const before = ['Optics', 'Fibre optics', 'Add new topic: “optic”'];
    await waitFor(() => expect(shown()).toEqual(before));
    await waitFor(() => {
      answerSearch();
      expect(shown()).toEqual([...before, 'Adopted topics']);
    });
    await user.type(dialog.getByRole('textbox', { name: 'Topic' }), 's');
    await waitFor(() => expect(shown()).toEqual(['Optics', 'Fibre optics']));
  });

  it('suggests the topics of the subject, and while one types those that are like the text', async () => {
    const { api, user, dialog } = await openDialog();
    await choose(user, dialog.getByRole('textbox', { name: 'Subject' }), 'Physics');
    const topic = dialog.getByRole('textbox', { name: 'Topic' });
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

  it('shows similar questions under the title after a pause, says so, and lets one read them beside', async () => {
    const like = newQuestionDetail({ title: 'Why is the sky blue at noon?' });
    const hit = { _id: like._id, question: like, title: [{ text: like.title, isMatch: false }], excerpt: [] };
    const { api, user, dialog } = await openDialog({
      getSimilarQuestions: () => ({ hits: [hit], degraded: false }),
    });
    await user.click(dialog.getByRole('textbox', { name: /Title/ }));
    await user.paste('Why is the sky');
    const similar = within(await dialog.findByRole('region', { name: 'Similar questions' }));
    const link = similar.getByRole('link', { name: 'Why is the sky blue at noon? (opens in a new tab)' });
    expect(link).toHaveAttribute('href', `/singleQuestion/${like._id}/home`);
    expect(link).toHaveAttribute('target', '_blank');
    expect(dialog.getByText('1 similar question found')).toHaveAttribute('role', 'status');
    expect(api.calls('SimilarQuestions').map(({ variables }) => variables)).toEqual([
      { title: 'Why is the sky', space: space._id, subject: null, limit: 5 },
    ]);
    await user.clear(dialog.getByRole('textbox', { name: /Title/ }));
    await waitFor(() => expect(dialog.queryByRole('region', { name: 'Similar questions' })).toBeNull());
  });

  it('stays open with what was written when the api refuses', async () => {
    const { user, dialog } = await openDialog({
      createQuestion: () => {
        throw apiError('Please add question title.', 'VALIDATION_FAILED', 'title');
      },
    });
    await user.type(dialog.getByRole('textbox', { name: /Title/ }), 'Refused');
    await choose(user, dialog.getByRole('textbox', { name: 'Subject' }), 'Physics');
    await choose(user, dialog.getByRole('textbox', { name: 'Topic' }), 'Optics');
    await user.click(dialog.getByRole('button', { name: 'Submit' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Please add question title.');
    expect(dialog.getByRole('textbox', { name: /Title/ })).toHaveValue('Refused');
  });

  it('keeps what was written over Escape, a reload and Cancel, until it is discarded', async () => {
    const { user, dialog, unmount } = await openDialog();
    await user.type(dialog.getByRole('textbox', { name: /Title/ }), 'Half a thou');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(await screen.findByText('Draft kept')).toBeVisible();
    unmount();
    const again = openDashboard();
    await again.user.click(await screen.findByRole('button', { name: 'Ask your Question' }));
    expect(await screen.findByRole('textbox', { name: /Title/ })).toHaveValue('Half a thou');
    expect(screen.getByText('Draft restored.')).toBeVisible();
    await again.user.click(screen.getByRole('button', { name: 'Cancel' }));
    await again.user.click(await screen.findByRole('button', { name: 'Ask your Question' }));
    expect(await screen.findByRole('textbox', { name: /Title/ })).toHaveValue('Half a thou');
    await again.user.click(screen.getByRole('button', { name: 'Discard draft' }));
    expect(await screen.findByRole('textbox', { name: /Title/ })).toHaveValue('');
    await again.user.click(screen.getByRole('button', { name: 'Cancel' }));
    await again.user.click(await screen.findByRole('button', { name: 'Ask your Question' }));
    expect(await screen.findByRole('textbox', { name: /Title/ })).toHaveValue('');
    expect(screen.queryByText('Draft restored.')).not.toBeInTheDocument();
  });

  it('leaves no draft and no word of one where nothing was written', async () => {
    const { user, dialog } = await openDialog();
    await user.type(dialog.getByRole('textbox', { name: /Title/ }), 'x');
    await user.clear(dialog.getByRole('textbox', { name: /Title/ }));
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByText('Draft kept')).not.toBeInTheDocument();
    expect(Object.keys(localStorage).filter((key) => key.startsWith('draft:'))).toEqual([]);
  });

  it('takes ten images and drops the rest', async () => {
    URL.createObjectURL = () => `blob:${Math.random()}`;
    URL.revokeObjectURL = () => undefined;
    const { user, dialog } = await openDialog({
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
    expect(await dialog.findAllByRole('img')).toHaveLength(10);
    await user.click(dialog.getByRole('button', { name: 'Remove image 3' }));
    expect(dialog.getAllByRole('img')).toHaveLength(9);
  });
});
