import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { readProxies } from '../config/proxies.js';
import { ClientAddresses } from './client-address.js';

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
