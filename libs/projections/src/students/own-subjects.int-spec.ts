import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventHistory } from '../testing/event-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { findOwnSubjects, MAX_OWN_SUBJECTS } from './students.queries.js';

let side: ReadSide;
beforeAll(async () => {
  side = await openReadSide();
});
afterAll(() => side.close());

const past = new EventHistory();

describe("a student's subjects", () => {
  it('are those with the most posts and the most unsolved questions', async () => {
    const spaceId = past.newSpace();
    const [algebra, optics] = [
      past.newTopic(spaceId, past.newSubject(spaceId)),
      past.newTopic(spaceId, past.newSubject(spaceId)),
    ];
    const [ada, ben] = [past.newStudent(), past.newStudent()];
    past.accept(past.answer(ben, past.ask(ada, algebra)));
    past.ask(ada, algebra);
    past.answer(ada, past.ask(ben, algebra));
    past.ask(ada, optics);
    past.ask(ada, optics);
    past.deleteQuestion(past.ask(ada, optics));
    past.deleteQuestion(past.ask(ada, optics));
    await side.record(past);
    expect(await findOwnSubjects(side.pool, ada)).toEqual({
      favouriteSubjects: [algebra.subjectId, optics.subjectId],
      troublingSubjects: [optics.subjectId, algebra.subjectId],
      troublingTopics: [optics.topicId, algebra.topicId],
    });
    expect(await findOwnSubjects(side.pool, ben)).toMatchObject({ favouriteSubjects: [algebra.subjectId] });
    const nothing = { favouriteSubjects: [], troublingSubjects: [], troublingTopics: [] };
    expect(await findOwnSubjects(side.pool, past.newStudent())).toEqual(nothing);
  });

  it('are limited to five of each kind', async () => {
    const spaceId = past.newSpace();
    const ada = past.newStudent();
    for (let subjects = 0; subjects <= MAX_OWN_SUBJECTS; subjects += 1)
      past.ask(ada, past.newTopic(spaceId, past.newSubject(spaceId)));
    await side.record(past);
    const { favouriteSubjects, troublingSubjects, troublingTopics } = await findOwnSubjects(side.pool, ada);
    for (const list of [favouriteSubjects, troublingSubjects, troublingTopics])
      expect(list).toHaveLength(MAX_OWN_SUBJECTS);
  });
});
