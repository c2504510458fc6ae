import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { S3Files } from './files/s3-files.js';
import { TwilioSms } from './sms/twilio-sms.js';

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** Answers every request with the status and remembers what came. */
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

  it('gets one form a message', async () => {
    const { url, received } = await listening(201);
    await new TwilioSms(account, url).send('919000000000', 'code & more');
    expect(received[0]).toMatchObject({ method: 'POST', url: '/2010-04-01/Accounts/AC1/Messages.json' });
    expect(received[0]?.headers.authorization).toBe(`Basic ${Buffer.from('AC1:hush').toString('base64')}`);
    expect(String(received[0]?.body)).toBe('To=%2B919000000000&From=%2B1555&Body=code+%26+more');
  });

  it('that refuses makes the job fail, without the number in the error', async () => {
    const { url } = await listening(400, '{"message":"919000000000 is not a number"}');
    await expect(new TwilioSms(account, url).send('919000000000', 'x')).rejects.toThrow(
      new Error('the SMS gateway answered 400'),
    );
  });
});

describe('the S3 store', () => {
  const bucketAt = (endpoint: string) =>
    new S3Files({
      endpoint,
      bucket: 'pictures',
      region: 'eu-west-1',
      accessKeyId: 'A',
      secretAccessKey: 'S',
    });

  it('gets signed requests with their content', async () => {
    const { url, received } = await listening(200, 'bytes');
    const files = bucketAt(url);
    await files.put('pictures/a.webp', Buffer.from('picture'), 'image/webp');
    expect(String(await files.get('pictures/a.webp'))).toBe('bytes');
    await files.remove('pictures/a.webp');
    expect(received.map(({ method, url: path }) => `${method} ${path}`)).toEqual([
      'PUT /pictures/pictures/a.webp',
      'GET /pictures/pictures/a.webp',
      'DELETE /pictures/pictures/a.webp',
    ]);
    expect(String(received[0]?.body)).toBe('picture');
    for (const { headers } of received) {
      expect(headers.authorization).toMatch(
        /^AWS4-HMAC-SHA256 Credential=A\/\d{8}\/eu-west-1\/s3\/aws4_request/,
      );
      expect(headers['x-amz-content-sha256']).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it('has no file where it says so, and fails otherwise', async () => {
    const missing = await listening(404);
    expect(await bucketAt(missing.url).get('x')).toBeNull();
    await bucketAt(missing.url).remove('x');
    const broken = await listening(500);
    await expect(bucketAt(broken.url).get('x')).rejects.toThrow('the file store answered GET with 500');
    await expect(bucketAt(broken.url).put('x', Buffer.alloc(1), 'image/webp')).rejects.toThrow(
      'PUT with 500',
    );
  });
});
