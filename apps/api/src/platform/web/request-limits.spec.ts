import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';
import { ExpensiveWork, WORK_LIMITS } from '../callers/expensive-work.js';
import { ClientAddresses } from '../callers/client-address.js';
import { limitBodies, problemOfJson, REQUEST_LIMITS } from './request-limits.js';

describe('a request body', () => {
  const [SMALL, LARGE] = [100, REQUEST_LIMITS.smallBodyBytes + 1];
  const UPLOAD = '/upload/:key';
  let server: FastifyInstance;
  let received: IncomingMessage | undefined;

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
    server = fastify({ forceCloseConnections: true });
    limitBodies(server, {
      clients: new ClientAddresses({ trustProxy: 1 }),
      work: new ExpensiveWork({ ...WORK_LIMITS, body: { concurrency: 2, queueLength: 0 } }),
      isSignedIn: ({ headers }) => Promise.resolve(headers.authorization === 'signed in'),
      isUpload: (route) => route === UPLOAD,
    });
    server.addHook('onRequest', ({ raw }, _reply, done) => {
      received = raw;
      done();
    });
    server.addHook('preParsing', (_request, _reply, payload, done) => {
      server.server.emit('read');
      done(null, payload);
    });
    server.addContentTypeParser('image/png', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    server.setErrorHandler(({ code }: { code?: string }, _request, reply) =>
      reply.code(code === 'PAYLOAD_TOO_LARGE' ? 413 : 429).send(code),
    );
    server.post('/', () => 'read');
    server.put(UPLOAD, () => 'read');
    await server.listen({ port: 0, host: '127.0.0.1' });
  });

  afterEach(async () => {
    jest.useRealTimers();
    await server.close();
  });

  /** Sends the headers of a request without its body. */
  function announce(
    bytes: number,
    { from = '192.0.2.1', line = 'POST /', authorization = 'signed in' } = {},
  ): Socket {
    const { port } = server.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    socket.on('error', () => undefined);
    socket.write(
      `${line} HTTP/1.1\r\nHost: nimo\r\nX-Forwarded-For: ${from}\r\nAuthorization: ${authorization}\r\nContent-Type: image/png\r\nContent-Length: ${bytes}\r\n\r\n`,
    );
    return socket;
  }

  const reading = () => once(server.server, 'read');
  const answerOn = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0]);

  it.each([SMALL, LARGE])(
    'closes the connection when it does not arrive in time (%d bytes)',
    async (bytes) => {
      const read = reading();
      const socket = announce(bytes);
      await read;
      socket.write('x');
      jest.advanceTimersByTime(REQUEST_LIMITS.bodyMs - 1);
      await new Promise(setImmediate);
      expect(socket.destroyed).toBe(false);
      const ended = new Promise((resolve) => socket.resume().once('close', resolve));
      jest.advanceTimersByTime(1);
      await ended;
    },
  );

  it('may take longer when it is an upload', async () => {
    const read = reading();
    const socket = announce(SMALL, { line: 'PUT /upload/x' });
    await read;
    jest.advanceTimersByTime(REQUEST_LIMITS.bodyMs);
    socket.write('x'.repeat(SMALL));
    expect(await answerOn(socket)).toContain('200 OK');
  });

  it('leaves the connection open once it has arrived', async () => {
    const socket = announce(SMALL);
    socket.write('x'.repeat(SMALL));
    expect(await answerOn(socket)).toContain('200 OK');
    jest.advanceTimersByTime(REQUEST_LIMITS.bodyMs);
    await new Promise(setImmediate);
    expect(socket.destroyed).toBe(false);
  });

  it('is rejected unread when it is large and the sender is not signed in', async () => {
    const from = { authorization: 'anonymous' };
    const large = announce(LARGE, from);
    const closed = once(large, 'close');
    expect(await answerOn(large)).toMatch(/ 413 .*PAYLOAD_TOO_LARGE$/s);
    await closed;
    // A pending timer would keep the request in memory.
    jest.advanceTimersByTime(REQUEST_LIMITS.bodyMs);
    expect(received?.errored).toBeNull();
    const small = announce(SMALL, from);
    small.write('x'.repeat(SMALL));
    expect(await answerOn(small)).toContain('200 OK');
  });

  it('is rejected when too many large ones are being read', async () => {
    const held: Socket[] = [];
    for (const from of ['192.0.2.1', '192.0.2.2']) {
      const read = reading();
      held.push(announce(LARGE, { from }));
      await read;
    }
    expect(await answerOn(announce(LARGE, { from: '192.0.2.3' }))).toMatch(/ 429 .*TOO_MANY_REQUESTS$/s);
    const small = announce(SMALL, { from: '192.0.2.3' });
    small.write('x'.repeat(SMALL));
    expect(await answerOn(small)).toContain('200 OK');
    const [first] = held;
    first?.write('x'.repeat(LARGE));
    if (first) expect(await answerOn(first)).toContain('200 OK');
    const next = announce(LARGE, { from: '192.0.2.3' });
    next.write('x'.repeat(LARGE));
    expect(await answerOn(next)).toContain('200 OK');
  });
});

const ruleOf = (text: string): string | undefined => problemOfJson(Buffer.from(text))?.details.rule;
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('the shape of a JSON body', () => {
  it('is limited in depth', () => {
    expect(ruleOf(nested(REQUEST_LIMITS.jsonDepth))).toBeUndefined();
    expect(ruleOf(nested(REQUEST_LIMITS.jsonDepth + 1))).toBe('BODY_TOO_DEEP');
    expect(ruleOf('{"a":'.repeat(100))).toBe('BODY_TOO_DEEP');
  });

  it('does not count closed levels', () => {
    expect(ruleOf(`[${Array.from({ length: 200 }, () => nested(3)).join()}]`)).toBeUndefined();
  });

  it.each([
    ['entries', `[${'1,'.repeat(REQUEST_LIMITS.jsonSigns)}1]`],
    ['empty objects', `[${'{},'.repeat(REQUEST_LIMITS.jsonSigns / 2)}{}]`],
    ['fields', `{${'"a":1,'.repeat(REQUEST_LIMITS.jsonSigns / 2)}"a":1}`],
  ])('is limited in %s', (_, text) => {
    expect(problemOfJson(Buffer.from(text))).toMatchObject({
      message: 'The body has too many values: at most 20000 brackets, commas and colons.',
      code: 'VALIDATION_FAILED',
      details: { field: 'body', rule: 'BODY_TOO_MANY_VALUES' },
    });
  });

  it.each([
    ['in a string', JSON.stringify({ body: nested(50_000) + ','.repeat(50_000) })],
    ['after a quote in a string', JSON.stringify({ body: `"${nested(50_000)}` })],
    ['after backslashes in a string', JSON.stringify({ body: `\\"\\${nested(50_000)}` })],
    ['in a key', JSON.stringify({ [nested(50_000)]: 1 })],
  ])('ignores brackets %s', (_, text) => {
    expect(ruleOf(text)).toBeUndefined();
  });

  it('resumes after a string that ends in a backslash', () => {
    expect(ruleOf(`["a\\\\",${nested(100)}]`)).toBe('BODY_TOO_DEEP');
  });

  it.each(['', '"', '"\\', ']]]', 'nonsense'])('leaves %j to the parser', (text) => {
    expect(ruleOf(text)).toBeUndefined();
  });
});
