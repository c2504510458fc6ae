import { describe, it } from '@jest/globals';
import type { CommentDeleted, CommentPosted } from '../events.js';
import { mention } from '../mentions.js';
import { newActor, newId, newModerator, newPost } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import {
  commentDecider,
  deleteComment,
  eraseCommentWords,
  postComment,
  type PostComment,
} from './comment.decide.js';

const author = newActor();
const parent = newPost({ postType: 'ANSWER', questionId: newId() });
const commentId = newId();
const posted = (changes: Partial<CommentPosted['data']> = {}): CommentPosted => ({
  type: 'CommentPosted',
  data: {
    commentId,
    parentType: 'ANSWER',
    parentId: parent.postId,
    questionId: parent.questionId,
    spaceId: parent.spaceId,
    parentAuthorId: parent.postAuthorId,
    authorId: author.studentId,
    body: 'Thanks',
    mentionedStudentIds: [],
    ...changes,
  },
});

describe('postComment', () => {
  const post = (changes: Partial<PostComment> = {}): PostComment => ({
    actor: author,
    isMember: true,
    commentId,
    parent,
    body: 'Thanks',
    mentionableIds: [],
    ...changes,
  });
  const posting = (changes: Partial<PostComment> = {}) =>
    given(commentDecider).when((s) => postComment(post(changes), s));

  it('posts below an answer', () => posting().then(posted()));
  it('trims the text', () => posting({ body: ' Thanks\n' }).then(posted()));
  it('drops control characters', () => posting({ body: '\u202eTha\u0007nks' }).then(posted()));
  it('records mentioned students once each', () => {
    const [one, two] = [newId(), newId()];
    const body = `${mention(one)} and ${mention(two)}, ${mention(one)}!`;
    posting({ body, mentionableIds: [two, one] }).then(posted({ body, mentionedStudentIds: [one, two] }));
  });
  it('resolves user names case-insensitively and keeps other text as typed', () => {
    const marie = newId();
    const typed = (name: string) => `arr = @[0], @[bar baz], @[] and @[${name}]`;
    posting({
      body: typed('Marie_1'),
      idsByName: new Map([['marie_1', marie]]),
      mentionableIds: [marie],
    }).then(posted({ body: typed(marie), mentionedStudentIds: [marie] }));
  });
  it('does not record mentions of students outside of the space', () => {
    const [member, stranger] = [newId(), newId()];
    const body = `${mention(stranger)} and ${mention(member)}`;
    posting({ body, mentionableIds: [member] }).then(posted({ body, mentionedStudentIds: [member] }));
  });
  it.each(['', ' \n ', '\u200b\u2060', '\u00a0\u3164'])('refuses %j as empty', (body) =>
    posting({ body }).thenRefused('COMMENT_EMPTY'),
  );
  it('accepts markup as text', () => posting({ body: '<br>' }).then(posted({ body: '<br>' })));
  it('accepts at most 5,000 characters', () => {
    posting({ body: 'é'.repeat(5_000) }).then(posted({ body: 'é'.repeat(5_000) }));
    posting({ body: 'é'.repeat(5_001) }).thenRefused('COMMENT_TOO_LONG');
  });
  it('refuses a removed or unknown parent', () => {
    posting({ parent: { ...parent, removed: true } }).thenRefused('POST_NOT_FOUND');
    posting({ parent: undefined }).thenRefused('POST_NOT_FOUND');
  });
  it('requires a member who is not blocked', () => {
    posting({ isMember: false }).thenRefused('NOT_A_MEMBER');
    posting({ actor: newActor({ blocked: true }) }).thenRefused('STUDENT_BLOCKED');
  });
  it('posts the same ID once', () =>
    given(commentDecider, posted())
      .when((s) => postComment(post(), s))
      .thenNothingHappens());
});

describe('eraseCommentWords', () => {
  const { parentAuthorId: _, body: _body, mentionedStudentIds: _mentioned, ...data } = posted().data;
  const erased = { type: 'CommentWordsErased', data } as const;
  it('clears the content once', () => {
    given(commentDecider, posted()).when(eraseCommentWords).then(erased);
    given(commentDecider, posted(), erased).when(eraseCommentWords).thenNothingHappens();
  });
});

describe('deleteComment', () => {
  const deleted: CommentDeleted = {
    type: 'CommentDeleted',
    data: {
      commentId,
      parentType: 'ANSWER',
      parentId: parent.postId,
      questionId: parent.questionId,
      spaceId: parent.spaceId,
      authorId: author.studentId,
      reason: null,
    },
  };
  const deleting = (actor: typeof author, reason: string | null) =>
    given(commentDecider, posted()).when((s) => deleteComment({ actor, reason }, s));

  it('lets the author delete', () => deleting(author, null).then(deleted));
  it('lets a moderator delete with a reason', () =>
    deleting(newModerator(), 'spam').then({ ...deleted, data: { ...deleted.data, reason: 'spam' } }));
  it('refuses others, including the post author', () => {
    deleting(newActor(), null).thenRefused('FORBIDDEN');
    deleting(newActor({ studentId: parent.postAuthorId }), null).thenRefused('FORBIDDEN');
  });
  it('deletes once', () =>
    given(commentDecider, posted(), deleted)
      .when((s) => deleteComment({ actor: author, reason: null }, s))
      .thenNothingHappens());
  it('refuses an unknown comment', () =>
    given(commentDecider)
      .when((s) => deleteComment({ actor: author, reason: null }, s))
      .thenRefused('COMMENT_NOT_FOUND'));
});
