import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type BootedApp } from '../../../../../test/app.js';
import { SEALED_ROWS } from './sealed-rows.js';

const KEY = (letter: string): string => Buffer.alloc(32, letter).toString('base64');

let app: BootedApp;
beforeAll(async () => {
  app = await sharedApp();
});

describe('HMAC key', () => {
  it('is rejected at startup if it does not match the database', async () => {
    await expect(
      app.anotherApi({}, { NIMO_HMAC_KEY: KEY('x'), NIMO_HMAC_KEY_PREVIOUS: KEY('y') }),
    ).rejects.toThrow(
      'Neither NIMO_HMAC_KEY nor NIMO_HMAC_KEY_PREVIOUS is the key this database was created with.',
    );
  });
});

describe('master key', () => {
  it('seals only columns covered by the rotation', async () => {
    const { rows } = await app.pool.query<{ name: string }>(
      `select table_name as name from information_schema.columns
       where table_schema = 'state' and column_name = 'sealed' order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(SEALED_ROWS));
  });
});
