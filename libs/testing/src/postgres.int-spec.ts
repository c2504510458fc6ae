import { describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '@nimo/testing';

describe('a test database', () => {
  it('has the migrated schema and is of its own', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    try {
      await one.pool().query('create table only_here ()');
      const { rows } = await other
        .pool()
        .query(`select to_regclass('only_here') as foreign_table, to_regclass('log.events')::text as log`);
      expect(rows).toEqual([{ foreign_table: null, log: 'log.events' }]);
    } finally {
      await Promise.all([one.drop(), other.drop()]);
    }
  });
});
