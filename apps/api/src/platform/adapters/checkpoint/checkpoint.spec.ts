import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ExternalCheckpoint,
  isGenuineHead,
  type SignedHead,
  signHead,
  signingKeyOf,
} from '@nimo/event-store';
import { CREDENTIALS, S3Double } from '../../../../../../test/servers/s3/s3-double.js';
import { S3Files } from '../files/s3-files.js';
import { S3Heads } from './s3-heads.js';
import { WebhookHeads } from './webhook-heads.js';

const SECRET = 'hush';
const key = signingKeyOf(randomBytes(32));
const headAt = (ordinal: number): SignedHead =>
  signHead({ ordinal, head: randomBytes(32) }, key, new Date(1_790_000_000_000 + ordinal));

interface Opened {
  readonly checkpoint: ExternalCheckpoint;
  /** Makes it fail from now on. */
  readonly fail: () => void;
  readonly close: () => Promise<void>;
}

/** A receiver as documented in docs/maintenance.md. */
async function webhook(secret = SECRET): Promise<Opened> {
  const kept: SignedHead[] = [];
  let fails = false;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const url = new URL(request.url ?? '', 'http://localhost');
    const signed = request.method === 'POST' ? body : url.search;
    const signature = `sha256=${createHmac('sha256', SECRET).update(signed).digest('hex')}`;
    if (fails || request.headers['x-nimo-signature'] !== signature) {
      response.writeHead(fails ? 503 : 403).end();
      return;
    }
    if (request.method === 'POST') {
      kept.push(JSON.parse(body) as SignedHead);
      response.writeHead(204).end();
      return;
    }
    const { last, after = '0', limit = '1000' } = Object.fromEntries(url.searchParams);
    const heads =
      last === undefined
        ? kept.filter(({ ordinal }) => ordinal > Number(after)).slice(0, Number(limit))
        : kept.slice(-Number(last));
    response.end(JSON.stringify({ heads: [...heads, 'no head'] }));
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    checkpoint: new WebhookHeads(`http://127.0.0.1:${port}/heads`, secret),
    fail: () => {
      fails = true;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function bucket(): Promise<Opened> {
  const double = await S3Double.start();
  return {
    checkpoint: new S3Heads(new S3Files(double.bucket), 'nimo/checkpoint/'),
    fail: () => {
      double.failsWith = 403;
    },
    close: () => double.stop(),
  };
}

describe.each([
  ['a webhook', webhook],
  ['a bucket', bucket],
])('signed heads in %s', (_, open) => {
  let opened: Opened;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  it('are read back unchanged, after an ordinal and from the end', async () => {
    const { checkpoint } = opened;
    const heads = [5, 10, 1_000_000].map(headAt);
    await checkpoint.append(heads);
    expect((await checkpoint.read()).heads).toEqual(heads);
    expect((await checkpoint.read(5)).heads).toEqual(heads.slice(1));
    expect((await checkpoint.read(0, 2)).heads).toEqual(heads.slice(0, 2));
    const { heads: last } = await checkpoint.last();
    expect(last.at(-1)).toEqual(heads.at(-1));
    expect(last.every((head) => isGenuineHead(head, key))).toBe(true);
  });

  it('are initially empty', async () => {
    expect((await opened.checkpoint.read()).heads).toEqual([]);
    expect((await opened.checkpoint.last()).heads).toEqual([]);
  });

  it('cannot be read or written while it fails', async () => {
    const { checkpoint, fail } = opened;
    fail();
    await expect(checkpoint.append([headAt(5)])).rejects.toThrow();
    await expect(checkpoint.read()).rejects.toThrow();
    await expect(checkpoint.last()).rejects.toThrow();
  });
});

describe('a webhook for signed heads', () => {
  it('rejects a wrong secret', async () => {
    const { checkpoint, close } = await webhook('another');
    await expect(checkpoint.append([headAt(5)])).rejects.toThrow(
      'the log checkpoint webhook responded with 403',
    );
    await expect(checkpoint.last()).rejects.toThrow('the log checkpoint webhook responded with 403');
    await close();
  });
});

describe('a bucket for signed heads', () => {
  it('does not loop when the store repeats a page', async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `nimo/checkpoint/heads/${index}`);
    let asked = 0;
    class SamePage extends S3Files {
      override list(): Promise<string[]> {
        asked += 1;
        return asked > 2 ? Promise.reject(new Error('asked again')) : Promise.resolve(names);
      }
    }
    const bucketOf = { endpoint: 'http://127.0.0.1', bucket: 'heads', ...CREDENTIALS };
    const { damagedLines } = await new S3Heads(new SamePage(bucketOf), 'nimo/checkpoint/').read();
    expect(damagedLines).toBe(2_000);
  });
});
