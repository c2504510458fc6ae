import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../../../features/comments/comment-editor';
import '../../../features/editor/rich-text-editor';
import {
  isha,
  ishaAsAuthor,
  newAnswer,
  newComment,
  newQuestionDetail,
  pageOf,
  space,
  spaceAnswers,
} from '../../../testing/ask-fixtures';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { mutationRetryDelays } from '../../../lib/api/until-answered';
import { newAuthor } from '../../../testing/fixtures';
import { findEditor } from '../../../testing/find-editor';
import { loseConnection } from '../../../testing/lose-connection';
import { renderApp } from '../../../testing/render-app';
import './single-question-screen';

function openQuestion(answers: ReturnType<typeof newAnswer>[] = [], more: Answers = {}) {
  const question = newQuestionDetail();
  const api = fakeApi({ ...spaceAnswers({ questions: [question], answers }), ...more });
  const view = renderApp(`/singleQuestion/${question._id}/home`, { user: isha, space });
  return { api, question, user: userEvent.setup(), ...view };
}

const png = (name: string) => new File(['x'], name, { type: 'image/png' });

beforeEach(() => localStorage.clear());

describe('mentions', () => {
  it('search the members of the space, are selected by keyboard and sent by ID', async () => {
    const members = [newAuthor({ userName: 'meera_n' }), newAuthor({ userName: 'meenakshi' })];
    const { api, user, question } = openQuestion([], {
      searchUsers: ({ search }) => ({ hits: search === 'mee' ? members : [] }),
      createQuestionComment: () => ({ _id: 'c' }),
    });
    await user.click(await screen.findByRole('button', { name: 'Write a comment or @mention' }));
    const box = await findEditor('Write a comment');
    act(() => box.focus());
    await user.keyboard('Ask @mee');
    await screen.findByRole('option', { name: /meenakshi/ });
    const list = within(screen.getByRole('listbox', { name: 'People to mention' }));
    expect(list.getAllByRole('option')).toHaveLength(2);
    expect(api.calls('MentionCandidates').at(-1)?.variables).toMatchObject({
      space: space._id,
      search: 'mee',
    });
    await user.keyboard('{ArrowDown}');
    await waitFor(() =>
      expect(list.getByRole('option', { name: /meenakshi/ })).toHaveAttribute('aria-selected', 'true'),
    );
    const chosen = list.getByRole('option', { name: /meenakshi/ });
    await waitFor(() => expect(box).toHaveAttribute('aria-activedescendant', chosen.id));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(box).toHaveTextContent('@meenakshi'));
    expect(box).not.toHaveAttribute('aria-activedescendant');
    await user.click(screen.getByRole('button', { name: 'Send comment' }));
    await waitFor(() => expect(api.calls('AddQuestionComment')).toHaveLength(1));
    expect(api.calls('AddQuestionComment')[0]?.variables).toEqual({
      questionId: question._id,
      body: `Ask @[${members[1]?._id}]`,
    });
  });
});

