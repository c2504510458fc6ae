import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { answerDecider, questionDecider, voteDecider } from '@nimo/domain';
import type { StreamSnapshot } from '@nimo/event-store';
import { inTransaction } from '@nimo/projection-engine';
import type { Pool } from 'pg';
import { StudentKeys } from '../personal-data/student-keys.js';
import { createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';
import { PostgresSnapshots } from './postgres-snapshots.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const kept = (streamId: string, state: StreamSnapshot['state']): StreamSnapshot => ({
  ...{ streamId, state, shape: 'any 1', revision: 3, eventId: randomUUID(), commands: '' },
});
const contentKey = (id: string) => ({ kind: 'words', id }) as const;
const written = (authorId: string) => ({ authorId, body: `<p>By ${authorId}</p>` });

it('deletes an erased student’s snapshots with the key and stores none afterwards', async () => {
  const pool = database.pool();
  const [snapshots, keys] = [new PostgresSnapshots(pool), new StudentKeys(pool, randomBytes(32))];
  const [ann, ben] = [randomUUID(), randomUUID()];
  await keys.findOrCreate([ann, ben].map(contentKey));
  const [ofAnn, ofBen] = [
    kept(questionDecider.stream(randomUUID()), written(ann)),
    kept(questionDecider.stream(randomUUID()), written(ben)),
  ];
  const streamIds = [ofAnn, ofBen].map(({ streamId }) => streamId);
  await snapshots.write([ofAnn, ofBen]);
  expect(await snapshots.read(streamIds)).toHaveLength(2);
  await keys.destroy(ann, ['words']);
  expect(await snapshots.read(streamIds)).toEqual([ofBen]);
  // As a process that still had the key would.
  await snapshots.write([ofAnn, ofBen]);
  expect(await snapshots.read(streamIds)).toEqual([ofBen]);
});

it('stores no snapshot while the author’s erasure is in progress', async () => {
  const pool = database.pool();
  const [snapshots, keys] = [new PostgresSnapshots(pool), new StudentKeys(pool, randomBytes(32))];
  const ann = randomUUID();
  await keys.findOrCreate([contentKey(ann)]);
  const ofAnn = kept(questionDecider.stream(randomUUID()), written(ann));
  await inTransaction(pool, async (erasing) => {
    await erasing.query('update state.student_key set wrapped_key = null, erased_at = now() where id = $1', [
      ann,
    ]);
    const writing = snapshots.write([ofAnn]);
    await Promise.race([writing, waitingForLock(pool)]);
    return { writing };
  }).then(({ writing }) => writing);
  expect(await snapshots.read([ofAnn.streamId])).toEqual([]);
});

/** Resolves once a statement waits for a lock. */
async function waitingForLock(pool: Pool): Promise<void> {
  await eventually(
    () =>
      pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      ),
    ({ rowCount }) => rowCount !== 0,
  );
}

it('forgets a student’s posts and actions, and nothing of others', async () => {
  const snapshots = new PostgresSnapshots(database.pool());
  const [ann, ben] = [randomUUID(), randomUUID()];
  const [ofAnn, ofBen] = [randomUUID(), randomUUID()];
  const all = [
    kept(questionDecider.stream(ofAnn), written(ann)),
    kept(answerDecider.stream(randomUUID()), written(ann)),
    kept(voteDecider.stream(ofBen, ann), { standing: 'UP' }),
    kept(questionDecider.stream(ofBen), written(ben)),
    kept(voteDecider.stream(ofAnn, ben), { standing: 'UP' }),
  ];
  await snapshots.write(all);
  await snapshots.forget(ann);
  const left = await snapshots.read(all.map(({ streamId }) => streamId));
  expect(left.map(({ streamId }) => streamId).toSorted()).toEqual(
    [questionDecider.stream(ofBen), voteDecider.stream(ofAnn, ben)].toSorted(),
  );
  expect(JSON.stringify(left)).not.toContain(ann);
});
