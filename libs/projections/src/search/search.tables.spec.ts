import { beforeEach, describe, expect, it } from '@jest/globals';
import { studentStream } from '@nimo/domain';
import { foldInMemory, foldRow } from '@nimo/projection-engine';
import type { ProjectedEvent, Row, Table } from '../projection.js';
import { EventHistory } from '../testing/event-history.fixture.js';
import { type SearchDocumentRow, searchDocuments } from './search-documents.table.js';
import { type SearchNameRow, searchNames } from './search.tables.js';

let past: EventHistory;
let ada: string;
let ben: string;
let spaceId: string;
let place: ReturnType<EventHistory['newTopic']>;
let question: string;
let answer: string;

beforeEach(() => {
  past = new EventHistory();
  spaceId = past.newSpace();
  place = past.newTopic(spaceId, past.newSubject(spaceId));
  [ada, ben] = [past.newStudent(), past.newStudent()];
  for (const student of [ada, ben]) past.join(student, spaceId);
  question = past.ask(ada, place, { title: 'Why, Éléments?', body: '<p>So <b>so</b></p>' });
  answer = past.answer(ben, question, '<p>Because</p>');
});

/** Folds the history into the row with this id. */
function rowIn<R extends Row>(table: Table<R>, id: string): R | undefined {
  const [key] = table.key;
  const events = past.events.map((event, index) => ({ ...event, ordinal: index + 1 }));
  return foldInMemory(table, events).find((row) => key !== undefined && row[key] === id);
}

const document = (id: string): SearchDocumentRow | undefined => rowIn(searchDocuments, id);
const name = (id: string): SearchNameRow | undefined => rowIn(searchNames, id);
/** @returns what `read` returns before and after the change */
function changeOf<R>(read: () => R, change: () => void): [before: R, after: R] {
  const before = read();
  change();
  return [before, read()];
}

describe('search documents', () => {
  it('hold the folded words of a question', () => {
    expect(document(question)).toMatchObject({
      kind: 'QUESTION',
      title: 'Why, Éléments?',
      title_words: 'why elements _e_ldle_ldments',
      body: 'So so',
      body_words: 'so',
      question_id: question,
      author_id: ada,
      answer_count: 1,
      is_removed: false,
    });
  });

  it('distinguish formulas from dollar signs and index their words', () => {
    const body =
      '<p>Is <code class="nimo-math">\\frac{a}{2}</code> worth <span>$</span>x^2<span>$</span>?</p>';
    expect(document(past.ask(ada, place, { body }))).toMatchObject({
      body: 'Is \u2063$\\frac{a}{2}$\u2063 worth $\u2060x^2$\u2060?',
      body_words: 'is frac a 2 worth x',
    });
  });

  it('link an answer to its question', () => {
    expect(document(answer)).toMatchObject({
      kind: 'ANSWER',
      question_id: question,
      subject_id: null,
      body: 'Because',
    });
  });

  it('get new words and both versions on an edit', () => {
    const [before, after] = changeOf(
      () => document(question),
      () => past.editQuestion(question, 'Other'),
    );
    expect(after).toMatchObject({ title: 'Other', title_words: 'other' });
    expect(after?.version).toBeGreaterThan(before?.version ?? 0);
    expect(after?.text_version).toBe(after?.version);
    past.editAnswer(answer, '<p>Else</p>');
    expect(document(answer)?.body_words).toBe('else');
  });

  it('get a new version but keep the text version when answers change', () => {
    for (const change of [
      () => past.answer(ada, question),
      () => past.accept(answer),
      () => past.deleteAnswer(answer),
    ]) {
      const [before, after] = changeOf(() => document(question), change);
      expect(after?.version).toBeGreaterThan(before?.version ?? 0);
      expect(after?.text_version).toBe(before?.text_version);
    }
    expect(document(question)).toMatchObject({ answer_count: 1, accepted_answer_id: null });
  });

  it('keep the row without texts when the author or a moderator removes the post', () => {
    const removed = {
      is_removed: true,
      title: '',
      body: '',
      title_words: '',
      body_words: '',
      tag_words: '',
      tags: [],
    };
    past.deleteQuestion(question);
    expect(document(question)).toMatchObject(removed);
    past.deleteAnswer(answer);
    expect(document(answer)).toMatchObject(removed);
    const reported = past.ask(ada, place);
    past.report(ben, reported);
    past.uphold(past.newModerator(), reported);
    expect(document(reported)).toMatchObject(removed);
  });

  it('stay removed after late edits', () => {
    past.editQuestion(question, 'Other');
    past.editAnswer(answer, '<p>Else</p>');
    const edits = past.events.filter(({ type }) => type === 'QuestionEdited' || type === 'AnswerEdited');
    past.deleteAnswer(answer);
    past.deleteQuestion(question);
    const [before, after] = changeOf(
      () => [document(question), document(answer)],
      () => {
        past.append(question, ...edits);
      },
    );
    expect(after).toEqual(before);
  });

  it('count a removed answer once, even if the event is repeated', () => {
    past.accept(answer);
    past.report(ada, answer);
    past.uphold(past.newModerator(), answer);
    past.append(answer, ...past.events.filter(({ type }) => type === 'ReportsUpheld'));
    expect(document(question)).toMatchObject({
      answer_count: 0,
      accepted_answer_id: null,
      upheld_answers: [answer],
    });
    expect(document(answer)?.is_removed).toBe(true);
  });

  it('restore the texts, including edits, when an upheld report is reversed', () => {
    const moderator = past.newModerator();
    past.accept(answer);
    for (const post of [question, answer]) past.uphold(moderator, post);
    expect(document(question)).toMatchObject({ title: '', body_words: '', is_removed: true });
    past.editAnswer(answer, '<p>Because it is</p>');
    past.editQuestion(question, 'Why at all?');
    expect(document(question)).toMatchObject({ title: '', is_removed: true });
    for (const post of [question, answer]) past.reverseUpholding(moderator, post);
    expect(document(question)).toMatchObject({
      title: 'Why at all?',
      title_words: 'why at all',
      withheld: null,
      answer_count: 1,
      accepted_answer_id: answer,
      is_removed: false,
    });
    expect(document(answer)).toMatchObject({ body: 'Because it is', is_removed: false });
    expect(document(answer)?.text_version).toBe(past.events.length);
  });

  it('stay removed after a reversal if the post was deleted', () => {
    const moderator = past.newModerator();
    past.uphold(moderator, question);
    past.deleteQuestion(question);
    past.reverseUpholding(moderator, question);
    expect(document(question)).toMatchObject({ title: '', withheld: null, is_removed: true });
  });

  it('do not accept a removed answer', () => {
    past.accept(answer);
    const accepted = past.events.filter(({ type }) => type === 'AnswerAccepted');
    past.deleteAnswer(answer);
    past.append(question, ...accepted);
    expect(document(question)?.accepted_answer_id).toBeNull();
  });

  it('ignore comments and edits of unknown posts', () => {
    const comment = past.comment(ben, answer);
    past.report(ada, comment);
    const [before, after] = changeOf(
      () => [document(question), document(answer)],
      () => past.uphold(past.newModerator(), comment),
    );
    expect(after).toEqual(before);
    expect(document(comment)).toBeUndefined();
    const edit = { type: 'QuestionEdited', data: { questionId: 'unknown' } };
    const event = { ...past.events[0], ...edit, ordinal: 1 } as unknown as ProjectedEvent;
    expect(foldRow(searchDocuments, undefined, event, ['unknown'])).toBeUndefined();
  });
});

