import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { S3Double } from '../../../../../../test/servers/s3/s3-double.js';
import type { FileStore } from './file-store.js';
import { FolderFiles } from './folder-files.js';
import { S3Files, type S3Bucket } from './s3-files.js';

interface Opened {
  readonly files: FileStore;
  readonly close: () => Promise<void>;
}

async function inFolder(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'nimo-files-'));
  return { files: new FolderFiles(folder), close: () => rm(folder, { recursive: true }) };
}

async function inDouble(): Promise<Opened> {
  const double = await S3Double.start();
  return { files: new S3Files(double.bucket), close: () => double.stop() };
}

/** The server configured by S3_TEST_* variables. */
function realBucket(): S3Bucket | undefined {
  const { env } = process;
  const endpoint = env['S3_TEST_ENDPOINT'];
  if (endpoint === undefined) return undefined;
  return {
    endpoint,
    bucket: env['S3_TEST_BUCKET'] ?? 'nimo-test',
    region: env['S3_TEST_REGION'] ?? 'us-east-1',
    accessKeyId: env['S3_TEST_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: env['S3_TEST_SECRET_ACCESS_KEY'] ?? '',
  };
}

const real = realBucket();
if (!real) {
  process.stderr.write(
    'S3_TEST_ENDPOINT is not set: testing the file store against an HTTP test double, NOT a real S3 store.\n',
  );
}

const ENGINES: readonly (readonly [string, () => Promise<Opened>])[] = [
  ['a folder', inFolder],
  ['a double of S3', inDouble],
  ...(real
    ? [
        [
          'a real S3 store',
          () => Promise.resolve({ files: new S3Files(real), close: () => Promise.resolve() }),
        ] as const,
      ]
    : []),
];

const TYPE = 'image/webp';
const newPath = (): string => `incoming/${randomUUID()}.webp`;
const sendTo = (url: string, bytes: Buffer, type: string): Promise<Response> =>
  fetch(url, { method: 'PUT', headers: { 'content-type': type }, body: new Uint8Array(bytes) });

describe.each(ENGINES)('files in %s', (_name, open) => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  it('round-trip their bytes and can be overwritten', async () => {
    const { files } = opened;
    const path = newPath();
    for (const bytes of [randomBytes(300_000), Buffer.from([0, 255, 13, 10])]) {
      await files.put(path, bytes, TYPE);
      expect((await files.get(path))?.equals(bytes)).toBe(true);
      expect(await files.sizeOf(path)).toBe(bytes.length);
    }
    await files.remove(path);
  });

  it('of any size are uploaded atomically and read as a stream', async () => {
    const { files } = opened;
    const path = newPath();
    const folder = await mkdtemp(join(tmpdir(), 'nimo-put-'));
    const local = join(folder, 'copy.zip');
    for (const bytes of [randomBytes(3_000_000), Buffer.from('x')]) {
      await writeFile(local, bytes);
      await files.putFile(path, local, 'application/zip');
      const read = await files.read(path);
      expect(read?.bytes).toBe(bytes.length);
      expect(read && Buffer.concat(await read.stream.toArray()).equals(bytes)).toBe(true);
    }
    await files.remove(path);
    expect(await files.read(path)).toBeNull();
    await expect(files.putFile(path, join(folder, 'missing'), 'application/zip')).rejects.toThrow(
      /ENOENT|open file/,
    );
    expect(await files.read(path)).toBeNull();
    await rm(folder, { recursive: true });
  });

  it('can be removed repeatedly and are then missing', async () => {
    const { files } = opened;
    const path = newPath();
    await files.put(path, Buffer.from('x'), TYPE);
    await files.remove(path);
    await files.remove(path);
    expect([await files.get(path), await files.sizeOf(path)]).toEqual([null, null]);
  });

  it('are accepted at signed URLs only as announced', async () => {
    const { files } = opened;
    // A folder has none: uploads go through the API.
    if (!files.signedUrls) return;
    const path = newPath();
    const bytes = randomBytes(1_000);
    const url = await files.signedUrls.toPut(path, { contentType: 'image/png', contentLength: 1_000 }, 900);
    const refused = [
      await sendTo(url, bytes, 'text/html'),
      await sendTo(url, Buffer.concat([bytes, bytes]), 'image/png'),
      await sendTo(url.replace(path, newPath()), bytes, 'image/png'),
      await sendTo(url.replace('X-Amz-Expires=900', 'X-Amz-Expires=90000'), bytes, 'image/png'),
      await fetch(url),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect(await files.sizeOf(path)).toBeNull();
    expect((await sendTo(url, bytes, 'image/png')).status).toBe(200);
    expect((await files.get(path))?.equals(bytes)).toBe(true);
    const shown = await fetch(await files.signedUrls.toGet(path));
    expect(Buffer.from(await shown.arrayBuffer()).equals(bytes)).toBe(true);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    try {
      expect(await files.signedUrls.toGet(path)).toBe(await files.signedUrls.toGet(path));
    } finally {
      clock.mockRestore();
    }
    await files.remove(path);
  });
});

describe('an S3 store', () => {
  it('rejects expired and wrongly signed requests', async () => {
    const double = await S3Double.start();
    const files = new S3Files(double.bucket);
    const late = await files.signedUrls.toPut('incoming/late', { contentType: TYPE, contentLength: 1 }, -1);
    expect((await sendTo(late, Buffer.from('x'), TYPE)).status).toBe(403);
    const stranger = new S3Files({ ...double.bucket, secretAccessKey: 'guessed' });
    await expect(stranger.put('incoming/x', Buffer.from('x'), TYPE)).rejects.toThrow('PUT with 403');
    expect(double.objects.size).toBe(0);
    await double.stop();
  });

  it('reports failures without the URL', async () => {
    const double = await S3Double.start();
    const files = new S3Files(double.bucket);
    double.failsWith = 403;
    const failing = [
      () => files.put('pictures/x', Buffer.from('x'), TYPE),
      () => files.get('pictures/x'),
      () => files.sizeOf('pictures/x'),
      () => files.remove('pictures/x'),
    ];
    for (const act of failing)
      await expect(act()).rejects.toThrow(/^the file store responded to \w+ with 403$/);
    await double.stop();
  });
});
