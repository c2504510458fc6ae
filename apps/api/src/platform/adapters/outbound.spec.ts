import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { TwilioSms } from './sms/sms-sender.js';

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** Responds to every request with the status and records it. */
async function listening(status: number, answer = ''): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method, url, headers } = request;
      received.push({ method, url, headers, body: Buffer.concat(parts) });
      response.writeHead(status).end(answer);
    });
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

describe('the SMS gateway', () => {
  const account = { accountSid: 'AC1', authToken: 'hush', from: '+1555' };

  it('receives one form post per message', async () => {
    const { url, received } = await listening(201);
    await new TwilioSms(account, url).send('919000000000', 'code & more');
    expect(received[0]).toMatchObject({ method: 'POST', url: '/2010-04-01/Accounts/AC1/Messages.json' });
    expect(received[0]?.headers.authorization).toBe(`Basic ${Buffer.from('AC1:hush').toString('base64')}`);
    expect(String(received[0]?.body)).toBe('To=%2B919000000000&From=%2B1555&Body=code+%26+more');
  });

  it('makes the job fail on rejection, without the number in the error', async () => {
    const { url } = await listening(400, '{"message":"919000000000 is not a number"}');
    await expect(new TwilioSms(account, url).send('919000000000', 'x')).rejects.toThrow(
      new Error('the SMS gateway responded with 400'),
    );
  });
});
