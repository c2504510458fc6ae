import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { answerStream, questionStream, voteStream } from '@nimo/domain';
import type { StreamSnapshot } from '@nimo/event-store';
import { createTestDatabase, type TestDatabase } from '../../../../../test/postgres.js';
import { PostgresSnapshots } from './postgres-snapshots.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
}, 60_000);
afterAll(() => database.drop());

it('forgets what somebody wrote and did, and nothing of others', async () => {
  const snapshots = new PostgresSnapshots(database.pool());
  const [ann, ben] = [randomUUID(), randomUUID()];
  const [ofAnn, ofBen] = [randomUUID(), randomUUID()];
  const kept = (streamId: string, state: StreamSnapshot['state']): StreamSnapshot => ({
    ...{ streamId, state, shape: 'any 1', revision: 3, eventId: randomUUID(), commands: '' },
  });
  const written = (authorId: string) => ({ authorId, body: `<p>By ${authorId}</p>` });
  const all = [
    kept(questionStream(ofAnn), written(ann)),
    kept(answerStream(randomUUID()), written(ann)),
    kept(voteStream(ofBen, ann), { standing: 'UP' }),
    kept(questionStream(ofBen), written(ben)),
    kept(voteStream(ofAnn, ben), { standing: 'UP' }),
  ];
  await snapshots.write(all);
  await snapshots.forget(ann);
  const left = await snapshots.read(all.map(({ streamId }) => streamId));
  expect(left.map(({ streamId }) => streamId).toSorted()).toEqual(
    [questionStream(ofBen), voteStream(ofAnn, ben)].toSorted(),
  );
  expect(JSON.stringify(left)).not.toContain(ann);
});
