import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { eventually } from '@nimo/testing';

/** BullMQ names its LISTEN connections after the queue. They run no other statements. */
const LISTENERS_OF_QUEUES = ['accountMail', 'image', 'ownExport', 'sms'];

let app: TestApp;

beforeAll(async () => {
  app = await sharedApp();
});

describe('the connections of a process', () => {
  it.each(['api', 'worker'])('of the %s are all named after it', async (process) => {
    const currentNames = async (): Promise<string[]> => {
      const { rows } = await app.pool.query<{ name: string }>(
        `select distinct application_name as name from pg_stat_activity
         where datname = current_database() and usename = $1 and application_name <> all($2::text[]) order by 1`,
        [`nimo_${process}`, LISTENERS_OF_QUEUES],
      );
      return rows.map(({ name }) => name);
    };
    // The log subscription connects after the start.
    const names = await eventually(currentNames, (now) => now.includes(`nimo ${process} log`));
    expect(names).toContain(`nimo ${process}`);
    expect(names.filter((name) => !`${name} `.startsWith(`nimo ${process} `))).toEqual([]);
  });
});
