import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { ClientAddresses } from '../../callers/client-address.js';
import type { SubscriptionContext } from '../context-factory.js';
import { PER_SOCKET_LIMITS, SOCKET_LIMITS, SocketGate } from './socket-gate.js';

const gate = (): SocketGate =>
  new SocketGate(new ClientAddresses({ trustProxy: 0 }), {
    publicUrl: 'https://nimo.example',
    rateLimitFactor: 1,
  });

function requestFrom(
  address: string,
  headers: Record<string, string> = {},
  url = '/graphql',
): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  return Object.assign(new IncomingMessage(socket), { url, headers });
}

/** A socket with the given number of subscriptions. */
const contextFrom = (address: string, subscriptions = 0): SubscriptionContext =>
  ({
    extra: { request: requestFrom(address) },
    subscriptions: Object.fromEntries(Array.from({ length: subscriptions }, (_, n) => [`s${n}`, null])),
  }) as unknown as SubscriptionContext;

describe('sockets', () => {
  it('are limited per address, and closing one admits another', () => {
    const own = gate();
    const entered = Array.from({ length: SOCKET_LIMITS.socketsPerAddress }, () =>
      own.enter(requestFrom('192.0.2.1')),
    );
    expect(entered.filter((outcome) => typeof outcome === 'string')).toEqual([]);
    expect(own.enter(requestFrom('192.0.2.1'))).toBe('429 Too Many Requests');
    expect(own.enter(requestFrom('192.0.2.2'))).toEqual({ release: expect.any(Function) });
    const [first] = entered;
    if (typeof first === 'object') first.release();
    expect(own.enter(requestFrom('192.0.2.1'))).toEqual({ release: expect.any(Function) });
  });

  it('from one IPv6 network share a limit', () => {
    const own = gate();
    const outcomes = Array.from({ length: SOCKET_LIMITS.socketsPerAddress + 5 }, (_, n) =>
      own.enter(requestFrom(`2001:db8::${n.toString(16)}`)),
    );
    expect(outcomes.filter((outcome) => outcome === '429 Too Many Requests').length).toBe(5);
  });

  it('are limited per process', () => {
    const own = gate();
    const outcomes = Array.from({ length: SOCKET_LIMITS.sockets + 3 }, (_, n) =>
      own.enter(requestFrom(`10.0.${n >> 8}.${n & 255}`)),
    );
    expect(outcomes.filter((outcome) => typeof outcome === 'string')).toEqual(
      Array(3).fill('503 Service Unavailable'),
    );
  });

  it.each([
    [{}, true],
    [{ origin: 'https://nimo.example', host: 'internal' }, true],
    [{ origin: 'http://localhost:5173', host: 'localhost:5173' }, true],
    [{ origin: 'https://elsewhere.example', host: 'nimo.example' }, false],
    [{ origin: 'https://nimo.example.elsewhere.example', host: 'nimo.example' }, false],
    [{ origin: 'http://nimo.example:81', host: 'nimo.example' }, false],
    [{ origin: 'null', host: 'nimo.example' }, false],
    [{ origin: '//', host: 'nimo.example' }, false],
  ])('with %j are accepted as same-origin: %s', (headers, isOurs) => {
    const outcome = gate().enter(requestFrom('192.0.2.1', headers));
    expect(outcome === '403 Forbidden').toBe(!isOurs);
  });

  it.each(['//', '', '/graphql/', '/elsewhere', 'http://['])('are not accepted at %j', (url) => {
    expect(gate().enter(requestFrom('192.0.2.1', {}, url))).toBe('404 Not Found');
  });

  it('are limited per account across addresses', () => {
    const own = gate();
    const contexts = Array.from({ length: SOCKET_LIMITS.socketsPerAccount }, (_, n) =>
      contextFrom(`192.0.2.${n}`),
    );
    expect(contexts.map((context) => own.connect(context, 'ada')).every(Boolean)).toBe(true);
    expect(own.connect(contextFrom('192.0.2.99'), 'ada')).toBe(false);
    expect(own.connect(contextFrom('192.0.2.99'), 'bob')).toBe(true);
    for (const context of contexts) own.disconnect(context);
    expect(own.connect(contextFrom('192.0.2.99'), 'ada')).toBe(true);
  });
});

describe('subscriptions', () => {
  const { subscriptions } = PER_SOCKET_LIMITS;

  it('are rejected on a socket that is not connected', () => {
    expect(gate().refusalOf(contextFrom('192.0.2.1', 1))?.message).toContain('not connected');
  });

  it.each([
    ['socket', subscriptions, 1, undefined],
    ['account', SOCKET_LIMITS.subscriptionsPerAccount, 10, 'ada'],
    ['address', SOCKET_LIMITS.subscriptionsPerAddress, 30, undefined],
  ])('are limited per %s to %i', (owner, most, sockets, account) => {
    const own = gate();
    const each = Math.min(subscriptions, most / sockets);
    const contexts = Array.from({ length: sockets }, () => contextFrom('192.0.2.1', each));
    for (const context of contexts) own.connect(context, account);
    expect(contexts.some((context) => own.refusalOf(context))).toBe(false);
    const further = contextFrom('192.0.2.1', sockets === 1 ? subscriptions + 1 : 1);
    own.connect(further, account);
    expect(own.refusalOf(further)).toMatchObject({
      message: `Too many subscriptions: at most ${most} at once for each ${owner}.`,
      extensions: { code: 'BAD_REQUEST', rule: 'SUBSCRIPTIONS_AT_ONCE' },
    });
  });

  it('are counted without reading other sockets of the owner', () => {
    const own = gate();
    const [first, second] = [contextFrom('192.0.2.1', 1), contextFrom('192.0.2.1', 1)];
    for (const context of [first, second]) own.connect(context, 'ada');
    expect(own.refusalOf(first)).toBeUndefined();
    Object.defineProperty(first, 'subscriptions', {
      get: () => {
        throw new Error('another socket was read');
      },
    });
    expect(own.refusalOf(second)).toBeUndefined();
  });

  it.each<[string, (own: SocketGate, context: SubscriptionContext) => void]>([
    ['end', (own, context) => own.count(Object.assign(context, { subscriptions: {} }))],
    ['close with their socket', (own, context) => own.disconnect(context)],
  ])('free their place when they %s', (_, end) => {
    const own = gate();
    const sockets = SOCKET_LIMITS.subscriptionsPerAccount / subscriptions;
    const contexts = Array.from({ length: sockets }, () => contextFrom('192.0.2.1', subscriptions));
    for (const context of contexts) {
      own.connect(context, 'ada');
      expect(own.refusalOf(context)).toBeUndefined();
    }
    const further = contextFrom('192.0.2.1', 1);
    own.connect(further, 'ada');
    expect(own.refusalOf(further)?.message).toContain('account');
    for (const context of contexts) end(own, context);
    expect(own.refusalOf(further)).toBeUndefined();
  });
});
