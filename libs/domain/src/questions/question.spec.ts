import { describe, expect, it } from '@jest/globals';
import type { AnswerAccepted, QuestionDeleted, QuestionEdited } from '../events.js';
import { newActor, newId, newModerator, questionAsked } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import {
  acceptAnswer,
  askQuestion,
  deleteQuestion,
  eraseQuestionWords,
  editQuestion,
  type AcceptAnswer,
  type AskQuestion,
  type EditQuestion,
} from './question.decide.js';
import { questionDecider } from './question.state.js';

const author = newActor();
const asked = questionAsked({ authorId: author.studentId });
const { questionId, spaceId, subjectId, topicId, authorId } = asked.data;
const deleted: QuestionDeleted = {
  type: 'QuestionDeleted',
  data: { questionId, spaceId, authorId, reason: null },
};

const ask = (changes: Partial<AskQuestion> = {}): AskQuestion => ({
  actor: author,
  isMember: true,
  questionId,
  spaceId,
  subject: { subjectId, spaceId },
  topic: { topicId, subjectId, topicName: 'Accents' },
  title: asked.data.title,
  body: asked.data.body,
  imageUrls: [],
  ...changes,
});
const images = (count: number) => Array.from({ length: count }, (_, i) => `/media/${i}.webp`);

describe('askQuestion', () => {
  const asking = (changes: Partial<AskQuestion> = {}) =>
    given(questionDecider).when((s) => askQuestion(ask(changes), s));

  it('asks a question with the topic as its tag', () => asking().then(asked));
  it('keeps the tags of an import', () =>
    asking({ tags: ['a', 'b'] }).then(questionAsked({ ...asked.data, tags: ['a', 'b'] })));
  it('drops control characters from title and tags', () =>
    asking({ title: `\u202e${asked.data.title}\u0085`, tags: ['Acc\u2066ents'] }).then(asked));
  it('trims the title', () => asking({ title: `  ${asked.data.title}\n` }).then(asked));
  it.each(['', '   ', '\u200b\u00a0\ufeff', '\u0301\u0489', '\ue000\u{f0000}', '\u202e\u0007'])(
    'refuses the blank title %j',
    (title) => asking({ title }).thenRefused('QUESTION_TITLE_REQUIRED'),
  );
  it('refuses a title over 300 code points', () => {
    asking({ title: '😀'.repeat(300) }).then(questionAsked({ ...asked.data, title: '😀'.repeat(300) }));
    asking({ title: 'a'.repeat(301) }).thenRefused('QUESTION_TITLE_TOO_LONG');
  });
  it('requires a subject', () => asking({ subject: null }).thenRefused('SUBJECT_REQUIRED'));
  it('refuses a subject of another space', () =>
    asking({ subject: { subjectId, spaceId: newId() } }).thenRefused('SUBJECT_REQUIRED'));
  it('requires a topic', () => asking({ topic: null }).thenRefused('TOPIC_REQUIRED'));
  it('refuses a topic of another subject', () =>
    asking({ topic: { topicId, subjectId: newId(), topicName: 'x' } }).thenRefused('TOPIC_REQUIRED'));
  it('stores an invisible description as empty', () => {
    for (const nothing of ['&nbsp;', '\u0301', '\ue000'])
      asking({ body: `<p>${nothing}</p>` }).then(questionAsked({ ...asked.data, body: '' }));
  });
  it('refuses a body over 64 KiB', () =>
    asking({ body: `<p>${'é'.repeat(33_000)}</p>` }).thenRefused('BODY_TOO_LONG'));
  it('allows ten images', () =>
    asking({ imageUrls: images(10) }).then(questionAsked({ ...asked.data, imageUrls: images(10) })));
  it('refuses eleven images', () => asking({ imageUrls: images(11) }).thenRefused('TOO_MANY_IMAGES'));
  it('requires membership', () => asking({ isMember: false }).thenRefused('NOT_A_MEMBER'));
  it('refuses blocked students', () =>
    asking({ actor: newActor({ blocked: true }) }).thenRefused('STUDENT_BLOCKED'));
  it('refuses unregistered students', () =>
    asking({ actor: newActor({ registered: false }) }).thenRefused('NOT_REGISTERED'));
  it('asks the same ID once', () =>
    given(questionDecider, asked)
      .when((s) => askQuestion(ask(), s))
      .thenNothingHappens());
});

