import { describe, it } from '@jest/globals';
import type { AnswerDeleted, AnswerEdited } from '../events.js';
import { answerPosted, newActor, newId, newModerator } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import {
  deleteAnswer,
  editAnswer,
  eraseAnswerWords,
  postAnswer,
  type EditAnswer,
  type PostAnswer,
} from './answer.decide.js';
import { answerDecider } from './answer.state.js';

const author = newActor();
const posted = answerPosted({ authorId: author.studentId, imageUrls: ['/media/1.webp'] });
const { answerId, questionId, spaceId, questionAuthorId, authorId, body } = posted.data;
const question = { questionId, spaceId, authorId: questionAuthorId, removed: false };
const deleted: AnswerDeleted = {
  type: 'AnswerDeleted',
  data: { answerId, questionId, spaceId, authorId, reason: null },
};

describe('postAnswer', () => {
  const post = (changes: Partial<PostAnswer> = {}): PostAnswer => ({
    actor: author,
    isMember: true,
    answerId,
    question,
    body,
    imageUrls: ['/media/1.webp'],
    ...changes,
  });
  const posting = (changes: Partial<PostAnswer> = {}) =>
    given(answerDecider).when((s) => postAnswer(post(changes), s));

  it('posts with all IDs that a projection needs', () => posting().then(posted));
  it('lets the question author answer', () =>
    given(answerDecider)
      .when((s) => postAnswer(post({ question: { ...question, authorId } }), s))
      .then(answerPosted({ ...posted.data, questionAuthorId: authorId })));
  it.each(['', '<p></p>', '<p>&nbsp;&#8203;</p><p><br/></p>', '<ul><li></li></ul>'])(
    'requires visible content instead of %j',
    (blank) => posting({ body: blank }).thenRefused('ANSWER_BODY_REQUIRED'),
  );
  it('accepts a formula as content', () => {
    const formula = '<p><span data-tex="x^2"></span></p>';
    posting({ body: formula }).then(answerPosted({ ...posted.data, body: formula }));
  });
  it('refuses eleven images', () =>
    posting({ imageUrls: Array<string>(11).fill('/media/a.webp') }).thenRefused('TOO_MANY_IMAGES'));
  it('refuses an empty image address', () => posting({ imageUrls: [' '] }).thenRefused('IMAGE_URL_INVALID'));
  it('refuses a body over 64 KiB', () =>
    posting({ body: 'a'.repeat(64 * 1024 + 1) }).thenRefused('BODY_TOO_LONG'));
  it('refuses a removed question', () =>
    posting({ question: { ...question, removed: true } }).thenRefused('QUESTION_NOT_FOUND'));
  it('refuses an unknown question', () => posting({ question: undefined }).thenRefused('QUESTION_NOT_FOUND'));
  it('requires a member who is not blocked', () => {
    posting({ isMember: false }).thenRefused('NOT_A_MEMBER');
    posting({ actor: newActor({ blocked: true }) }).thenRefused('STUDENT_BLOCKED');
  });
  it('posts the same ID once', () =>
    given(answerDecider, posted)
      .when((s) => postAnswer(post(), s))
      .thenNothingHappens());
});

describe('editAnswer', () => {
  const edit = (changes: Partial<EditAnswer> = {}): EditAnswer => ({
    actor: author,
    isMember: true,
    removed: false,
    body: '<p>Better.</p>',
    ...changes,
  });
  const editing = (changes: Partial<EditAnswer> = {}) =>
    given(answerDecider, posted).when((s) => editAnswer(edit(changes), s));
  const edited = (imageUrls: readonly string[]): AnswerEdited => ({
    type: 'AnswerEdited',
    data: { answerId, questionId, spaceId, authorId, body: '<p>Better.</p>', imageUrls },
  });

  it('keeps the images by default', () => editing().then(edited(['/media/1.webp'])));
  it('removes images', () => editing({ imageUrls: [] }).then(edited([])));
  it('records nothing if nothing changes', () => editing({ body }).thenNothingHappens());
  it('requires visible content', () => editing({ body: '<p> </p>' }).thenRefused('ANSWER_BODY_REQUIRED'));
  it('refuses to overwrite a change made in another tab', () => {
    editing({ seen: { body, imageUrls: ['/media/1.webp'] } }).then(edited(['/media/1.webp']));
    editing({ seen: { body: '<p>Outdated.</p>' } }).thenRefused('POST_CHANGED');
    editing({ imageUrls: [], seen: { imageUrls: [] } }).thenRefused('POST_CHANGED');
    editing({ seen: { imageUrls: [] } }).then(edited(['/media/1.webp']));
  });
  it('refuses everyone but the author', () => {
    editing({ actor: newActor() }).thenRefused('FORBIDDEN');
    editing({ actor: newModerator() }).thenRefused('FORBIDDEN');
  });
  it('requires membership', () => editing({ isMember: false }).thenRefused('NOT_A_MEMBER'));
  it('refuses a removed, a deleted and an unknown answer', () => {
    editing({ removed: true }).thenRefused('ANSWER_NOT_FOUND');
    given(answerDecider, posted, deleted)
      .when((s) => editAnswer(edit(), s))
      .thenRefused('ANSWER_NOT_FOUND');
    given(answerDecider)
      .when((s) => editAnswer(edit(), s))
      .thenRefused('ANSWER_NOT_FOUND');
  });
});

describe('eraseAnswerWords', () => {
  const { answerId, questionId, spaceId, authorId } = posted.data;
  const erased = { type: 'AnswerWordsErased', data: { answerId, questionId, spaceId, authorId } } as const;
  it('clears the content once', () => {
    given(answerDecider, posted).when(eraseAnswerWords).then(erased);
    given(answerDecider, posted, erased).when(eraseAnswerWords).thenNothingHappens();
  });
});

describe('deleteAnswer', () => {
  const deleting = (actor: typeof author, reason: string | null) =>
    given(answerDecider, posted).when((s) => deleteAnswer({ actor, reason }, s));

  it('lets the author delete', () => deleting(author, null).then(deleted));
  it('lets a moderator of the space delete with a reason', () =>
    deleting(newModerator(spaceId), 'rude').then({ ...deleted, data: { ...deleted.data, reason: 'rude' } }));
  it('requires a reason from a moderator', () =>
    deleting(newModerator(), null).thenRefused('DELETE_REASON_REQUIRED'));
  it('refuses a reason that is too long', () =>
    deleting(newModerator(), 'a'.repeat(1_001)).thenRefused('REASON_TOO_LONG'));
  it('refuses others, including the question author', () => {
    deleting(newActor(), 'r').thenRefused('FORBIDDEN');
    deleting(newActor({ studentId: questionAuthorId }), 'r').thenRefused('FORBIDDEN');
    deleting(newModerator(newId()), 'r').thenRefused('FORBIDDEN');
  });
  it('deletes once', () =>
    given(answerDecider, posted, deleted)
      .when((s) => deleteAnswer({ actor: author, reason: null }, s))
      .thenNothingHappens());
  it('refuses an unknown answer', () =>
    given(answerDecider)
      .when((s) => deleteAnswer({ actor: author, reason: null }, s))
      .thenRefused('ANSWER_NOT_FOUND'));
});
