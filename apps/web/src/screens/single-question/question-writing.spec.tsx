import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../../features/comments/comment-editor';
import '../../features/editor/rich-text-editor';
import {
  isha,
  ishaAsAuthor,
  newAnswer,
  newQuestionDetail,
  pageOf,
  space,
  spaceAnswers,
} from '../../testing/ask-fixtures';
import { fakeApi, type Answers } from '../../testing/fake-api';
import { newAuthor } from '../../testing/fixtures';
import { renderApp } from '../../testing/render-app';
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
  it('search the members of the space, are chosen by keyboard and are sent by id', async () => {
    const members = [newAuthor({ userName: 'meera_n' }), newAuthor({ userName: 'meenakshi' })];
    const { api, user, question } = openQuestion([], {
      searchUsers: () => ({ hits: members }),
      createQuestionComment: () => ({ _id: 'c' }),
    });
    await user.click(await screen.findByRole('button', { name: 'Write a comment, @ mentions someone' }));
    const box = await screen.findByRole('textbox', { name: 'Write a comment' });
    act(() => box.focus());
    await user.keyboard('Ask @mee');
    const list = within(await screen.findByRole('listbox', { name: 'People to mention' }));
    expect(await list.findAllByRole('option')).toHaveLength(2);
    expect(api.calls('MentionCandidates').at(-1)?.variables).toMatchObject({
      space: space._id,
      search: 'mee',
    });
    await user.keyboard('{ArrowDown}');
    await waitFor(() =>
      expect(list.getByRole('option', { name: /meenakshi/ })).toHaveAttribute('aria-selected', 'true'),
    );
    await user.keyboard('{Enter}');
    await waitFor(() => expect(box).toHaveTextContent('@meenakshi'));
    await user.click(screen.getByRole('button', { name: 'Send comment' }));
    await waitFor(() => expect(api.calls('AddQuestionComment')).toHaveLength(1));
    expect(api.calls('AddQuestionComment')[0]?.variables).toEqual({
      questionId: question._id,
      body: `Ask @[${members[1]?._id}]`,
    });
  });
});

describe('images in a dialog', () => {
  it('come in by paste and by drop, are uploaded first and go behind those that are there', async () => {
    URL.createObjectURL = () => `blob:${Math.random()}`;
    URL.revokeObjectURL = () => undefined;
    const answer = newAnswer({ author: ishaAsAuthor, imageUrls: ['/media/a.webp'] });
    const { api, user } = openQuestion([answer], {
      updateAnswer: () => answer,
      getPresignedS3Url: () => ({ url: '/upload/slot', key: 'stored.webp' }),
    });
    await user.click(await screen.findByRole('button', { name: 'More actions for the answer by isha_p' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Edit' }));
    const dialog = await screen.findByRole('dialog', { name: 'Edit your Answer' });
    const images = within(dialog).getByRole('group', { name: 'Images' });
    const text = new File(['x'], 'x.txt', { type: 'text/plain' });
    fireEvent.paste(images, { clipboardData: { files: [png('pasted.png')], getData: () => '' } });
    fireEvent.drop(within(images).getByText(/Drop or paste/), {
      dataTransfer: { files: [png('dropped.png'), text] },
    });
    expect(await within(images).findByText('3 of 10')).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Submit' }));
    expect(await screen.findByText('Answer updated successfully!')).toBeVisible();
    expect(api.uploads).toHaveLength(2);
    expect(api.calls('EditAnswer')[0]?.variables).toMatchObject({
      imageUrls: ['/media/a.webp', '/media/stored.webp', '/media/stored.webp'],
    });
  });

  it('leave pasted text alone', async () => {
    const { user } = openQuestion();
    await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
    const images = await screen.findByRole('group', { name: 'Images' });
    // True says that nobody prevented it.
    expect(fireEvent.paste(images, { clipboardData: { files: [], getData: () => 'words' } })).toBe(true);
    expect(within(images).getByText('0 of 10')).toBeVisible();
  });
});

describe('a draft of an answer', () => {
  it('is there again after a reload, with links that may not be followed taken out', async () => {
    const { user, question, unmount } = openQuestion();
    await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
    const field = await screen.findByRole('textbox', { name: 'Your answer' });
    act(() => field.focus());
    await user.keyboard('Half an answer');
    const key = `draft:${isha._id}:answer-to:${question._id}`;
    await waitFor(() => expect(localStorage.getItem(key)).toContain('Half an answer'));
    const hostile = '<p>Half <a href="javascript:alert(1)">a link</a></p>';
    unmount();
    localStorage.setItem(key, JSON.stringify({ body: hostile }));
    renderApp(`/singleQuestion/${question._id}/home`, { user: isha, space });
    await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
    expect(await screen.findByText('Your draft is back.')).toBeVisible();
    const editor = await screen.findByRole('textbox', { name: 'Your answer' });
    expect(editor).toHaveTextContent('Half a link');
    expect(within(editor).queryByRole('link')).not.toBeInTheDocument();
  });
});

describe('live updates', () => {
  it('read the question and its answers again when the api says that they changed', async () => {
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
    api.live.announce('QuestionUpdated', { questionUpdated: { questionId: question._id, ordinal: 7 } });
    expect(await screen.findByText('Just now.')).toBeVisible();
    expect(await screen.findByRole('heading', { name: '1 Answer' })).toBeVisible();
  });
});
