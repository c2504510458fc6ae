import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { readProxies } from '../config/proxies.js';
import {
  runAsCaller,
  ClientAddresses,
  currentOrigin,
  deviceOf,
  networkOf,
  NO_ORIGIN,
  withOrigin,
} from './client-address.js';

interface Request {
  readonly trust: string;
  readonly from: string | undefined;
  readonly forwarded?: string;
}

function addressOf({ trust, from, forwarded }: Request): string {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: from });
  const request = new IncomingMessage(socket);
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded;
  const trustProxy = readProxies(trust);
  if (trustProxy === undefined) throw new Error(`invalid proxies: ${trust}`);
  return new ClientAddresses({ trustProxy }).of(request).address;
}

const CLIENT = '198.51.100.9';
const PROXY = '10.0.0.2';

describe('the client address', () => {
  it.each<[string, Request, string]>([
    ['is the peer without trusted proxies', { trust: 'false', from: CLIENT, forwarded: '1.1.1.1' }, CLIENT],
    ['is the one reported by a single proxy', { trust: '1', from: PROXY, forwarded: CLIENT }, CLIENT],
    [
      'ignores entries of the client before a single proxy',
      { trust: '1', from: PROXY, forwarded: `1.1.1.1, ${CLIENT}` },
      CLIENT,
    ],
    [
      'ignores entries of the client with the old setting true',
      { trust: 'true', from: PROXY, forwarded: `1.1.1.1, ${CLIENT}` },
      CLIENT,
    ],
    [
      'is the one reported by the outer of two proxies',
      { trust: '2', from: PROXY, forwarded: `1.1.1.1, ${CLIENT}, 10.0.0.1` },
      CLIENT,
    ],
    [
      'is the one reported by a proxy of a trusted network',
      { trust: '10.0.0.0/8', from: PROXY, forwarded: `1.1.1.1, ${CLIENT}` },
      CLIENT,
    ],
    [
      'skips every proxy of the trusted networks',
      { trust: '10.0.0.0/8,192.0.2.1', from: PROXY, forwarded: `1.1.1.1,${CLIENT},192.0.2.1` },
      CLIENT,
    ],
    [
      'is the peer if it bypassed the proxies',
      { trust: '10.0.0.0/8', from: CLIENT, forwarded: '1.1.1.1' },
      CLIENT,
    ],
    [
      'is found behind a proxy with an IPv4-mapped address',
      { trust: '10.0.0.0/8', from: `::ffff:${PROXY}`, forwarded: `1.1.1.1, ${CLIENT}` },
      CLIENT,
    ],
    ['is the proxy if it reports none', { trust: '1', from: PROXY }, PROXY],
    [
      'is the proxy if it reports an invalid address',
      { trust: '1', from: PROXY, forwarded: 'nonsense' },
      PROXY,
    ],
    [
      'never lies beyond an invalid entry',
      { trust: '3', from: PROXY, forwarded: `1.1.1.1, nonsense, ${CLIENT}` },
      CLIENT,
    ],
    ['is normalised', { trust: '1', from: PROXY, forwarded: '2001:0DB8::0001' }, '2001:db8::1'],
    ['is empty for a closed connection', { trust: '1', from: undefined }, ''],
  ])('%s', (_, request, address) => {
    expect(addressOf(request)).toBe(address);
  });
});

describe('the device of a session', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox', 'Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0',
      'Edge',
      'Windows',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
      'Chrome',
      'Android',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
      'Safari',
      'macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1',
      'Chrome',
      'iOS',
    ],
    ['curl/8.5.0', null, null],
    ['', null, null],
  ])('is derived from %j', (userAgent, browser, system) => {
    expect(deviceOf(userAgent)).toEqual({ browser, system });
  });
});

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

describe('the origin of a call', () => {
  it('is available throughout the call and nowhere else', async () => {
    const later = async (): Promise<unknown> => {
      await Promise.resolve();
      return currentOrigin();
    };
    const found = await runAsCaller({ address: '192.0.2.7', userAgent: FIREFOX }, later);
    expect(found).toEqual({ browser: 'Firefox', system: 'Linux', network: '192.0.2.0/24' });
    expect(await later()).toEqual(NO_ORIGIN);
  });

  it('continues in a job of the call', () => {
    const origin = { browser: 'Safari', system: 'iOS', network: '2001:db8:1::/48' };
    expect(withOrigin(origin, currentOrigin)).toEqual(origin);
  });
});
