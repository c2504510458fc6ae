import { type EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { Messages } from '../../platform/pubsub/messages.js';
import { ExpensiveWork, WORK_LIMITS } from '../../platform/callers/expensive-work.js';
import { ClientAddresses } from '../../platform/callers/client-address.js';
import { UPLOAD_ROUTE, UPLOAD_TYPES, UploadAdmission } from './upload.controller.js';
import { UploadSlots } from './upload-slots.js';

const BYTES = 100;
// Slot rows are never read here.
const pool = { query: () => Promise.resolve({ rows: [] }) } as unknown as Pool;
const slots = new UploadSlots(pool, {} as Messages, { signingKey: Buffer.alloc(32) });

let server: FastifyInstance;
let admitted: string[];

beforeEach(async () => {
  admitted = [];
  const work = new ExpensiveWork({
    ...WORK_LIMITS,
    upload: { concurrency: 1, queueLength: 2, refusal: 'UPLOADS_BUSY' },
  });
  const uploads = new UploadAdmission(slots, new ClientAddresses({ trustProxy: 1 }), work);
  server = fastify({ forceCloseConnections: true });
  server.addHook('onRequest', async (request, reply) => {
    await uploads.admit(request, reply);
    admitted.push(String(request.headers['x-forwarded-for']));
  });
  server.addContentTypeParser(UPLOAD_TYPES, { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  server.setErrorHandler(({ code }: { code?: string }, _request, reply) => reply.code(429).send(code));
  server.put(UPLOAD_ROUTE, () => 'read');
  await server.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => server.close());

const [ADA, BOB, EVE, MAX] = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'];

/** Sends the headers of an upload without its body. */
async function announce(from: string): Promise<Socket> {
  const { url } = await slots.open('student');
  const { port } = server.server.address() as AddressInfo;
  const arrived = once(server.server, 'request');
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.write(
    `PUT ${url} HTTP/1.1\r\nHost: nimo\r\nX-Forwarded-For: ${from}\r\nContent-Type: image/png\r\nContent-Length: ${BYTES}\r\n\r\n`,
  );
  await arrived;
  return socket;
}

const answerOn = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0]);

async function send(socket: Socket): Promise<string> {
  socket.write('x'.repeat(BYTES));
  return answerOn(socket);
}

describe('uploads', () => {
  it('are read in order with limited concurrency, and rejected when too many wait', async () => {
    const first = await announce(ADA);
    const [second, third] = [await announce(BOB), await announce(EVE)];
    expect(await answerOn(await announce(MAX))).toMatch(/ 429 .*UPLOADS_BUSY$/s);
    expect(admitted).toEqual([ADA]);
    for (const socket of [first, second, third]) expect(await send(socket)).toContain('200 OK');
    expect(admitted).toEqual([ADA, BOB, EVE]);
    expect(await send(await announce(MAX))).toContain('200 OK');
  });

  it('are not read if the client disconnects while waiting', async () => {
    const first = await announce(ADA);
    const closed = once(server.server, 'request').then(([, response]: unknown[]) =>
      once(response as EventEmitter, 'close'),
    );
    (await announce(BOB)).destroy();
    await closed;
    const third = await announce(EVE);
    for (const socket of [first, third]) expect(await send(socket)).toContain('200 OK');
    expect(admitted).toEqual([ADA, EVE]);
  });
});
