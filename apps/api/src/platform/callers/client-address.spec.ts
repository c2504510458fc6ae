import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { readProxies } from '../config/proxies.js';
import {
  asCaller,
  ClientAddresses,
  currentOrigin,
  deviceOf,
  networkOf,
  NO_ORIGIN,
  withOrigin,
} from './client-address.js';

interface Asked {
  readonly trust: string;
  readonly from: string | undefined;
  readonly forwarded?: string;
}

function addressOf({ trust, from, forwarded }: Asked): string {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: from });
  const request = new IncomingMessage(socket);
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded;
  const trustProxy = readProxies(trust);
  if (trustProxy === undefined) throw new Error(`no proxies: ${trust}`);
  return new ClientAddresses({ trustProxy }).of(request).address;
}

const CLIENT = '198.51.100.9';
const PROXY = '10.0.0.2';

describe('who asks', () => {
  it.each<[string, Asked, string]>([
    [
      'is whoever is connected, where no proxy is named',
      { trust: 'false', from: CLIENT, forwarded: '1.1.1.1' },
      CLIENT,
    ],
    ['is what the one proxy says', { trust: '1', from: PROXY, forwarded: CLIENT }, CLIENT],
    [
      'is not what a client said to the one proxy',
      { trust: '1', from: PROXY, forwarded: `1.1.1.1, ${CLIENT}` },
      CLIENT,
    ],
    [
      'is not what a client said, under the former setting',
      { trust: 'true', from: PROXY, forwarded: `1.1.1.1, ${CLIENT}` },
      CLIENT,
    ],
    [
      'is what the outer of two proxies says',
      { trust: '2', from: PROXY, forwarded: `1.1.1.1, ${CLIENT}, 10.0.0.1` },
      CLIENT,
    ],
    [
      'is what a proxy of the network says',
      { trust: '10.0.0.0/8', from: PROXY, forwarded: `1.1.1.1, ${CLIENT}` },
      CLIENT,
    ],
    [
      'passes every proxy of the networks',
      { trust: '10.0.0.0/8,192.0.2.1', from: PROXY, forwarded: `1.1.1.1,${CLIENT},192.0.2.1` },
      CLIENT,
    ],
    ['is whoever came past the proxies', { trust: '10.0.0.0/8', from: CLIENT, forwarded: '1.1.1.1' }, CLIENT],
    [
      'is seen through a proxy whose address is written as IPv6',
      { trust: '10.0.0.0/8', from: `::ffff:${PROXY}`, forwarded: `1.1.1.1, ${CLIENT}` },
      CLIENT,
    ],
    ['is the proxy where it says nothing', { trust: '1', from: PROXY }, PROXY],
    [
      'is the proxy where it says what is no address',
      { trust: '1', from: PROXY, forwarded: 'nonsense' },
      PROXY,
    ],
    [
      'is never what stands behind nonsense',
      { trust: '3', from: PROXY, forwarded: `1.1.1.1, nonsense, ${CLIENT}` },
      CLIENT,
    ],
    ['is written in one way', { trust: '1', from: PROXY, forwarded: '2001:0DB8::0001' }, '2001:db8::1'],
    ['is nobody whose connection is gone already', { trust: '1', from: undefined }, ''],
  ])('%s', (_, asked, address) => {
    expect(addressOf(asked)).toBe(address);
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
  ])('of %j is known', (userAgent, browser, system) => {
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
  it('is known throughout the call, and nowhere else', async () => {
    const later = async (): Promise<unknown> => {
      await Promise.resolve();
      return currentOrigin();
    };
    const found = await asCaller({ address: '192.0.2.7', userAgent: FIREFOX }, later);
    expect(found).toEqual({ browser: 'Firefox', system: 'Linux', network: '192.0.2.0/24' });
    expect(await later()).toEqual(NO_ORIGIN);
  });

  it('continues in a job of the call', () => {
    const origin = { browser: 'Safari', system: 'iOS', network: '2001:db8:1::/48' };
    expect(withOrigin(origin, currentOrigin)).toEqual(origin);
  });
});
