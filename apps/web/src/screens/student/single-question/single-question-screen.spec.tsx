import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../../../features/editor/rich-text-editor';
import '../../../features/gallery/lightbox';
import '../../../features/questions/question-form';
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
import { findEditor } from '../../../testing/find-editor';
import { renderApp } from '../../../testing/render-app';
import './single-question-screen';

interface Page {
  question?: ReturnType<typeof newQuestionDetail>;
  answers?: ReturnType<typeof newAnswer>[];
  comments?: ReturnType<typeof newComment>[];
  api?: Answers;
  type?: 'home' | 'profile';
}

function openQuestion({
  question = newQuestionDetail(),
  answers = [],
  comments = [],
  api = {},
  type = 'home',
}: Page = {}) {
  const fake = fakeApi({ ...spaceAnswers({ questions: [question], answers, comments }), ...api });
  const view = renderApp(`/singleQuestion/${question._id}/${type}`, { user: isha, space });
  return { api: fake, user: userEvent.setup(), question, ...view };
}

type User = ReturnType<typeof userEvent.setup>;

async function choose(user: User, menu: string | RegExp, item: string) {
  await user.click(await screen.findByRole('button', { name: menu }));
  await user.click(await screen.findByRole('menuitem', { name: item }));
}

const questionMenu = 'More actions for this question';
const byIsha = (changes: object = {}) =>
  newQuestionDetail({ author: ishaAsAuthor, mayAccept: true, ...changes });
const mine = [{ _id: isha._id }];
/** Texts announced to screen readers, except toasts. */
const announced = () =>
  Array.from(screen.getByRole('log', { name: 'Announcements' }).children, ({ textContent }) => textContent);

beforeEach(() => localStorage.clear());

it('says that a question of another space of the reader is read-only there', async () => {
  const elsewhere = { ...space, _id: 'other', name: 'French' };
  openQuestion({ question: newQuestionDetail({ isAuthorizedToInteract: false, space: elsewhere }) });
  expect(await screen.findByText(/^You can only read in French:/)).toBeVisible();
});

/** A question of a space that the reader has not joined. */
const ofGuest = { isAuthorizedToInteract: false, space: { ...space, joined: false } };

