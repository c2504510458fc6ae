import { describe, expect, it } from '@jest/globals';
import { clientKey } from '../callers/client-address.js';

describe('the client key', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:C000:0207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::%eth0', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', 'unknown'],
    ['somewhere', 'unknown'],
    ['192.0.2.7:443', 'unknown'],
    ["'; drop table state.throttle", 'unknown'],
  ])('of %j is %s', (address, key) => {
    expect(clientKey(address)).toBe(key);
  });

  it('is shared by all addresses of an IPv6 network', () => {
    const keys = new Set(Array.from({ length: 500 }, (_, n) => clientKey(`2001:db8::${n.toString(16)}:1`)));
    expect(keys.size).toBe(1);
    expect(clientKey('2001:db8:0:1::1')).not.toBe(clientKey('2001:db8:0:2::1'));
  });
});
