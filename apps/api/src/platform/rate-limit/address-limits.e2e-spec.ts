import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { LIMITS } from './limits.js';

const MAX_LOOK_UPS = LIMITS.lookUpsPerAddress.max;
const LOOK_UPS_PER_REQUEST = 5;
/** On a busy machine the API rejects requests that wait too long. */
const MAX_CONCURRENT_REQUESTS = 4;
const LOOK_UPS = Array.from(
  { length: LOOK_UPS_PER_REQUEST },
  (_, n) => `look${n}: getStudent(userName: "somebody_else") { _id }`,
).join(' ');

let app: TestApp;
beforeAll(async () => {
  // The tests act as the proxy, the only trusted hop.
  app = await bootApp({ RATE_LIMIT_FACTOR: '1', TRUST_PROXY: '1' });
});
afterAll(() => app.close());

/** @returns how many look-ups succeeded with these headers */
async function answered(forwarded: readonly string[]): Promise<number> {
  const refused = async (value: string): Promise<number> => {
    const headers = { 'x-forwarded-for': value };
    const { errors = [] } = await app.graphql(`{ ${LOOK_UPS} }`, {}, undefined, headers);
    expect(errors.filter(({ extensions }) => extensions.rule !== 'TRY_AGAIN_LATER')).toEqual([]);
    return errors.length;
  };
  let answers = forwarded.length * LOOK_UPS_PER_REQUEST;
  for (let next = 0; next < forwarded.length; next += MAX_CONCURRENT_REQUESTS) {
    const counts = await Promise.all(forwarded.slice(next, next + MAX_CONCURRENT_REQUESTS).map(refused));
    for (const count of counts) answers -= count;
  }
  return answers;
}

describe('a limit by address', () => {
  it.each<[string, (n: number) => string]>([
    ['with a spoofed header on each request', (n) => `192.0.2.${n % 250}, 198.51.100.1`],
    ['across addresses of one IPv6 network', (n) => `2001:db8::${n.toString(16)}`],
    ['with both notations of an IPv4 address', (n) => (n % 2 === 0 ? '198.51.100.2' : '::ffff:198.51.100.2')],
  ])('counts one client %s', async (_, header) => {
    const headers = Array.from({ length: MAX_LOOK_UPS / LOOK_UPS_PER_REQUEST + 2 }, (_entry, n) => header(n));
    expect(await answered(headers)).toBe(MAX_LOOK_UPS);
  });

  it('does not affect other clients', async () => {
    expect(await answered(['198.51.100.3', '2001:db8:0:1::1'])).toBe(2 * LOOK_UPS_PER_REQUEST);
  });
});
