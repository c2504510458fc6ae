import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueryRunner } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../../../test/postgres.js';
import { UploadSlots } from '../../features/uploads/upload-slots.js';
import type { Messages } from '../pubsub/messages.js';
import { TwoAtOnce1700000000050 } from './migrations/0050-two-at-once.migration.js';
import { NamedApps1700000000051 } from './migrations/0051-named-apps.migration.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('columns that come to a database with rows', () => {
  it('let an upload that was on its way keep its slot, and leave apps without a name', async () => {
    const pool = database.pool();
    const runner = { query: (text: string) => pool.query(text) } as unknown as QueryRunner;
    const silent = { publish: () => Promise.resolve() } as unknown as Messages;
    const slots = new UploadSlots(pool, silent, { signingKey: randomBytes(32) });
    const [same, other] = [Buffer.from('same'), Buffer.from('other')];
    const { key } = await slots.open(randomUUID());
    await slots.take(key, same);
    const studentId = randomUUID();
    await pool.query('insert into state.totp_factor (student_id, sealed, last_period) values ($1, $2, 1)', [
      studentId,
      'sealed',
    ]);

    const added = [new TwoAtOnce1700000000050(), new NamedApps1700000000051()];
    for (const migration of added.toReversed()) await migration.down(runner);
    for (const migration of added) await migration.up(runner);

    expect(await slots.take(key, same)).toMatchObject({ status: 'received' });
    await slots.release(key);
    expect(await slots.take(key, other)).toBeUndefined();
    const { rows } = await pool.query('select name from state.totp_factor where student_id = $1', [
      studentId,
    ]);
    expect(rows).toEqual([{ name: null }]);
  });
});
