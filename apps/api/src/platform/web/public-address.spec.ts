import { describe, expect, it } from '@jest/globals';
import { configuredOrigin, siteOrigin } from './public-address.js';

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

describe('configuredOrigin', () => {
  it('is the public URL without a trailing slash', () =>
    expect(configuredOrigin({ publicUrl: 'https://nimo.example/', host: '0.0.0.0', port: 3000 })).toBe(
      'https://nimo.example',
    ));
  it('is the address to listen on if there is no public URL', () =>
    expect(configuredOrigin({ publicUrl: undefined, host: '127.0.0.1', port: 3001 })).toBe(
      'http://localhost:3001',
    ));
});