describe('editQuestion', () => {
  const edit = (changes: Partial<EditQuestion> = {}): EditQuestion => ({
    actor: author,
    isMember: true,
    removedByModerator: false,
    title: 'Better title',
    body: '<p>b</p>',
    imageUrls: images(1),
    ...changes,
  });
  const editing = (changes: Partial<EditQuestion> = {}) =>
    given(questionDecider, asked).when((s) => editQuestion(edit(changes), s));
  const edited: QuestionEdited = {
    type: 'QuestionEdited',
    data: { questionId, spaceId, authorId, title: 'Better title', body: '<p>b</p>', imageUrls: images(1) },
  };

  it('lets the author edit title, body and images', () => editing().then(edited));
  it('records nothing if nothing changes', () =>
    given(questionDecider, asked, edited)
      .when((s) => editQuestion(edit(), s))
      .thenNothingHappens());
  it('refuses to overwrite a change made in another tab', () => {
    const { title, body, imageUrls } = asked.data;
    editing({ seen: { title, body, imageUrls } }).then(edited);
    for (const seen of [{ title: 'Outdated' }, { body: '<p>Outdated</p>' }, { imageUrls: images(3) }])
      editing({ seen }).thenRefused('POST_CHANGED');
    editing({ title, seen: { title: 'Outdated' } }).then({ ...edited, data: { ...edited.data, title } });
  });
  it('refuses others, even moderators', () => {
    editing({ actor: newActor() }).thenRefused('FORBIDDEN');
    editing({ actor: newModerator() }).thenRefused('FORBIDDEN');
  });
  it('requires membership', () => editing({ isMember: false }).thenRefused('NOT_A_MEMBER'));
  it('refuses a blank title', () => editing({ title: '\t' }).thenRefused('QUESTION_TITLE_REQUIRED'));
  it('refuses eleven images', () => editing({ imageUrls: images(11) }).thenRefused('TOO_MANY_IMAGES'));
  it('refuses a removed question', () =>
    editing({ removedByModerator: true }).thenRefused('QUESTION_NOT_FOUND'));
  it('refuses a deleted question', () =>
    given(questionDecider, asked, deleted)
      .when((s) => editQuestion(edit(), s))
      .thenRefused('QUESTION_NOT_FOUND'));
  it('refuses an unknown question', () =>
    given(questionDecider)
      .when((s) => editQuestion(edit(), s))
      .thenRefused('QUESTION_NOT_FOUND'));
});

describe('eraseQuestionWords', () => {
  const { questionId, spaceId, authorId } = asked.data;
  const data = { questionId, spaceId, authorId };
  const removed: QuestionDeleted = { type: 'QuestionDeleted', data: { ...data, reason: null } };
  it.each([{ more: [] }, { more: [removed] }])(
    'clears the content, removed or not: $more.length',
    ({ more }) =>
      given(questionDecider, asked, ...more)
        .when(eraseQuestionWords)
        .then({ type: 'QuestionWordsErased', data }),
  );
  it('is idempotent, even if the content is already unreadable', () => {
    given(questionDecider, asked, { type: 'QuestionWordsErased', data })
      .when(eraseQuestionWords)
      .thenNothingHappens();
    given(questionDecider, { ...asked, data: { ...asked.data, title: '', body: '' } })
      .when(eraseQuestionWords)
      .thenNothingHappens();
  });
});

describe('deleteQuestion', () => {
  it('lets the author delete without a reason', () =>
    given(questionDecider, asked)
      .when((s) => deleteQuestion({ actor: author, reason: null }, s))
      .then(deleted));
  it('ignores a reason from the author', () =>
    given(questionDecider, asked)
      .when((s) => deleteQuestion({ actor: author, reason: 'mine' }, s))
      .then(deleted));
  it('lets a moderator of the space delete with a reason', () =>
    given(questionDecider, asked)
      .when((s) => deleteQuestion({ actor: newModerator(spaceId), reason: ' off topic ' }, s))
      .then({ ...deleted, data: { ...deleted.data, reason: 'off topic' } }));
  it('requires a reason from a moderator', () =>
    given(questionDecider, asked)
      .when((s) => deleteQuestion({ actor: newModerator(), reason: ' ' }, s))
      .thenRefused('DELETE_REASON_REQUIRED'));
  it('refuses a moderator of another space', () =>
    given(questionDecider, asked)
      .when((s) => deleteQuestion({ actor: newModerator(newId()), reason: 'r' }, s))
      .thenRefused('FORBIDDEN'));
  it('refuses others', () =>
    given(questionDecider, asked)
      .when((s) => deleteQuestion({ actor: newActor(), reason: 'r' }, s))
      .thenRefused('FORBIDDEN'));
  it('refuses a blocked author', () =>
    given(questionDecider, asked)
      .when((s) => deleteQuestion({ actor: { ...author, blocked: true }, reason: null }, s))
      .thenRefused('STUDENT_BLOCKED'));
  it('deletes once', () =>
    given(questionDecider, asked, deleted)
      .when((s) => deleteQuestion({ actor: author, reason: null }, s))
      .thenNothingHappens());
  it('refuses an unknown question', () =>
    given(questionDecider)
      .when((s) => deleteQuestion({ actor: author, reason: null }, s))
      .thenRefused('QUESTION_NOT_FOUND'));
});