describe('images in a composer', () => {
  it('are added by paste and drop, uploaded first and appended to the existing ones', async () => {
    URL.createObjectURL = () => `blob:${Math.random()}`;
    URL.revokeObjectURL = () => undefined;
    const answer = newAnswer({ author: ishaAsAuthor, imageUrls: ['/media/a.webp'] });
    const { api, user } = openQuestion([answer], {
      updateAnswer: () => answer,
      getPresignedS3Url: () => ({ url: '/upload/slot', key: 'stored.webp' }),
    });
    await user.click(await screen.findByRole('button', { name: 'More actions for the answer by isha_p' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Edit' }));
    const dialog = await screen.findByRole('form', { name: 'Edit your Answer' });
    const images = within(dialog).getByRole('group', { name: 'Images' });
    const text = new File(['x'], 'x.txt', { type: 'text/plain' });
    fireEvent.paste(images, { clipboardData: { files: [png('pasted.png')], getData: () => '' } });
    fireEvent.drop(within(images).getByText(/Drop or paste/), {
      dataTransfer: { files: [png('dropped.png'), text], types: ['Files'] },
    });
    expect(await within(images).findByText('3 of 10')).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Submit' }));
    expect(await screen.findByText('Answer updated successfully!')).toBeVisible();
    expect(api.uploads).toHaveLength(2);
    expect(api.calls('EditAnswer')[0]?.variables).toMatchObject({
      imageUrls: ['/media/a.webp', '/media/stored.webp', '/media/stored.webp'],
    });
  });

  it('beyond ten are ignored with a message, and the others stay', async () => {
    URL.createObjectURL = () => `blob:${Math.random()}`;
    URL.revokeObjectURL = () => undefined;
    const imageUrls = Array.from({ length: 8 }, (_, index) => `/media/${index}.webp`);
    const answer = newAnswer({ author: ishaAsAuthor, imageUrls });
    const { api, user } = openQuestion([answer], {
      updateAnswer: () => answer,
      getPresignedS3Url: () => ({ url: '/upload/slot', key: 'stored.webp' }),
    });
    await user.click(await screen.findByRole('button', { name: 'More actions for the answer by isha_p' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Edit' }));
    const dialog = await screen.findByRole('form', { name: 'Edit your Answer' });
    fireEvent.drop(within(dialog).getByText(/Drop or paste/), {
      dataTransfer: { files: [png('1.png'), png('2.png'), png('3.png')], types: ['Files'] },
    });
    expect(await screen.findByText('Allow maximum 10 images.')).toBeVisible();
    expect(await within(dialog).findByText('10 of 10')).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Submit' }));
    expect(await screen.findByText('Answer updated successfully!')).toBeVisible();
    expect(api.calls('EditAnswer')[0]?.variables).toMatchObject({
      imageUrls: [...imageUrls, '/media/stored.webp', '/media/stored.webp'],
    });
  });

  it('that fail to upload are named and left out', async () => {
    URL.createObjectURL = () => 'blob:broken';
    URL.revokeObjectURL = () => undefined;
    const { user } = openQuestion([], {
      getPresignedS3Url: () => ({ url: '/upload/refused', key: 'never.webp' }),
    });
    await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
    const images = await screen.findByRole('group', { name: 'Images' });
    fireEvent.drop(within(images).getByText(/Drop or paste/), {
      dataTransfer: { files: [png('broken.png')], types: ['Files'] },
    });
    expect(
      await screen.findByText('Failed to upload file broken.png to S3. This file is not a valid image.'),
    ).toBeVisible();
    expect(await within(images).findByText('0 of 10')).toBeVisible();
  });

  it('after one that is rejected during Submit are sent by the next Submit', async () => {
    URL.createObjectURL = () => `blob:${Math.random()}`;
    URL.revokeObjectURL = () => undefined;
    const slots = ['/upload/refused', '/upload/slot', '/upload/refused'];
    let offerSlots = () => {};
    const areOffered = new Promise<void>((resolve) => (offerSlots = resolve));
    const { api, user } = openQuestion([], {
      createAnswer: () => newAnswer(),
      getPresignedS3Url: async () => {
        await areOffered;
        return { url: slots.shift() ?? '', key: 'stored.webp' };
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
    const field = await findEditor('Your answer');
    act(() => field.focus());
    await user.keyboard('As the picture shows.');
    const images = screen.getByRole('group', { name: 'Images' });
    fireEvent.drop(within(images).getByText(/Drop or paste/), {
      dataTransfer: { files: [png('broken.png'), png('good.png'), png('torn.png')], types: ['Files'] },
    });
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    offerSlots();
    expect(await screen.findByText(/^Failed to upload file broken.png/)).toBeVisible();
    expect(await screen.findByText(/^Failed to upload file torn.png/)).toBeVisible();
    expect(within(images).getByText('1 of 10')).toBeVisible();
    expect(api.calls('AddAnswer')).toHaveLength(0);
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    expect(await screen.findByText('Answer added successfully!')).toBeVisible();
    expect(api.calls('AddAnswer').map(({ variables }) => variables['imageUrls'])).toEqual([
      ['/media/stored.webp'],
    ]);
  });

  it('show in the text why they were rejected', async () => {
    URL.createObjectURL = () => 'blob:broken';
    URL.revokeObjectURL = () => undefined;
    const { user } = openQuestion([], {
      getPresignedS3Url: () => ({ url: '/upload/refused', key: 'never.webp' }),
    });
    await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
    const field = await findEditor('Your answer');
    fireEvent.drop(field, {
      dataTransfer: { files: [png('broken.png')], types: ['Files'], getData: () => '' },
    });
    const reason = 'Failed to upload file broken.png to S3. This file is not a valid image.';
    expect(await within(field).findByRole('alert')).toHaveTextContent(reason);
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    await waitFor(() => expect(screen.getAllByText(reason)).toHaveLength(2));
  });

  it('that are still uploading when the composer closes are named', async () => {
    URL.createObjectURL = () => `blob:${Math.random()}`;
    URL.revokeObjectURL = () => undefined;
    const { question, user } = openQuestion([], { getPresignedS3Url: () => new Promise(() => undefined) });
    await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
    const composer = await screen.findByRole('form', { name: 'Add Your Answer' });
    const drop = (target: Element, name: string) =>
      fireEvent.drop(target, {
        dataTransfer: { files: [png(name)], types: ['Files'], getData: () => '' },
      });
    drop(within(composer).getByText(/Drop or paste/), 'next-to.png');
    drop(await findEditor('Your answer', composer), 'within.png');
    expect(await within(composer).findByText('2 of 10')).toBeVisible();
    await user.click(within(composer).getByRole('button', { name: 'Close' }));
    for (const name of ['next-to.png', 'within.png'])
      expect(
        await screen.findByText(`${name} hadn’t finished uploading and wasn’t saved. Add it again.`),
      ).toBeVisible();
    expect(localStorage.getItem(`draft:${isha._id}:answer-to:${question._id}`)).toContain('data-upload');
    await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
    expect(await screen.findByText('0 of 10')).toBeVisible();
  });

  it('are accepted wherever they are dropped, and other files are rejected with a message', async () => {
    URL.createObjectURL = () => 'blob:dropped';
    URL.revokeObjectURL = () => undefined;
    const { api, user } = openQuestion([], {
      getPresignedS3Url: () => ({ url: '/upload/slot', key: 'stored.webp' }),
    });
    await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
    const composer = await screen.findByRole('form', { name: 'Add Your Answer' });
    const files = [
      png('dropped.png'),
      new File(['x'], 'IMG_1.HEIC', { type: '' }),
      new File(['x'], 'sheet.pdf', { type: 'application/pdf' }),
    ];
    fireEvent.drop(within(composer).getByRole('heading', { name: 'Add Your Answer' }), {
      dataTransfer: { files: [png('first.png')], types: ['Files'] },
    });
    expect(await within(composer).findByText('1 of 10')).toBeVisible();
    fireEvent.drop(await findEditor('Your answer', composer), {
      dataTransfer: { files, types: ['Files'], getData: () => '' },
    });
    expect(await within(composer).findByText('2 of 10')).toBeVisible();
    expect(await screen.findByText(/^IMG_1.HEIC is a HEIC photo/)).toBeVisible();
    expect(await screen.findByText(/^sheet.pdf was not added/)).toBeVisible();
    await waitFor(() => expect(api.uploads).toHaveLength(2));
  });

  it('dropped outside of the composer do not navigate away', async () => {
    const { user } = openQuestion();
    await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
    await screen.findByRole('form', { name: 'Add Your Answer' });
    // False means that the default was prevented.
    expect(fireEvent.drop(document.body, { dataTransfer: { files: [png('a.png')], types: ['Files'] } })).toBe(
      false,
    );
    expect(fireEvent.drop(document.body, { dataTransfer: { files: [], types: ['text/plain'] } })).toBe(true);
  });

  it('do not replace pasted text', async () => {
    const { user } = openQuestion();
    await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
    const images = await screen.findByRole('group', { name: 'Images' });
    // True means that the default was not prevented.
    expect(fireEvent.paste(images, { clipboardData: { files: [], getData: () => 'words' } })).toBe(true);
    expect(within(images).getByText('0 of 10')).toBeVisible();
  });
});

describe('an answer', () => {
  it('starts in a field below the others, which becomes the focused editor', async () => {
    const { user } = openQuestion([newAnswer()]);
    const field = within(await screen.findByRole('group', { name: 'Add Your Answer' }));
    await user.click(field.getByRole('textbox', { name: 'Your answer' }));
    expect(await screen.findByRole('form', { name: 'Add Your Answer' })).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Your answer' })).toHaveFocus();
    await user.keyboard('{Escape}');
    expect(screen.getByRole('group', { name: 'Add Your Answer' })).toHaveFocus();
  });

  it('is shown and focused once it is sent', async () => {
    const sent = newAnswer({ author: ishaAsAuthor, body: '<p>Two of them</p>' });
    const { api, user } = openQuestion([newAnswer()], { createAnswer: () => sent });
    await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
    const editor = await findEditor('Your answer');
    act(() => editor.focus());
    await user.keyboard('Two of them');
    api.change({ getPaginatedAnswers: () => pageOf([newAnswer(), sent]) });
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(screen.getByRole('article', { name: 'Answer by isha_p' })).toHaveFocus());
    expect(screen.getByRole('group', { name: 'Add Your Answer' })).toBeVisible();
  });

  it('is written inline, sent by Ctrl+Enter, and leaves no draft', async () => {
    const { api, user } = openQuestion([], { createAnswer: () => newAnswer() });
    await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
    const composer = await screen.findByRole('form', { name: 'Add Your Answer' });
    const field = await findEditor('Your answer', composer);
    act(() => field.focus());
    await user.keyboard('Two of them');
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(await screen.findByText('Answer added successfully!')).toBeVisible();
    expect(api.calls('AddAnswer')[0]?.variables).toMatchObject({ body: '<p>Two of them</p>' });
    expect(Object.keys(localStorage).filter((key) => key.startsWith('draft:'))).toEqual([]);
  });

  it('is kept when closed by Escape, ✕ or Cancel, and deleted on request', async () => {
    const { user } = openQuestion();
    const closings = [
      () => user.keyboard('{Escape}'),
      () =>
        user.click(
          within(screen.getByRole('form', { name: 'Add Your Answer' })).getByRole('button', {
            name: 'Close',
          }),
        ),
      () => user.click(screen.getByRole('button', { name: 'Cancel' })),
    ];
    for (const [at, close] of closings.entries()) {
      await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
      const field = await findEditor('Your answer');
      act(() => field.focus());
      if (at === 0) await user.keyboard('Half an answer');
      expect(field).toHaveTextContent('Half an answer');
      await close();
      expect(screen.queryByRole('form', { name: 'Add Your Answer' })).not.toBeInTheDocument();
      expect(await screen.findByText('Draft saved')).toBeVisible();
    }
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    await user.click(screen.getByRole('button', { name: 'Add Your Answer' }));
    expect(await findEditor('Your answer')).toHaveTextContent(/^$/);
  });
});

describe('a draft of an answer', () => {
  it('is locked while the answer is being sent, and complete if that fails', async () => {
    let refuse = () => {};
    const isRefused = new Promise<void>((resolve) => (refuse = resolve));
    const { api, user, question } = openQuestion([], {
      createAnswer: async () => {
        await isRefused;
        throw apiError('Too many requests', 'TOO_MANY_REQUESTS');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
    const composer = await screen.findByRole('form', { name: 'Add Your Answer' });
    const field = await findEditor('Your answer', composer);
    act(() => field.focus());
    await user.keyboard('One.');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(api.calls('AddAnswer')).toHaveLength(1));
    expect(field.closest('[inert]')).not.toBeNull();
    expect(composer).toHaveFocus();
    fireEvent.drop(composer, { dataTransfer: { files: [png('late.png')], types: ['Files'] } });
    expect(within(composer).getByText('0 of 10')).toBeVisible();
    refuse();
    expect(await screen.findByText('Too many requests')).toBeVisible();
    await waitFor(() => expect(field).toHaveFocus());
    expect(field.closest('[inert]')).toBeNull();
    expect(field).toHaveTextContent('One.');
    expect(localStorage.getItem(`draft:${isha._id}:answer-to:${question._id}`)).toContain('One.');
  });

  it('is restored after a reload, without unsafe links', async () => {
    const { user, question, unmount } = openQuestion();
    await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
    const field = await findEditor('Your answer');
    act(() => field.focus());
    await user.keyboard('Half an answer');
    const key = `draft:${isha._id}:answer-to:${question._id}`;
    await waitFor(() => expect(localStorage.getItem(key)).toContain('Half an answer'));
    const hostile = '<p>Half <a href="javascript:alert(1)">a link</a></p>';
    unmount();
    localStorage.setItem(key, JSON.stringify({ body: hostile }));
    renderApp(`/singleQuestion/${question._id}/home`, { user: isha, space });
    expect(await screen.findByText('Draft restored.')).toBeVisible();
    const editor = await findEditor('Your answer');
    expect(editor).toHaveTextContent('Half a link');
    expect(within(editor).queryByRole('link')).not.toBeInTheDocument();
    expect(editor).not.toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Discard draft' }));
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Your answer' })).toHaveFocus());
    expect(localStorage.getItem(key)).toBeNull();
  });
});

describe('a draft of an edit', () => {
  const draft = (text: string) => JSON.stringify({ body: `<p>${text}</p>`, imageUrls: [] });

  it('of an answer is reopened after a reload, without taking the focus', async () => {
    const answer = newAnswer({ author: ishaAsAuthor });
    const key = `draft:${isha._id}:answer:${answer._id}`;
    localStorage.setItem(key, draft('Half an edit'));
    const { user } = openQuestion([answer]);
    const composer = await screen.findByRole('form', { name: 'Edit your Answer' });
    expect(within(composer).getByText('Draft restored.')).toBeVisible();
    const editor = await findEditor('Your answer', composer);
    expect(editor).toHaveTextContent('Half an edit');
    expect(composer).not.toContainElement(document.activeElement as HTMLElement);
    await user.click(within(composer).getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('Draft saved')).toBeVisible();
    expect(composer).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'More actions for the answer by isha_p' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Edit' }));
    const again = await screen.findByRole('form', { name: 'Edit your Answer' });
    await waitFor(() => expect(within(again).getByRole('textbox')).toHaveFocus());
  });

  it('of a question is reopened after a reload, without taking the focus', async () => {
    const question = newQuestionDetail({ author: ishaAsAuthor });
    const key = `draft:${isha._id}:question:${question._id}`;
    localStorage.setItem(key, JSON.stringify({ title: 'Half a title' }));
    fakeApi(spaceAnswers({ questions: [question], answers: [] }));
    renderApp(`/singleQuestion/${question._id}/home`, { user: isha, space });
    const composer = await screen.findByRole('form', { name: 'Edit your Question' });
    expect(within(composer).getByText('Draft restored.')).toBeVisible();
    expect(within(composer).getByRole('textbox', { name: /Title/ })).toHaveValue('Half a title');
    expect(composer).not.toContainElement(document.activeElement as HTMLElement);
  });
});

describe('a draft sent by another tab', () => {
  const keyOf = (place: string): string => `draft:${isha._id}:${place}`;
  const sendElsewhere = (key: string, sent: string): void => {
    const tab = new BroadcastChannel('nimo-sent-drafts');
    tab.postMessage({ key, sent });
    tab.close();
  };
  const reopenWith = (place: (questionId: string) => string, draft: object) => {
    const { question, unmount } = openQuestion();
    unmount();
    const key = keyOf(place(question._id));
    localStorage.setItem(key, JSON.stringify(draft));
    fakeApi(spaceAnswers({ questions: [question] }));
    renderApp(`/singleQuestion/${question._id}/home`, { user: isha, space });
    return { key };
  };

  it('empties the answer form, with a notice', async () => {
    const draft = { body: '<p>Half an answer</p>', imageUrls: [] };
    const { key } = reopenWith((id) => `answer-to:${id}`, draft);
    expect(await findEditor('Your answer')).toHaveTextContent('Half an answer');
    localStorage.removeItem(key);
    sendElsewhere(key, JSON.stringify({ ...draft, body: '<p>Half an answer, and the rest</p>' }));
    expect(await screen.findByText('Already sent from another tab.')).toBeVisible();
    expect(await findEditor('Your answer')).toHaveTextContent(/^$/);
    expect(localStorage.getItem(key)).toBeNull();
  });

  it.each([
    ['all of it', '<p>Half an answer</p>'],
    ['a later version', '<p>Half an answer, and the rest</p>'],
  ])('clears the answer field even before storage reflects it: %s', async (_what, body) => {
    const draft = { body: '<p>Half an answer</p>', imageUrls: [] };
    const { key } = reopenWith((id) => `answer-to:${id}`, draft);
    expect(await findEditor('Your answer')).toHaveTextContent('Half an answer');
    sendElsewhere(key, JSON.stringify({ ...draft, body }));
    expect(await screen.findByText('Already sent from another tab.')).toBeVisible();
    expect(await findEditor('Your answer')).toHaveTextContent(/^$/);
  });

  it('restores what a third tab has added to an answer', async () => {
    const draft = { body: '<p>One</p>', imageUrls: [] };
    const { key } = reopenWith((id) => `answer-to:${id}`, draft);
    expect(await findEditor('Your answer')).toHaveTextContent('One');
    localStorage.setItem(key, JSON.stringify({ ...draft, body: '<p>One, two</p>' }));
    sendElsewhere(key, JSON.stringify(draft));
    expect(await screen.findByText(/^An earlier version was sent from another tab/)).toBeVisible();
    expect(await findEditor('Your answer')).toHaveTextContent('One, two');
  });

  it('keeps an answer that was changed since, with a notice that it is not sent', async () => {
    const { user, question } = openQuestion();
    const key = keyOf(`answer-to:${question._id}`);
    await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
    const editor = await findEditor('Your answer');
    act(() => editor.focus());
    await user.keyboard('One, two');
    await waitFor(() => expect(localStorage.getItem(key)).toContain('One, two'));
    localStorage.removeItem(key);
    sendElsewhere(key, JSON.stringify({ body: '<p>One</p>', imageUrls: [] }));
    expect(await screen.findByText(/^An earlier version was sent from another tab/)).toBeVisible();
    expect(editor).toHaveTextContent('One, two');
    expect(localStorage.getItem(key)).toContain('One, two');
  });

  it('empties the comment box', async () => {
    const half = {
      type: 'doc',
      content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Half a thought' }] }],
    };
    const { key } = reopenWith((id) => `comment-on:${id}`, half);
    const box = await findEditor('Write a comment');
    localStorage.removeItem(key);
    sendElsewhere(key, 'Half a thought, and the rest');
    expect(await screen.findByText('Already sent from another tab.')).toBeVisible();
    expect(box).toHaveTextContent(/^$/);
    expect(localStorage.getItem(key)).toBeNull();
  });

  it('keeps a comment that was changed since', async () => {
    const { user, question } = openQuestion();
    const key = keyOf(`comment-on:${question._id}`);
    await user.click(await screen.findByRole('button', { name: 'Write a comment or @mention' }));
    const box = await findEditor('Write a comment');
    act(() => box.focus());
    await user.keyboard('One, two');
    localStorage.removeItem(key);
    sendElsewhere(key, 'One');
    expect(await screen.findByText(/^An earlier version was sent from another tab/)).toBeVisible();
    expect(box).toHaveTextContent('One, two');
    expect(localStorage.getItem(key)).toContain('One, two');
  });

  it('reaches all tabs, and their later changes stay drafts', async () => {
    const { api, user, question } = openQuestion([], { createAnswer: () => newAnswer() });
    const key = keyOf(`answer-to:${question._id}`);
    const messages: unknown[] = [];
    const tab = new BroadcastChannel('nimo-sent-drafts');
    tab.onmessage = ({ data }) => messages.push(data);
    await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
    const editor = await findEditor('Your answer');
    act(() => editor.focus());
    await user.keyboard('One');
    await waitFor(() => expect(localStorage.getItem(key)).toContain('One'));
    const further = JSON.stringify({ body: '<p>One, two</p>', imageUrls: [] });
    localStorage.setItem(key, further);
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(api.calls('AddAnswer')).toHaveLength(1));
    await waitFor(() =>
      expect(messages).toEqual([{ key, sent: JSON.stringify({ body: '<p>One</p>', imageUrls: [] }) }]),
    );
    tab.close();
    expect(localStorage.getItem(key)).toBe(further);
    expect(screen.queryByText('Draft saved')).not.toBeInTheDocument();
  });
});

describe('images in a draft', () => {
  it('are restored after a reload, and sent with the answer', async () => {
    const { question, unmount } = openQuestion();
    unmount();
    localStorage.setItem(
      `draft:${isha._id}:answer-to:${question._id}`,
      JSON.stringify({ body: '<p>Half an answer</p>', imageUrls: ['/media/kept.webp'] }),
    );
    const api = fakeApi({ ...spaceAnswers({ questions: [question] }), createAnswer: () => newAnswer() });
    renderApp(`/singleQuestion/${question._id}/home`, { user: isha, space });
    const user = userEvent.setup();
    const dialog = await screen.findByRole('form', { name: 'Add Your Answer' });
    expect(within(dialog).getByText('1 of 10')).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Submit' }));
    expect(await screen.findByText('Answer added successfully!')).toBeVisible();
    expect(api.calls('AddAnswer')[0]?.variables).toMatchObject({ imageUrls: ['/media/kept.webp'] });
    expect(localStorage.getItem(`draft:${isha._id}:answer-to:${question._id}`)).toBeNull();
  });

  it('are kept once uploaded', async () => {
    URL.createObjectURL = () => 'blob:one';
    URL.revokeObjectURL = () => undefined;
    const { question, user } = openQuestion([], {
      getPresignedS3Url: () => ({ url: '/upload/slot', key: 'stored.webp' }),
    });
    await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
    const images = await screen.findByRole('group', { name: 'Images' });
    fireEvent.drop(within(images).getByText(/Drop or paste/), {
      dataTransfer: { files: [png('a.png')], types: ['Files'] },
    });
    await waitFor(() =>
      expect(localStorage.getItem(`draft:${isha._id}:answer-to:${question._id}`)).toContain(
        '/media/stored.webp',
      ),
    );
  });
});

describe('a draft of a comment', () => {
  const half = {
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Half a thought' }] }],
  };

  function reopen(draft: string, comments: ReturnType<typeof newComment>[] = []) {
    const { question, unmount } = openQuestion();
    unmount();
    const key = `draft:${isha._id}:comment-on:${question._id}`;
    localStorage.setItem(key, draft);
    const answers = {
      ...spaceAnswers({ questions: [question] }),
      ...(comments.length > 0 && { getPaginatedQuestionComments: () => pageOf(comments) }),
      createQuestionComment: () => newComment({ body: 'Half a thought', author: ishaAsAuthor }),
    };
    const api = fakeApi(answers);
    renderApp(`/singleQuestion/${question._id}/home`, { user: isha, space });
    return { api, key, user: userEvent.setup() };
  }

  it('is restored after a reload, and deleted when sent', async () => {
    const { api, key, user } = reopen(JSON.stringify(half));
    const box = await findEditor('Write a comment');
    expect(box).toHaveTextContent('Half a thought');
    await user.click(screen.getByRole('button', { name: 'Send comment' }));
    await waitFor(() => expect(localStorage.getItem(key)).toBeNull());
    expect(box).toHaveTextContent(/^$/);
    expect(box).toHaveFocus();
    expect(api.calls('AddQuestionComment')[0]?.variables).toMatchObject({ body: 'Half a thought' });
  });

  it.each([
    ['sent', ' Two.'],
    ['refused', 'One. Two.'],
  ])('keeps text typed while the previous one is being %s', async (end, left) => {
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => (answer = resolve));
    const { api, user, question } = openQuestion([], {
      createQuestionComment: async () => {
        await isAnswered;
        if (end === 'refused') throw apiError('Too many requests', 'TOO_MANY_REQUESTS');
        return newComment({ body: 'One.', author: ishaAsAuthor });
      },
    });
    const key = `draft:${isha._id}:comment-on:${question._id}`;
    await user.click(await screen.findByRole('button', { name: 'Write a comment or @mention' }));
    const box = await findEditor('Write a comment');
    act(() => box.focus());
    await user.keyboard('One.');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(api.calls('AddQuestionComment')).toHaveLength(1));
    expect(box).toHaveFocus();
    expect(box).toHaveTextContent(/^$/);
    await user.keyboard(' Two.');
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(localStorage.getItem(key)).toMatch(/One\..* Two\./);
    answer();
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Send comment' })).not.toHaveAttribute('data-loading'),
    );
    expect(box.textContent).toBe(left);
    expect(localStorage.getItem(key)).toContain(' Two.');
    expect(localStorage.getItem(key)?.includes('One.')).toBe(end === 'refused');
    expect(api.calls('AddQuestionComment')).toHaveLength(1);
  });

  it.each([
    ['a question', 'Comments on the question', 'getPaginatedQuestionComments'],
    ['an answer', /^Comments on the answer/, 'getPaginatedAnswers'],
  ])('on %s is deleted when sent, although the thread cannot be refetched', async (_, place, read) => {
    const stored = newComment({ body: 'Good point.', author: ishaAsAuthor });
    const { api, user } = openQuestion([newAnswer()], {
      createQuestionComment: () => stored,
      createComment: () => stored,
    });
    const thread = within(await screen.findByRole('region', { name: place }));
    await user.click(thread.getByRole('button', { name: 'Write a comment or @mention' }));
    const box = await findEditor('Write a comment');
    act(() => box.focus());
    await user.keyboard('Good point.');
    api.change({
      [read]: () => {
        throw apiError('Too many requests', 'TOO_MANY_REQUESTS');
      },
    });
    await user.click(thread.getByRole('button', { name: 'Send comment' }));
    await waitFor(() => expect(box).toHaveTextContent(/^$/));
    expect(await screen.findByText(/^This page may be out of date/)).toBeVisible();
    expect(box).toHaveTextContent(/^$/);
  });

  it('shows the sent comment even if collapsed, until it is deleted', async () => {
    const others = Array.from({ length: 4 }, (_, index) => newComment({ body: `Comment ${index}` }));
    const { user } = reopen(JSON.stringify(half), others);
    await findEditor('Write a comment');
    await user.click(screen.getByRole('button', { name: 'Send comment' }));
    const list = await screen.findByRole('list', { name: 'Comments' });
    expect(await within(list).findByText('Half a thought')).toBeVisible();
    expect(within(list).getAllByRole('listitem')).toHaveLength(4);
  });

  it.each(['{"type":"doc","content":[{"type":"evil"}]}', '{', 'null', '[]'])(
    'is ignored if it is %s',
    async (draft) => {
      reopen(draft);
      expect(await screen.findByRole('button', { name: 'Write a comment or @mention' })).toBeVisible();
    },
  );
});

describe('offline', () => {
  const waits = [...mutationRetryDelays];
  beforeEach(
    () =>
      void Object.assign(
        mutationRetryDelays,
        waits.map(() => 1),
      ),
  );
  afterEach(() => void Object.assign(mutationRetryDelays, waits));

  const unsent = 'Not sent yet. Nimo will send it when you’re back online.';

  async function write(place: 'answer' | 'comment') {
    const stored = newAnswer({ author: ishaAsAuthor });
    const opened = openQuestion([], {
      createAnswer: () => stored,
      createQuestionComment: () => newComment({ author: ishaAsAuthor, body: 'On the train' }),
    });
    const { user } = opened;
    const opener = place === 'answer' ? 'Add Your Answer' : 'Write a comment or @mention';
    await user.click(await screen.findByRole('button', { name: opener }));
    const field = await findEditor(place === 'answer' ? 'Your answer' : 'Write a comment');
    act(() => field.focus());
    await user.keyboard('On the train');
    return { ...opened, field };
  }

  it.each([
    ['answer', 'AddAnswer'],
    ['comment', 'AddQuestionComment'],
  ] as const)(
    'keeps the unsent %s with a notice, and sends it once when the connection is back',
    async (place, sent) => {
      const { api, user, field } = await write(place);
      const reconnect = loseConnection();
      await user.keyboard('{Control>}{Enter}{/Control}');
      expect(await screen.findByText(unsent)).toBeVisible();
      expect(field).toHaveTextContent('On the train');
      reconnect();
      await waitFor(() => expect(api.calls(sent)).toHaveLength(1));
      await waitFor(() => expect(screen.queryByText(unsent)).not.toBeInTheDocument());
      expect(api.calls(sent)[0]?.variables['body']).toContain('On the train');
    },
  );

  it('does not resend a text that was changed since', async () => {
    const { api, user, field } = await write('answer');
    const reconnect = loseConnection();
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(await screen.findByText(unsent)).toBeVisible();
    act(() => field.focus());
    await user.keyboard(', half');
    fireEvent.input(field);
    expect(screen.queryByText(unsent)).not.toBeInTheDocument();
    reconnect();
    await waitFor(() => expect(screen.queryByText(/^You are offline/)).not.toBeInTheDocument());
    expect(api.calls('AddAnswer')).toHaveLength(0);
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    await waitFor(() => expect(api.calls('AddAnswer')).toHaveLength(1));
  });
});

describe('live updates', () => {
  it('refetch the question and its answers on a signal from the API', async () => {
    const { api, question } = openQuestion();
    expect(await screen.findByText('No answers yet')).toBeVisible();
    await waitFor(() =>
      expect(api.live.listeners('QuestionUpdated')).toEqual([{ questionId: question._id }]),
    );
    const changed = { ...question, answerCount: 1 };
    api.change({
      getQuestionByIdWithUserAuthorization: () => changed,
      getPaginatedAnswers: () => pageOf([newAnswer({ body: '<p>Just now.</p>' })]),
    });
    api.live.announce('QuestionUpdated', { questionUpdated: { questionId: question._id, sequence: 7 } });
    expect(await screen.findByText('Just now.')).toBeVisible();
    expect(await screen.findByRole('heading', { name: '1 Answer' })).toBeVisible();
  });

  it('keep comments and answers expanded', async () => {
    const comments = ['One', 'Two', 'Three', 'Four'].map((body) => newComment({ body }));
    const answers = ['Fifth', 'Sixth'].map((body) => newAnswer({ body: `<p>${body}</p>` }));
    const page =
      (rows: readonly object[], each: number) =>
      ({ paginateOptions }: Record<string, unknown>) => {
        const number = (paginateOptions as { page: number }).page;
        return pageOf(rows.slice((number - 1) * each, number * each), number, Math.ceil(rows.length / each));
      };
    const { api, user, question } = openQuestion([], {
      getPaginatedQuestionComments: page(comments, 2),
      getPaginatedAnswers: page(answers, 1),
    });
    await user.click(await screen.findByRole('button', { name: 'View all' }));
    await user.click(screen.getByRole('button', { name: 'Load more comments' }));
    await user.click(screen.getByRole('button', { name: 'Load more answers' }));
    expect(await screen.findByText('Four')).toBeVisible();
    expect(await screen.findByText('Sixth')).toBeVisible();
    await waitFor(() =>
      expect(screen.getByText('Sixth').closest('article')).toContainElement(
        document.activeElement as HTMLElement,
      ),
    );
    const reads = api.calls('QuestionComments').length;
    comments.splice(3, 1, newComment({ body: 'In its place' }));
    await waitFor(() => expect(api.live.listeners('QuestionUpdated')).toHaveLength(1));
    act(() =>
      api.live.announce('QuestionUpdated', { questionUpdated: { questionId: question._id, sequence: 7 } }),
    );
    expect(await screen.findByText('In its place')).toBeVisible();
    expect(screen.queryByText('Four')).not.toBeInTheDocument();
    expect(screen.getByText('Sixth')).toBeVisible();
    expect(api.calls('QuestionComments')).toHaveLength(reads + 1);
  });

  const log = () => screen.getByRole('log', { name: 'Announcements' });
  const listening = (api: ReturnType<typeof fakeApi>) =>
    waitFor(() => expect(api.live.listeners('QuestionUpdated')).toHaveLength(1));

  it('announce posts of others and an accepted answer', async () => {
    const answer = newAnswer();
    const { api, question } = openQuestion([answer]);
    expect(await screen.findByText('Because of scattering.')).toBeVisible();
    await listening(api);
    const say = (changes: object, answers: object[]) => {
      api.change({
        getQuestionByIdWithUserAuthorization: () => ({ ...question, ...changes }),
        getPaginatedAnswers: () => pageOf(answers),
      });
      api.live.announce('QuestionUpdated', { questionUpdated: { questionId: question._id, ordinal: 7 } });
    };
    const announced: string[] = [];
    const next = async (...texts: string[]) => {
      announced.push(...texts);
      await waitFor(() =>
        expect(Array.from(log().children, ({ textContent }) => textContent).sort()).toEqual(announced.sort()),
      );
    };
    const commented = { ...answer, commentsCount: 1, comments: [newComment()] };
    say({ answerCount: 1, commentsCount: 2 }, [commented]);
    await next('1 new answer', '2 new comments on the question', '1 new comment on the answer by meera_nair');
    say({ answerCount: 1, commentsCount: 2, acceptedAnswer: { _id: answer._id } }, [commented]);
    await next('An answer was accepted');
    // A deletion is not announced.
    say({ answerCount: 1, commentsCount: 1, acceptedAnswer: { _id: answer._id } }, [answer]);
    expect(await screen.findByText('Accepted')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('Good point.')).not.toBeInTheDocument());
    await next();
  });

  it("do not announce the reader's own posts, however early they are counted", async () => {
    const { api, user, question } = openQuestion();
    await listening(api);
    const signal = () =>
      api.live.announce('QuestionUpdated', { questionUpdated: { questionId: question._id, ordinal: 7 } });
    const changed = (commentsCount: number) => {
      api.change({ getQuestionByIdWithUserAuthorization: () => ({ ...question, commentsCount }) });
      signal();
    };
    let confirm = () => {};
    const confirmed = new Promise<void>((resolve) => (confirm = resolve));
    api.change({
      createQuestionComment: async () => {
        await confirmed;
        return newComment({ author: ishaAsAuthor });
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Write a comment or @mention' }));
    const box = await findEditor('Write a comment');
    act(() => box.focus());
    await user.keyboard('Mine');
    await user.click(screen.getByRole('button', { name: 'Send comment' }));
    await waitFor(() => expect(api.calls('AddQuestionComment')).toHaveLength(1));
    const reads = api.calls('OwnQuestion').length;
    changed(1);
    await waitFor(() => expect(api.calls('OwnQuestion').length).toBeGreaterThan(reads));
    confirm();
    expect(await screen.findByText('Good point.')).toBeVisible();
    changed(2);
    await waitFor(() => expect(log()).toHaveTextContent(/^Comment posted1 new comment on the question$/));
  });
});
