import { describe, expect, it } from '@jest/globals';
import { siteOrigin } from './public-address.js';

const asked = (host: string) => ({ protocol: 'http' as const, host });

describe('siteOrigin', () => {
  it('is the configured one, regardless of the request', () =>
    expect(siteOrigin(asked('evil.example'), 'https://nimo.example/')).toBe('https://nimo.example'));
  it.each(['localhost:3000', 'nimo.example', '127.0.0.1:80', '[::1]:3000'])(
    'is taken from the request: %s',
    (host) => expect(siteOrigin(asked(host), undefined)).toBe(`http://${host}`),
  );
  it.each(['', 'a b', 'x"><script>', 'user@host', 'host/path', '-x', 'a:b:c'])(
    'is undefined for %j',
    (host) => expect(siteOrigin(asked(host), undefined)).toBeUndefined(),
  );
});
