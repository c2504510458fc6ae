import { describe, it } from '@jest/globals';
import type { QuestionSaved, QuestionUnsaved } from '../events.js';
import { newActor, newId } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import { bookmarkDecider, saveQuestion, unsaveQuestion } from './bookmark.decide.js';

const actor = newActor();
const question = { questionId: newId(), spaceId: newId(), removed: false };
const data = { questionId: question.questionId, spaceId: question.spaceId, studentId: actor.studentId };
const saved: QuestionSaved = { type: 'QuestionSaved', data };
const unsaved: QuestionUnsaved = { type: 'QuestionUnsaved', data };
const removed = { ...question, removed: true };

describe('saveQuestion', () => {
  it('saves a question', () =>
    given(bookmarkDecider)
      .when((s) => saveQuestion({ actor, isMember: true, question }, s))
      .then(saved));
  it('saves again after unsaving', () =>
    given(bookmarkDecider, saved, unsaved)
      .when((s) => saveQuestion({ actor, isMember: true, question }, s))
      .then(saved));
  it('saves once', () =>
    given(bookmarkDecider, saved)
      .when((s) => saveQuestion({ actor, isMember: true, question }, s))
      .thenNothingHappens());
  it('requires membership', () =>
    given(bookmarkDecider)
      .when((s) => saveQuestion({ actor, isMember: false, question }, s))
      .thenRefused('NOT_A_MEMBER'));
  it.each([undefined, removed])('refuses an unknown or removed question', (gone) =>
    given(bookmarkDecider)
      .when((s) => saveQuestion({ actor, isMember: true, question: gone }, s))
      .thenRefused('QUESTION_NOT_FOUND'),
  );
});

describe('unsaveQuestion', () => {
  it('unsaves a question', () =>
    given(bookmarkDecider, saved)
      .when((s) => unsaveQuestion({ actor, question }, s))
      .then(unsaved));
  it('unsaves a deleted question', () =>
    given(bookmarkDecider, saved)
      .when((s) => unsaveQuestion({ actor, question: removed }, s))
      .then(unsaved));
  it('records nothing for a question that is not saved', () =>
    given(bookmarkDecider)
      .when((s) => unsaveQuestion({ actor, question }, s))
      .thenNothingHappens());
  it('refuses blocked students', () =>
    given(bookmarkDecider, saved)
      .when((s) => unsaveQuestion({ actor: { ...actor, blocked: true }, question }, s))
      .thenRefused('STUDENT_BLOCKED'));
  it('refuses an unknown question', () =>
    given(bookmarkDecider)
      .when((s) => unsaveQuestion({ actor, question: undefined }, s))
      .thenRefused('QUESTION_NOT_FOUND'));
});