describe('search names', () => {
  it('follow the name of a topic', () => {
    expect(name(place.topicId)).toMatchObject({ kind: 'TOPIC', space_ids: [spaceId], is_findable: true });
    past.renameTopic(place, 'Ichthyology');
    expect(name(place.topicId)).toMatchObject({ name: 'Ichthyology' });
  });

  it('list the current spaces of a person', () => {
    expect(name(ada)).toMatchObject({ kind: 'PERSON', space_ids: [spaceId], is_findable: true });
    past.leave(ada, spaceId);
    expect(name(ada)).toMatchObject({ space_ids: [], is_findable: true });
  });

  it('do not change when a person joins or leaves twice', () => {
    const eventsOf = (type: string) => past.events.filter((event) => event.type === type);
    const joined = changeOf(
      () => name(ada),
      () => past.append(ada, ...eventsOf('SpaceJoined')),
    );
    expect(joined[1]).toEqual(joined[0]);
    past.leave(ada, spaceId);
    const left = changeOf(
      () => name(ada),
      () => past.append(ada, ...eventsOf('SpaceLeft')),
    );
    expect(left[1]).toEqual(left[0]);
  });

  it('are not findable before registration, while blocked, or for stand-ins', () => {
    expect(name(past.newStandIn())?.is_findable).toBe(false);
    past.append(studentStream(ada), {
      type: 'StudentBlocked',
      data: { studentId: ada, reason: 'spam', rank: 'MAINTAINER' },
    });
    expect(name(ada)).toMatchObject({ is_blocked: true, is_findable: false });
    past.append(
      studentStream(ada),
      ...past.events.filter(({ type, data }) => type === 'StudentRegistered' && data.studentId === ada),
    );
    expect(name(ada)?.is_findable).toBe(false);
    past.append(studentStream(ada), { type: 'StudentUnblocked', data: { studentId: ada } });
    expect(name(ada)).toMatchObject({ is_blocked: false, is_findable: true });
  });

  it('stay empty once the person is erased', () => {
    const registered = past.events.filter(
      ({ type, data }) => type === 'StudentRegistered' && data.studentId === ada,
    );
    past.erase(ada);
    past.append(studentStream(ada), ...registered);
    expect(name(ada)).toMatchObject({ name: '', is_erased: true, is_findable: false });
  });
});
