import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';
import { MailedLinks } from './mailed-links.js';

let database: TestDatabase;
let links: MailedLinks;
beforeAll(async () => {
  database = await createTestDatabase();
  links = new MailedLinks(database.pool(), { masterKey: randomBytes(32) });
});
afterAll(() => database.drop());

const content = { email: 'ada@example.org', userName: 'ada', registrationId: randomUUID() };
const newLink = (): Promise<string> => links.create('CONFIRM_EMAIL', { studentId: randomUUID(), content });

/** Work that blocks until the test ends it. */
function newWork() {
  const begun: string[] = [];
  let end: () => void = () => undefined;
  const mayEnd = new Promise<void>((resolve) => (end = resolve));
  const work = (userName: string) => async () => {
    begun.push(userName);
    await mayEnd;
    return { userName };
  };
  return { begun, end: () => end(), work };
}

describe('a mailed link used by two requests at once', () => {
  it('does its work once for a request sent twice and returns the result to both', async () => {
    const [token, command] = [await newLink(), randomUUID()];
    const { begun, end, work } = newWork();
    const duplicates = ['first', 'second'].map((name) =>
      links.use('CONFIRM_EMAIL', token, command, work(name)),
    );
    // One is running; the other waits for its result.
    await eventually(() => begun.length > 0);
    end();
    const answers = await Promise.all(duplicates);
    expect(begun).toHaveLength(1);
    expect(answers).toEqual([{ userName: begun[0] }, { userName: begun[0] }]);
  });

  it('accepts only one of two different requests', async () => {
    const token = await newLink();
    const { begun, end, work } = newWork();
    end();
    const tries = [1, 2].map((name) => links.use('CONFIRM_EMAIL', token, randomUUID(), work(`${name}`)));
    const ended = await Promise.allSettled(tries);
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(begun).toHaveLength(1);
  });

  it('becomes usable again after a failure, for the same and for other requests', async () => {
    const [token, command] = [await newLink(), randomUUID()];
    const fail = () => Promise.reject(new Error('no'));
    await expect(links.use('CONFIRM_EMAIL', token, command, fail)).rejects.toThrow('no');
    await expect(links.use('CONFIRM_EMAIL', token, command, fail)).rejects.toThrow('no');
    const { end, work } = newWork();
    end();
    expect(await links.use('CONFIRM_EMAIL', token, randomUUID(), work('ada'))).toEqual({ userName: 'ada' });
  });

  it('stays with the retry that took over from a stalled request, even if that request fails later', async () => {
    const [token, command] = [await newLink(), randomUUID()];
    const [stalled, twin] = [newWork(), newWork()];
    const failing = links.use('CONFIRM_EMAIL', token, command, async () => {
      await stalled.work('stalled')();
      throw new Error('no');
    });
    await eventually(() => stalled.begun.length > 0);
    await database.pool().query(`update state.mailed_link set claimed_at = claimed_at - interval '1 hour'`);
    const second = links.use('CONFIRM_EMAIL', token, command, twin.work('twin'));
    await eventually(() => twin.begun.length > 0);
    stalled.end();
    await expect(failing).rejects.toThrow('no');
    const other = links.use('CONFIRM_EMAIL', token, randomUUID(), () =>
      Promise.resolve({ userName: 'other' }),
    );
    await expect(other).rejects.toThrow();
    twin.end();
    expect(await second).toEqual({ userName: 'twin' });
  });
});