describe('acceptAnswer', () => {
  const answer = { answerId: newId(), questionId, authorId: newId(), removed: false };
  const accept = (changes: Partial<AcceptAnswer> = {}): AcceptAnswer => ({
    actor: author,
    isMember: true,
    isAuthorAway: false,
    removedByModerator: false,
    answer,
    previous: undefined,
    ...changes,
  });
  const accepting = (changes: Partial<AcceptAnswer> = {}) =>
    given(questionDecider, asked).when((s) => acceptAnswer(accept(changes), s));
  const accepted = (chosen = answer): AnswerAccepted => ({
    type: 'AnswerAccepted',
    data: {
      questionId,
      answerId: chosen.answerId,
      spaceId,
      questionAuthorId: authorId,
      answerAuthorId: chosen.authorId,
    },
  });
  const other = { ...answer, answerId: newId() };

  it('lets the question author accept', () => accepting().then(accepted()));
  it('refuses others, and moderators while the author is present', () => {
    accepting({ actor: newActor() }).thenRefused('FORBIDDEN');
    accepting({ actor: newActor(), isAuthorAway: true }).thenRefused('FORBIDDEN');
    accepting({ actor: newModerator() }).thenRefused('QUESTION_AUTHOR_PRESENT');
  });
  it('lets a moderator accept for an author who is away, except for an own answer', () => {
    const moderator = newModerator();
    const { type, data } = accepted();
    accepting({ actor: moderator, isMember: false, isAuthorAway: true }).then({
      type,
      data: { ...data, acceptedBy: moderator.studentId },
    });
    accepting({
      actor: moderator,
      isAuthorAway: true,
      answer: { ...answer, authorId: moderator.studentId },
    }).thenRefused('OWN_ANSWER_ACCEPTED');
  });
  it('refuses former members', () => accepting({ isMember: false }).thenRefused('NOT_A_MEMBER'));
  it("refuses the author's own answer", () =>
    accepting({ answer: { ...answer, authorId } }).thenRefused('OWN_ANSWER_ACCEPTED'));
  it('refuses a removed answer', () =>
    accepting({ answer: { ...answer, removed: true } }).thenRefused('ANSWER_NOT_FOUND'));
  it('refuses an answer to another question', () =>
    accepting({ answer: { ...answer, questionId: newId() } }).thenRefused('ANSWER_NOT_FOUND'));
  it('refuses an unknown answer', () => accepting({ answer: undefined }).thenRefused('ANSWER_NOT_FOUND'));
  it('refuses for a removed question', () =>
    accepting({ removedByModerator: true }).thenRefused('QUESTION_NOT_FOUND'));
  it('refuses for a deleted question', () =>
    given(questionDecider, asked, deleted)
      .when((s) => acceptAnswer(accept(), s))
      .thenRefused('QUESTION_NOT_FOUND'));
  it('refuses a second accepted answer', () =>
    given(questionDecider, asked, accepted())
      .when((s) => acceptAnswer(accept({ answer: other }), s))
      .thenRefused('ANSWER_ALREADY_ACCEPTED'));
  it('records nothing for the same answer again', () =>
    given(questionDecider, asked, accepted())
      .when((s) => acceptAnswer(accept(), s))
      .thenNothingHappens());
  it('accepts another answer once the accepted one is gone, and records which one it supersedes', () => {
    const { answerId, authorId: answerAuthorId } = answer;
    const { type, data } = accepted(other);
    given(questionDecider, asked, accepted())
      .when((s) => acceptAnswer(accept({ answer: other, previous: { ...answer, removed: true } }), s))
      .then({ type, data: { ...data, supersedes: { answerId, answerAuthorId } } });
  });
  it('refuses another answer while the accepted one stands, or another one was seen', () => {
    const refused = (previous: AcceptAnswer['previous']) =>
      given(questionDecider, asked, accepted())
        .when((s) => acceptAnswer(accept({ answer: other, previous }), s))
        .thenRefused('ANSWER_ALREADY_ACCEPTED');
    refused({ ...answer, removed: false });
    refused({ ...answer, answerId: newId(), removed: true });
  });
  it('keeps the acceptance through an edit', () =>
    expect(
      given(questionDecider, asked, accepted(), {
        type: 'QuestionEdited',
        data: { questionId, spaceId, authorId, title: 't', body: '', imageUrls: [] },
      }).state(),
    ).toMatchObject({ acceptedAnswerId: answer.answerId, title: 't' }));
});
