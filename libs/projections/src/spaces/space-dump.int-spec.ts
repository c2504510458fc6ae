import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EventHistory } from '../testing/event-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { spaceDump } from './space-dump.queries.js';

let side: ReadSide;
beforeAll(async () => {
  side = await openReadSide();
});
afterAll(() => side.close());

it('dumps comments with names in place of mentions and otherwise unchanged', async () => {
  const past = new EventHistory();
  const spaceId = past.newSpace();
  const place = past.newTopic(spaceId, past.newSubject(spaceId));
  const [ada, ben] = [past.newStudent(), past.newStudent()];
  const questionId = past.ask(ada, place);
  past.comment(ada, questionId, `@[${ben}], see arr @[0] < 1`);
  past.comment(ben, questionId, 'Thanks');
  await side.record(past);
  const file = spaceDump(spaceId).get('Comments');
  if (!file) throw new Error('no Comments file');
  const { text, values = [], shown = (row) => row } = file;
  const { rows } = await side.pool.query<Record<string, unknown>>(text, values);
  expect(rows.map(shown)).toEqual([
    expect.objectContaining({ Id: '1', Text: `@user_${ben.slice(0, 8)}, see arr @[0] < 1` }),
    expect.objectContaining({ Id: '2', Text: 'Thanks' }),
  ]);
  expect(shown(rows[0] ?? {})).not.toHaveProperty('mentioned');
});