describe('the question page', () => {
  it.each([
    ['home', '/dashboard'],
    ['profile', '/profile'],
  ] as const)('opened from %s returns to %s', async (type, address) => {
    openQuestion({ type });
    expect(await screen.findByRole('link', { name: 'Back' })).toHaveAttribute('href', address);
  });

  it('sets the direction of the title by its own first letter', async () => {
    openQuestion({ question: newQuestionDetail({ title: 'ما هو HTML؟' }) });
    expect(await screen.findByRole('heading', { name: 'ما هو HTML؟' })).toHaveAttribute('dir', 'auto');
  });

  it('uses the question as document title', async () => {
    const { question } = openQuestion();
    await waitFor(() => expect(document.title).toBe(`${question.title} | Nimo`));
  });

  it.each([
    ['no question has the ID', () => null],
    [
      'the ID is malformed',
      () => {
        throw apiError('id is not a valid id.', 'VALIDATION_FAILED', 'questionId', 'ID_MALFORMED');
      },
    ],
  ])('reports a missing question if %s', async (_, answer) => {
    openQuestion({ api: { getQuestionByIdWithUserAuthorization: answer } });
    expect(await screen.findByRole('heading', { name: 'Question not found' })).toBeVisible();
  });

  it.each([
    ['singleQuestion', 'a student', { user: isha, space }],
    ['question', 'a visitor', undefined],
  ])('shows /%s to %s even if the answers fail to load', async (page, _, session) => {
    const question = newQuestionDetail();
    const getPaginatedAnswers = () => {
      throw apiError('Something went wrong.', 'INTERNAL');
    };
    const api = fakeApi({ ...spaceAnswers({ questions: [question] }), getPaginatedAnswers });
    renderApp(`/${page}/${question._id}${session ? '/home' : ''}`, session);
    expect(await screen.findByRole('heading', { name: question.title })).toBeVisible();
    expect(await screen.findByRole('region', { name: 'Comments on the question' })).toBeVisible();
    api.change({ getPaginatedAnswers: () => pageOf([newAnswer({ body: '<p>Here again.</p>' })]) });
    const answers = within(screen.getByRole('region', { name: /Answer/ }));
    await userEvent.click(await answers.findByRole('button', { name: 'Try again' }));
    expect(await answers.findByText('Here again.')).toBeVisible();
  });

  it('shows its author the text and why moderators removed it', async () => {
    const removal = {
      ...{ postId: 'q', postType: 'QUESTION', title: 'Buy this?', body: '<p>Cheap</p>' },
      ...{ reason: 'No advertising here', at: '2026-05-01T12:00:00.000Z' },
    };
    openQuestion({
      api: { getQuestionByIdWithUserAuthorization: () => null, getOwnRemovals: () => [removal] },
    });
    const note = within(await screen.findByRole('note', { name: 'A moderator removed your question' }));
    expect(note.getByText('Reason: No advertising here')).toBeVisible();
    expect(note.getByText('Cheap')).toBeVisible();
    expect(note.getByText(/^Do you disagree\? Ask another moderator of this space/)).toBeVisible();
    expect(screen.queryByText('Question not found')).toBeNull();
  });

  it.each([
    ['objections@school.example', 'mailto:objections@school.example'],
    ['https://school.example/objections', 'https://school.example/objections'],
    ['javascript:alert(1)', null],
    ['Ms Rao, room 12', null],
  ])('tells its author where to object to a removal: %s', async (objectTo, address) => {
    const removal = {
      ...{ postId: 'q', postType: 'QUESTION', title: 'Buy this?', body: '<p>Cheap</p>' },
      ...{ reason: 'No advertising here', at: '2026-05-01T12:00:00.000Z', objectTo },
    };
    openQuestion({
      api: { getQuestionByIdWithUserAuthorization: () => null, getOwnRemovals: () => [removal] },
    });
    const note = await screen.findByRole('note', { name: 'A moderator removed your question' });
    expect(note).toHaveTextContent(`Do you disagree? You can object here: ${objectTo}`);
    const link = within(note).queryByRole('link', { name: objectTo });
    expect(link?.getAttribute('href') ?? null).toBe(address);
  });

  it('copies the public link', async () => {
    const { user, question } = openQuestion();
    await user.click(await screen.findByRole('button', { name: 'Copy' }));
    expect(await screen.findByText('Copied!')).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/question/${question._id}`);
  });

  it('is read-only for a student from another space', async () => {
    openQuestion({ question: newQuestionDetail(ofGuest), answers: [newAnswer()] });
    expect(await screen.findByText(/Join Greenfield High to take part/)).toBeVisible();
    for (const name of ['Add Your Answer', 'Save', questionMenu, 'Send comment'])
      expect(screen.queryByRole('button', { name })).not.toBeInTheDocument();
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
  });

  it('can be read and saved by a member who cannot write, and leads to people', async () => {
    const question = newQuestionDetail({ isAuthorizedToInteract: false });
    const answer = newAnswer();
    const { api, user } = openQuestion({
      question,
      answers: [answer],
      api: { saveQuestion: () => ({ _id: 's' }) },
    });
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('button', { name: 'Saved' })).toBeVisible();
    expect(screen.queryByText(/to take part/)).not.toBeInTheDocument();
    for (const name of ['Add Your Answer', questionMenu, 'Send comment'])
      expect(screen.queryByRole('button', { name })).not.toBeInTheDocument();
    const upvote = screen.getAllByRole('button', { name: 'Upvote, 0' });
    for (const button of upvote) expect(button).toHaveAttribute('aria-disabled', 'true');
    for (const button of upvote) await user.click(button);
    expect(api.calls('UpvoteQuestion')).toEqual([]);
    expect(api.calls('UpvoteAnswer')).toEqual([]);
    expect(screen.queryByText('Know the answer? Share it here.')).not.toBeInTheDocument();
    await user.hover(upvote[0] as HTMLElement);
    expect(await screen.findByText('You can only read in this space.')).toBeVisible();
    expect(screen.getAllByRole('link', { name: answer.author.userName })).not.toEqual([]);
  });
});

describe('votes', () => {
  it('change once the API has confirmed, with a toast for a question', async () => {
    const question = newQuestionDetail({ upvoteCount: 4 });
    let confirm = () => {};
    const confirmed = new Promise<void>((resolve) => (confirm = resolve));
    const upvoteQuestion = async () => {
      await confirmed;
      return { _id: 'v', question: { ...question, upvoteCount: 5, upvotedBy: mine } };
    };
    const { user } = openQuestion({ question, api: { upvoteQuestion } });
    await user.click(await screen.findByRole('button', { name: 'Upvote, 4' }));
    expect(screen.getByRole('button', { name: 'Upvote, 4' })).toBeVisible();
    confirm();
    expect(await screen.findByRole('button', { name: 'Remove upvote, 5' })).toBeVisible();
    expect(await screen.findByText('Question upvoted successfully!')).toBeVisible();
    expect(announced()).toEqual([]);
    expect(screen.getByRole('button', { name: 'Remove upvote, 5' })).toHaveFocus();
  });

  it('show a separate toast for a downvote', async () => {
    const question = newQuestionDetail();
    const downvoteQuestion = () => ({
      _id: 'v',
      question: { ...question, downvoteCount: 1, downvotedBy: mine },
    });
    const { user } = openQuestion({ question, api: { downvoteQuestion } });
    await user.click(await screen.findByRole('button', { name: 'Downvote, 0' }));
    expect(await screen.findByText('Question downvoted successfully!')).toBeVisible();
  });

  it.each([
    ['upvote', 'Upvote'],
    ['downvote', 'Downvote'],
  ])('are withdrawn without a toast: %s', async (vote, name) => {
    const given = { [`${vote}Count`]: 5, [`${vote}dBy`]: mine };
    const question = newQuestionDetail(given);
    const taken = { ...question, [`${vote}Count`]: 4, [`${vote}dBy`]: [] };
    const { user } = openQuestion({
      question,
      api: { [`${vote}Question`]: () => ({ _id: 'v', question: taken }) },
    });
    const button = await screen.findByRole('button', { name: `Remove ${vote}, 5` });
    await user.hover(button);
    expect(await screen.findByText(`Remove ${vote}`)).toBeVisible();
    await user.click(button);
    expect(await screen.findByRole('button', { name: `${name}, 4` })).toHaveFocus();
    expect(screen.queryByText(/voted successfully/)).not.toBeInTheDocument();
    await waitFor(() => expect(announced()).toEqual([`${name} removed`]));
  });

  it('apply the last press, even during a request, and count a double click once', async () => {
    const question = newQuestionDetail();
    let confirm = () => {};
    const confirmed = new Promise<void>((resolve) => (confirm = resolve));
    const upvoteQuestion = async () => {
      await confirmed;
      return { _id: 'v', question: { ...question, upvoteCount: 1, upvotedBy: mine } };
    };
    const downvoteQuestion = () => ({
      _id: 'v',
      question: { ...question, downvoteCount: 1, downvotedBy: mine },
    });
    const { api, user } = openQuestion({ question, api: { upvoteQuestion, downvoteQuestion } });
    await user.dblClick(await screen.findByRole('button', { name: 'Upvote, 0' }));
    await user.click(screen.getByRole('button', { name: 'Downvote, 0' }));
    expect(api.calls('DownvoteQuestion')).toHaveLength(0);
    confirm();
    expect(await screen.findByRole('button', { name: 'Remove downvote, 1' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Upvote, 0' })).toBeVisible();
    expect(api.calls('UpvoteQuestion')).toHaveLength(1);
  });

  it('on an answer are announced to screen readers without a toast', async () => {
    const answer = newAnswer({ upvoteCount: 7 });
    const upvoteAnswer = () => ({ _id: 'v', answer: { ...answer, upvoteCount: 8, upvotedBy: mine } });
    const { user } = openQuestion({ answers: [answer], api: { upvoteAnswer } });
    await user.click(await screen.findByRole('button', { name: 'Upvote, 7' }));
    expect(await screen.findByRole('button', { name: 'Remove upvote, 8' })).toBeVisible();
    await waitFor(() => expect(announced()).toEqual(['Answer upvoted']));
    expect(screen.queryByText(/upvoted successfully/)).not.toBeInTheDocument();
  });

  it("are disabled on the student's own posts", async () => {
    const { api, user } = openQuestion({ question: byIsha() });
    const upvote = await screen.findByRole('button', { name: 'Upvote, 0' });
    expect(upvote).toHaveAttribute('aria-disabled', 'true');
    await user.click(upvote);
    expect(api.calls('UpvoteQuestion')).toHaveLength(0);
  });

  it("change nothing if refused, and show the API's message", async () => {
    const { user } = openQuestion({
      api: {
        upvoteQuestion: () => {
          throw apiError('Too many votes. Try again later.', 'TOO_MANY_REQUESTS');
        },
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Upvote, 0' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Too many votes. Try again later.');
    expect(screen.getByRole('button', { name: 'Upvote, 0' })).toBeVisible();
  });
});

describe('bookmarks', () => {
  it('toggle between Save and Saved', async () => {
    const { user, question } = openQuestion({
      api: { saveQuestion: () => ({ _id: 'x' }), unsaveQuestion: () => ({ _id: 'x' }) },
    });
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    await user.click(await screen.findByRole('button', { name: 'Saved' }));
    expect(await screen.findByRole('button', { name: 'Save' })).toBeVisible();
    expect(question.isSaved).toBe(false);
  });
});

describe('deleting', () => {
  it('asks for confirmation, then leaves the page', async () => {
    const { api, user, question, address } = openQuestion({
      question: byIsha(),
      api: { deleteQuestionById: ({ id }) => ({ _id: id }) },
    });
    await choose(user, questionMenu, 'Delete');
    const dialog = within(await screen.findByRole('dialog', { name: 'Are you sure?' }));
    expect(dialog.getByText("You won't be able to revert this!")).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(api.calls('DeleteQuestion')).toHaveLength(0);
    await choose(user, questionMenu, 'Delete');
    await user.click(await screen.findByRole('button', { name: 'Yes, delete it!' }));
    expect(await screen.findByText('Question deleted successfully!')).toBeVisible();
    expect(api.calls('DeleteQuestion')[0]?.variables).toEqual({ id: question._id });
    await waitFor(() => expect(address()).toBe('/dashboard'));
  });

  it('removes an answer from the list', async () => {
    const { user } = openQuestion({
      answers: [newAnswer({ author: ishaAsAuthor })],
      api: { deleteAnswerById: ({ id }) => ({ _id: id }) },
    });
    await choose(user, 'More actions for the answer by isha_p', 'Delete');
    await user.click(await screen.findByRole('button', { name: 'Yes, delete it!' }));
    expect(await screen.findByText('Answer deleted successfully!')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('Because of scattering.')).not.toBeInTheDocument());
  });

  it.each([
    ['question', 'deleteQuestionCommentById', 'Question comment deleted successfully!'],
    ['answer', 'deleteCommentById', 'Answer comment deleted successfully!'],
  ])('removes a comment on the %s', async (kind, field, message) => {
    const comment = newComment({ author: ishaAsAuthor });
    const { user } = openQuestion({
      ...(kind === 'question' ? { comments: [comment] } : { answers: [newAnswer({ comments: [comment] })] }),
      api: { [field]: ({ id }) => ({ _id: id }) },
    });
    await choose(user, 'More actions for the comment by isha_p', 'Delete Comment');
    await user.click(await screen.findByRole('button', { name: 'Yes, delete it!' }));
    expect(await screen.findByText(message)).toBeVisible();
    await waitFor(() => expect(screen.queryByText('Good point.')).not.toBeInTheDocument());
    await waitFor(() =>
      expect(screen.getByRole('region', { name: new RegExp(`^Comments on the ${kind}`) })).toHaveFocus(),
    );
  });
});

describe('reporting', () => {
  const reasons = [
    'Its spam',
    'Nudity or sexual activity',
    'Hate picture or symbols',
    "I just don't like it",
    'Bullying or harassment',
    'Fasle information',
    'Violence or dangerous',
    'Scam or fraud',
    'Something else',
  ];

  it('requires one of nine reasons, then hides the post and remembers it', async () => {
    const answer = newAnswer();
    const { api, user } = openQuestion({ answers: [answer], api: { reportPost: () => ({ _id: 'r' }) } });
    await choose(user, 'More actions for the answer by meera_nair', 'Report');
    const dialog = within(await screen.findByRole('dialog', { name: 'Why are you reporting this post' }));
    expect(dialog.getByText('Your report is anonymous.')).toBeVisible();
    expect(
      dialog.getAllByRole('radio').map((radio) => (radio as HTMLInputElement).labels?.[0]?.textContent),
    ).toEqual(reasons);
    expect(dialog.getByRole('button', { name: 'Submit' })).toBeDisabled();
    await user.click(dialog.getByRole('radio', { name: 'Fasle information' }));
    await user.click(dialog.getByRole('button', { name: 'Submit' }));
    expect(await screen.findByText('Report sent successfully!')).toBeVisible();
    expect(api.calls('ReportPost')[0]?.variables).toEqual({
      postId: answer._id,
      postType: 'ANSWER',
      reason: 'Fasle information',
    });
    await waitFor(() => expect(screen.queryByText('Because of scattering.')).not.toBeInTheDocument());
    expect(localStorage.getItem(`hiddenPosts:${isha._id}`)).toContain(answer._id);
  });

  it('hides posts reported on another device', async () => {
    const answer = newAnswer();
    const reported = {
      _id: 'r',
      student: isha._id,
      post: answer._id,
      postType: 'ANSWER',
      reason: 'Its spam',
    };
    openQuestion({
      answers: [answer, newAnswer({ body: '<p>Another one.</p>' })],
      api: {
        getPaginatedPostReports: ({ postType }) => ({
          docs: postType === 'ANSWER' ? [reported] : [],
          page: 1,
          totalPages: 1,
        }),
      },
    });
    expect(await screen.findByText('Another one.')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('Because of scattering.')).not.toBeInTheDocument());
  });

  it('is for others; authors edit and delete', async () => {
    const { user } = openQuestion({ question: byIsha() });
    await user.click(await screen.findByRole('button', { name: questionMenu }));
    const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
    expect(items).toEqual(['Edit', 'Delete']);
  });
});

describe('accepting', () => {
  it('is offered to the author of an unsolved question, but not for their own answers', async () => {
    const answers = [newAnswer(), newAnswer({ author: ishaAsAuthor })];
    const question = byIsha();
    const { api, user } = openQuestion({ question, answers, api: { acceptAnswer: () => ({ _id: 'x' }) } });
    const accept = await screen.findAllByRole('button', { name: 'Accept' });
    expect(accept).toHaveLength(1);
    api.change({
      getQuestionByIdWithUserAuthorization: () => ({ ...question, acceptedAnswer: { _id: answers[0]?._id } }),
    });
    await user.click(accept[0] as HTMLElement);
    expect(await screen.findByText('Answer accepted successfully!')).toBeVisible();
    expect(await screen.findByText('Accepted')).toBeVisible();
    expect(announced()).toEqual([]);
    expect(screen.queryByRole('button', { name: 'Accept' })).not.toBeInTheDocument();
    // The button is gone, but the focus stays nearby.
    await waitFor(() => expect(screen.getAllByRole('article', { name: /^Answer by/ })[0]).toHaveFocus());
  });

  it('is offered to moderators for an author who has left, after a confirmation', async () => {
    const question = newQuestionDetail({ mayAccept: true });
    const answers = [
      newAnswer(),
      newAnswer({ author: ishaAsAuthor }),
      newAnswer({ author: question.author }),
    ];
    const { api, user } = openQuestion({ question, answers, api: { acceptAnswer: () => ({ _id: 'x' }) } });
    await user.click(await screen.findByRole('button', { name: 'Accept for the author' }));
    const dialog = await screen.findByRole('dialog', { name: 'Accept this answer for the author?' });
    expect(api.calls('AcceptAnswer')).toHaveLength(0);
    await user.click(within(dialog).getByRole('button', { name: 'Accept' }));
    await waitFor(() =>
      expect(api.calls('AcceptAnswer')[0]?.variables).toMatchObject({ answerId: answers[0]?._id }),
    );
  });

  it.each([
    ['another student', newQuestionDetail()],
    ['an author who accepted one already', byIsha({ acceptedAnswer: { _id: 'gone' } })],
  ])('is not offered to %s', async (_who, question) => {
    openQuestion({ question, answers: [newAnswer()] });
    expect(await screen.findByText('Because of scattering.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Accept' })).not.toBeInTheDocument();
  });
});

describe('comments', () => {
  it('show three, expand to all, and collapse', async () => {
    const comments = Array.from({ length: 5 }, (_, index) => newComment({ body: `Comment ${index}` }));
    const { user } = openQuestion({ comments });
    const shown = async () => (await screen.findAllByText(/^Comment \d$/)).length;
    expect(await shown()).toBe(3);
    await user.click(screen.getByRole('button', { name: 'View all' }));
    expect(await shown()).toBe(5);
    await user.click(screen.getByRole('button', { name: 'View less' }));
    expect(await shown()).toBe(3);
  });

  it('shows a mention as @name without markup, and the full date on hover', async () => {
    const comment = newComment({ body: 'Ask @[dev_s] <b>now</b>', mentions: ['dev_s'] });
    const { user } = openQuestion({ comments: [comment] });
    expect(await screen.findByText('@dev_s')).toBeVisible();
    const text = screen.getByText(/<b>now<\/b>/);
    expect(text).toBeVisible();
    const time = within(text.closest('li') as HTMLElement).getByRole('time');
    expect(time).toHaveAttribute('datetime', comment.createdAt);
    await user.hover(time);
    expect(await screen.findByText(/November 20, 2026/)).toBeVisible();
  });

  it('have a box for the question and for each answer', async () => {
    openQuestion({ answers: [newAnswer(), newAnswer({ author: ishaAsAuthor })] });
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Send comment' })).toHaveLength(3));
    expect(screen.getByRole('button', { name: 'Add Your Answer' })).toBeVisible();
  });

  it.each([
    ['isha_p', 'Delete Comment', ishaAsAuthor],
    ['meera_nair', 'Report Comment', undefined],
  ])('have one action on a comment by %s: %s', async (name, action, author) => {
    const { user } = openQuestion({ comments: [newComment(author && { author })] });
    await user.click(await screen.findByRole('button', { name: `More actions for the comment by ${name}` }));
    const items = await screen.findAllByRole('menuitem');
    expect(items.map(({ textContent }) => textContent)).toEqual([action]);
  });

  it('reject an empty one', async () => {
    const { api, user } = openQuestion();
    await user.click(await screen.findByRole('button', { name: 'Send comment' }));
    expect(await screen.findByText('Comment should not be empty!')).toBeVisible();
    expect(api.calls('AddQuestionComment')).toHaveLength(0);
    const opener = screen.getByRole('button', { name: 'Write a comment or @mention' });
    expect(opener).toHaveFocus();
    await user.click(opener);
    const box = await findEditor('Write a comment');
    await user.click(screen.getByRole('button', { name: 'Send comment' }));
    await waitFor(() => expect(box).toHaveFocus());
  });
});

describe('images', () => {
  it('open the fourth of seven, wrap around, and close on Escape after a reset', async () => {
    const imageUrls = Array.from({ length: 7 }, (_, index) => `/media/${index}.webp`);
    const answers = [
      newAnswer({ imageUrls: imageUrls.slice(1).map((url) => url.replace('media', 'media/a')) }),
    ];
    const { user } = openQuestion({ question: newQuestionDetail({ imageUrls }), answers });
    expect(await screen.findByRole('button', { name: 'Open image 3 of 6, 3 more' })).toBeVisible();
    await user.click(await screen.findByRole('button', { name: 'Open image 4 of 7, 3 more' }));
    expect(await screen.findByRole('dialog', { name: 'Image 4 of 7' })).toBeVisible();
    for (let step = 0; step < 4; step += 1)
      await user.click(screen.getByRole('button', { name: 'Next image' }));
    expect(screen.getByRole('dialog', { name: 'Image 1 of 7' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Zoom in' }));
    await user.keyboard('{ArrowRight}');
    expect(screen.getByRole('img', { name: 'Image 1 of 7' })).toHaveStyle({
      transform: 'translate(-20px, 0px) scale(1.3) rotate(0deg)',
    });
    await user.keyboard('{Escape}');
    expect(screen.getByRole('dialog', { name: 'Image 1 of 7' })).toBeVisible();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });
});

describe('answering', () => {
  it('requires a text, and focuses the empty field', async () => {
    const { api, user } = openQuestion();
    await user.click(await screen.findByRole('button', { name: 'Add Your Answer' }));
    const dialog = within(await screen.findByRole('form', { name: 'Add Your Answer' }));
    await user.click(dialog.getByRole('button', { name: 'Submit' }));
    expect(await dialog.findByText('Please add your answer')).toBeVisible();
    const field = await findEditor('Your answer');
    expect(field).toHaveFocus();
    expect(field).toHaveAttribute('aria-invalid', 'true');
    expect(field).toHaveAccessibleDescription('Please add your answer');
    expect(api.calls('AddAnswer')).toHaveLength(0);
  });

  it('keeps existing images when an answer is edited', async () => {
    const answer = newAnswer({ author: ishaAsAuthor, imageUrls: ['/media/a.webp', '/media/b.webp'] });
    const { api, user } = openQuestion({ answers: [answer], api: { updateAnswer: () => answer } });
    await choose(user, 'More actions for the answer by isha_p', 'Edit');
    await user.click(await screen.findByRole('button', { name: 'Remove image 1' }));
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    expect(await screen.findByText('Answer updated successfully!')).toBeVisible();
    expect(api.calls('EditAnswer')[0]?.variables).toEqual({
      id: answer._id,
      body: '<p>Because of scattering.</p>',
      imageUrls: ['/media/b.webp'],
      seen: { body: answer.body, imageUrls: answer.imageUrls },
    });
  });
});

describe('editing a question', () => {
  it('shows subject and topic, which cannot be changed', async () => {
    const question = byIsha();
    const { api, user } = openQuestion({ question, api: { updateQuestion: () => question } });
    await choose(user, questionMenu, 'Edit');
    const dialog = within(await screen.findByRole('form', { name: 'Edit your Question' }));
    expect(screen.getByRole('article', { name: /^Question/ })).toHaveTextContent('Physics');
    expect(dialog.queryByRole('combobox', { name: 'Subject' })).not.toBeInTheDocument();
    await user.type(dialog.getByRole('textbox', { name: /Title/ }), ' Really?');
    await user.click(dialog.getByRole('button', { name: 'Submit' }));
    expect(await screen.findByText('Question updated successfully!')).toBeVisible();
    expect(api.calls('EditQuestion')[0]?.variables).toMatchObject({
      id: question._id,
      title: 'Why is the sky blue? Really?',
      seen: { title: question.title, body: question.body, imageUrls: question.imageUrls },
    });
    expect(screen.queryByText('Draft saved')).not.toBeInTheDocument();
    expect(localStorage.getItem(`draft:${isha._id}:question:${question._id}`)).toBeNull();
  });

  it('is locked while it is sent, and unlocked if that fails', async () => {
    const question = byIsha();
    let refuse = () => {};
    const isRefused = new Promise<void>((resolve) => (refuse = resolve));
    const updateQuestion = async () => {
      await isRefused;
      throw apiError('Too many requests', 'TOO_MANY_REQUESTS');
    };
    const { api, user } = openQuestion({ question, api: { updateQuestion } });
    await choose(user, questionMenu, 'Edit');
    const dialog = await screen.findByRole('form', { name: 'Edit your Question' });
    const title = within(dialog).getByRole('textbox', { name: /Title/ });
    await user.type(title, ' Really?');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(api.calls('EditQuestion')).toHaveLength(1));
    expect(title.closest('[inert]')).not.toBeNull();
    expect(dialog).toHaveFocus();
    refuse();
    expect(await screen.findByText('Too many requests')).toBeVisible();
    await waitFor(() => expect(title).toHaveFocus());
    expect(title.closest('[inert]')).toBeNull();
    expect(title).toHaveValue('Why is the sky blue? Really?');
  });
});

describe('the panel next to the question', () => {
  const aside = () => screen.findByRole('complementary', { name: 'About this question' });

  it('shows when it was asked, and links to its subject and topic', async () => {
    const { question } = openQuestion({ question: newQuestionDetail({ acceptedAnswer: { _id: 'a' } }) });
    const { findByRole, getByText } = within(await aside());
    expect(await findByRole('link', { name: 'Physics' })).toHaveAttribute(
      'href',
      `/dashboard?subject=${question.subject._id}`,
    );
    expect(await findByRole('link', { name: 'Optics' })).toHaveAttribute(
      'href',
      `/dashboard?subject=${question.subject._id}&topic=${question.topic._id}`,
    );
    expect(getByText('Asked').nextElementSibling?.querySelector('time')).toHaveAttribute(
      'datetime',
      question.createdAt,
    );
    expect(getByText('Status').nextElementSibling).toHaveTextContent('Solved');
  });

  it.each(['home', 'profile'] as const)('shows similar questions, which also return to %s', async (type) => {
    const question = newQuestionDetail();
    const other = newQuestionDetail({ title: 'Why is the sea blue?' });
    const hits = [question, other].map((hit) => ({ _id: hit._id, question: hit, title: [], excerpt: [] }));
    const { api } = openQuestion({
      question,
      type,
      api: { getSimilarQuestions: () => ({ hits, degraded: false }) },
    });
    const links = within(await aside());
    expect(await links.findByRole('link', { name: 'Why is the sea blue?' })).toHaveAttribute(
      'href',
      `/singleQuestion/${other._id}/${type}`,
    );
    expect(links.getByText('Why is the sea blue?')).toHaveAttribute('dir', 'auto');
    expect(links.queryByRole('link', { name: question.title })).not.toBeInTheDocument();
    expect(api.calls('SimilarQuestions')[0]?.variables).toMatchObject({
      title: question.title,
      space: space._id,
    });
  });

  it('shows no similar questions to a student from another space', async () => {
    const { api } = openQuestion({ question: newQuestionDetail(ofGuest) });
    expect(await within(await aside()).findByText('Asked')).toBeVisible();
    expect(api.calls('SimilarQuestions')).toHaveLength(0);
  });
});

it('refetches what it missed while the live connection was down', async () => {
  const { api, question } = openQuestion();
  await screen.findByText('No answers yet');
  await waitFor(() => expect(api.live.listeners('QuestionUpdated')).toHaveLength(1));
  api.change({
    getQuestionByIdWithUserAuthorization: () => ({ ...question, answerCount: 1 }),
    getPaginatedAnswers: () => pageOf([newAnswer({ body: '<p>While you were away.</p>' })]),
  });
  act(() => api.live.drop());
  expect(await screen.findByText('While you were away.')).toBeVisible();
  await waitFor(() => expect(api.live.listeners('QuestionUpdated')).toHaveLength(1));
});
