import { describe, expect, it } from '@jest/globals';
import { calledBy, calledFrom, networkOf, NOWHERE, whenceNow } from './whence.js';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

describe('the network of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.0/24'],
    ['::ffff:192.0.2.7', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1::/48'],
    ['2001:db8:1:2::%eth0', '2001:db8:1::/48'],
    ['::1', '::/48'],
    ['', null],
    ['somewhere', null],
    ['192.0.2.7:443', null],
  ])('%j is %j', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('whence a call comes', () => {
  it('is known wherever the call leads, and nowhere else', async () => {
    const later = async (): Promise<unknown> => {
      await Promise.resolve();
      return whenceNow();
    };
    const found = await calledBy({ address: '192.0.2.7', userAgent: FIREFOX }, later);
    expect(found).toEqual({ browser: 'Firefox', system: 'Linux', network: '192.0.2.0/24' });
    expect(await later()).toEqual(NOWHERE);
  });

  it('goes on with the job that the call left behind', () => {
    const whence = { browser: 'Safari', system: 'iOS', network: '2001:db8:1::/48' };
    expect(calledFrom(whence, whenceNow)).toEqual(whence);
  });
});
