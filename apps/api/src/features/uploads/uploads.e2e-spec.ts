import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import sharp from 'sharp';
import { sharedApp, newUserName, type SignedUpStudent, type TestApp } from '../../../../../test/app.js';
import type { FileStore } from '../../platform/adapters/files/file-store.js';
import type { JobQueues } from '../../platform/adapters/jobs/job-queues.js';
import { FILES, JOBS } from '../../platform/adapters/tokens.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { UploadSlots } from './upload-slots.js';
import { eventually } from '@nimo/testing';

const SLOT =
  'query($grant: String) { getPresignedS3Url(contentType: "image/png", grant: $grant) { url key } }';
const PICTURE = `mutation($id: ID!, $url: String) { updateStudent(id: $id, realProfilePicUrl: $url) { realProfilePicUrl } }`;
const INVALID = 'This upload link has expired. Choose the file again.';

interface SlotData {
  readonly getPresignedS3Url: { readonly url: string; readonly key: string };
}

let app: TestApp;
let ada: SignedUpStudent;
let png: Buffer;
beforeAll(async () => {
  app = await sharedApp();
  ada = await app.signUp();
  png = await picture(64, 48).png().toBuffer();
});
afterEach(() => void jest.restoreAllMocks());

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c33' } });
const slot = async (token = ada.token) =>
  (await app.graphql<SlotData>(SLOT, {}, token)).data.getPresignedS3Url;
const put = (url: string, bytes: Buffer, type = 'image/png') =>
  app.http().put(url).set('content-type', type).send(bytes);
const get = (path: string) =>
  app
    .http()
    .get(path)
    .buffer(true)
    .parse((response, done) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => done(null, Buffer.concat(parts)));
    });

const frames = () =>
  Promise.all([picture(20, 20).png().toBuffer(), picture(20, 20).negate().png().toBuffer()]);

async function animatedGif(): Promise<Buffer> {
  return sharp(await frames(), { join: { animated: true } })
    .gif()
    .toBuffer();
}

/** Stores the second frame as `fdAT`, which decoders of still images skip. */
async function animatedPng(): Promise<Buffer> {
  const [first, second] = (await frames()).map(chunksOf);
  if (!first || !second) throw new Error('no frames');
  const control = (sequence: number) =>
    chunk('fcTL', Buffer.concat([uint32(sequence, 20, 20, 0, 0), Buffer.from([0, 1, 0, 1, 0, 0])]));
  const pixels = (chunks: typeof first) => chunks.filter(({ type }) => type === 'IDAT');
  return Buffer.concat([
    png.subarray(0, 8),
    ...first.filter(({ type }) => type === 'IHDR').map(({ type, data }) => chunk(type, data)),
    chunk('acTL', uint32(2, 0)),
    control(0),
    ...pixels(first).map(({ type, data }) => chunk(type, data)),
    control(1),
    ...pixels(second).map(({ data }, index) => chunk('fdAT', Buffer.concat([uint32(index + 2), data]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32BE(value, 4 * index));
  return bytes;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))]);
}

function chunksOf(bytes: Buffer): { readonly type: string; readonly data: Buffer }[] {
  const chunks = [];
  for (let at = 8; at < bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at);
    chunks.push({ type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
}

/** Header of an uncompressed TIFF with three floating-point channels, without pixels. */
function tiffOf(width: number, height: number, bits: number): Buffer {
  const entries = [
    [256, width],
    [257, height],
    [258, bits],
    [259, 1],
    [262, 2],
    [273, 8],
    [277, 3],
    [278, height],
    [279, 8],
    [339, 3],
  ];
  const bytes = Buffer.alloc(8 + 2 + 12 * entries.length + 4);
  bytes.write('II*\0', 'latin1');
  bytes.writeUInt32LE(8, 4);
  bytes.writeUInt16LE(entries.length, 8);
  for (const [index, [tag = 0, value = 0]] of entries.entries()) {
    const at = 10 + 12 * index;
    bytes.writeUInt16LE(tag, at);
    bytes.writeUInt16LE(4, at + 2);
    bytes.writeUInt32LE(1, at + 4);
    bytes.writeUInt32LE(value, at + 8);
  }
  return bytes;
}

/** A large picture may not be ready when its PUT returns. */
const served = (path: string) =>
  eventually(
    () => get(path),
    ({ status }) => status === 200,
  );

async function storedFiles(): Promise<string[]> {
  const entries = await readdir(join(app.dataDir, 'media'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function expectRefused(bytes: Buffer, rule: string, type = 'image/png'): Promise<void> {
  const { url, key } = await slot();
  const { status, body } = await put(url, bytes, type);
  expect(status).toBe(400);
  expect(body.errors[0].extensions).toEqual({ code: 'VALIDATION_FAILED', field: 'file', rule });
  await eventually(storedFiles, (files) => !files.some((name) => name.startsWith(key)));
  expect((await get(`/media/${key}`)).status).toBe(404);
}

describe('an upload', () => {
  it('is re-encoded upright, within bounds and without metadata', async () => {
    const photo = await picture(2500, 2200)
      .withExif({ IFD0: { ImageDescription: 'my home', Orientation: '6' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { url, key } = await slot();
    const { status, body } = await put(url, photo, 'image/jpeg');
    expect([status, body]).toEqual([200, { location: `/media/${key}` }]);
    const answer = await served(body.location);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=60, must-revalidate',
    });
    const { format, width, height, exif } = await sharp(answer.body).metadata();
    expect({ format, width, height, exif }).toEqual({
      format: 'webp',
      width: 2000,
      height: 2273,
      exif: undefined,
    });
    expect(answer.body.includes('my home')).toBe(false);
    const thumbnail = await sharp((await get(`/media/thumb/${key}`)).body).metadata();
    expect([thumbnail.width, thumbnail.height]).toEqual([390, 443]);
    expect((await storedFiles()).filter((name) => name === key)).toHaveLength(2);
  });

  it('keeps a long screenshot legible', async () => {
    const { url, key } = await slot();
    expect((await put(url, await picture(1000, 12_000).png().toBuffer())).status).toBe(200);
    const { width, height } = await sharp((await served(`/media/${key}`)).body).metadata();
    expect([width, height]).toEqual([1000, 12_000]);
  });

  it.each([
    ['GIF', 'image/gif', animatedGif],
    ['PNG', 'image/png', animatedPng],
    ['PNG by its own type', 'image/apng', animatedPng],
  ])('keeps the first frame of an animated %s', async (_kind, type, animated) => {
    const { url, key } = await slot();
    expect((await put(url, await animated(), type)).status).toBe(200);
    const shown = sharp((await get(`/media/${key}`)).body);
    expect((await shown.metadata()).pages).toBeUndefined();
    const [red, green] = await shown.raw().toBuffer();
    expect(red).toBeGreaterThan(150);
    expect(green).toBeLessThan(100);
  });

  it.each(['jpeg', 'webp', 'avif', 'tiff'] as const)('accepts %s', async (format) => {
    const { url, key } = await slot();
    const bytes = await picture(64, 48).toFormat(format).toBuffer();
    expect((await put(url, bytes, `image/${format}`)).status).toBe(200);
    expect((await get(`/media/${key}`)).status).toBe(200);
  });

  it('rejects HEIC and BMP, which cannot be decoded', async () => {
    const heic = Buffer.concat([Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic'), Buffer.alloc(200)]);
    await expectRefused(heic, 'IMAGE_TYPE', 'image/heic');
    await expectRefused(Buffer.concat([Buffer.from('BM'), Buffer.alloc(200)]), 'IMAGE_TYPE', 'image/bmp');
  });

  it('rejects scripts, text and broken pictures regardless of the content type', async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>',
    );
    await expectRefused(svg, 'IMAGE_TYPE');
    await expectRefused(svg, 'IMAGE_TYPE', 'image/svg+xml');
    await expectRefused(Buffer.from('<html><script>alert(1)</script>'), 'IMAGE_TYPE');
    await expectRefused(Buffer.alloc(0), 'IMAGE_EMPTY');
    await expectRefused(png.subarray(0, png.length - 40), 'IMAGE_BROKEN');
    await expectRefused(Buffer.concat([png.subarray(0, 8), Buffer.alloc(500)]), 'IMAGE_TYPE');
  });

  it('strips a script appended to a picture', async () => {
    const { url, key } = await slot();
    const polyglot = Buffer.concat([png, Buffer.from('<script>alert(1)</script>PK\u0003\u0004')]);
    expect((await put(url, polyglot)).status).toBe(200);
    expect((await get(`/media/${key}`)).body.includes('script')).toBe(false);
  });

  it('rejects decompression bombs', async () => {
    const bomb = await sharp({
      create: { width: 12_000, height: 12_000, channels: 3, background: '#000' },
      limitInputPixels: false,
    })
      .png({ compressionLevel: 9 })
      .toBuffer();
    await expectRefused(bomb, 'IMAGE_TOO_MANY_PIXELS');
    await expectRefused(tiffOf(6000, 6000, 32), 'IMAGE_TOO_MANY_PIXELS', 'image/tiff');
  });

  it('rejects more than ten megabytes', async () => {
    const { url } = await slot();
    const { status, body } = await put(url, Buffer.alloc(10 * 1024 * 1024 + 1));
    expect([status, body.errors[0].extensions]).toEqual([
      413,
      { code: 'PAYLOAD_TOO_LARGE', rule: 'IMAGE_TOO_LARGE' },
    ]);
    expect((await put(url, png)).status).toBe(200);
  });
});

describe('an upload address', () => {
  it('is valid for one upload, even under concurrency', async () => {
    const { url } = await slot();
    // The same picture may come again once the first one is answered.
    const pictures = await Promise.all([8, 9, 10].map((size) => picture(size, size).png().toBuffer()));
    const answers = await Promise.all(pictures.map((bytes) => put(url, bytes)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    const other = await picture(12, 12).png().toBuffer();
    expect((await put(url, other)).body.errors[0].message).toBe(INVALID);
  });

  it('returns the same response for the same picture without processing it again', async () => {
    const { url, key } = await slot();
    const first = await put(url, png);
    const drawn = jest.spyOn(app.api.get<JobQueues>(JOBS, { strict: false }), 'add');
    const again = await put(url, png);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.body).toEqual({ location: `/media/${key}` });
    expect(drawn).not.toHaveBeenCalled();
    const refused = await slot();
    const fake = Buffer.from('fake');
    expect((await put(refused.url, fake)).body).toEqual((await put(refused.url, fake)).body);
  });

  it.each([
    ['the queue', () => jest.spyOn(app.api.get<JobQueues>(JOBS, { strict: false }), 'add')],
    ['the file store', () => jest.spyOn(app.api.get<FileStore>(FILES, { strict: false }), 'put')],
  ])('can be used again after %s failed, even for another picture', async (_, away) => {
    const other = await picture(12, 12).png().toBuffer();
    for (const next of [png, other]) {
      const { url, key } = await slot();
      away().mockRejectedValueOnce(new ApiError('UNAVAILABLE', 'away'));
      expect((await put(url, png)).status).toBe(503);
      expect((await get(`/media/${key}`)).status).toBe(404);
      expect((await put(url, next)).status).toBe(200);
      const { width } = await sharp((await get(`/media/${key}`)).body).metadata();
      expect(width).toBe(next === png ? 64 : 12);
    }
  });

  it('can be used again for the same picture after a crash', async () => {
    const { url, key } = await slot();
    await app.api.get(UploadSlots, { strict: false }).claim(key, png);
    expect((await put(url, png)).status).toBe(200);
    expect((await get(`/media/${key}`)).status).toBe(200);
  });

  it('cannot be used again after a fake picture', async () => {
    const { url } = await slot();
    await put(url, Buffer.from('fake'));
    expect((await put(url, png)).status).toBe(403);
  });

  it('cannot be forged or altered', async () => {
    const { url, key } = await slot();
    const other = await slot();
    const bent = [
      url.replace(/signature=(.)/, (_, first) => `signature=${first === 'A' ? 'B' : 'A'}`),
      url.replace(/expires=\d+/, 'expires=9999999999'),
      url.replace(key, other.key),
      url.replace(key, '..%2f..%2fetc%2fpasswd'),
      `/upload/${key}`,
    ];
    for (const address of bent) expect((await put(address, png)).status).toBe(403);
  });

  it('expires', async () => {
    const { url, key } = await slot();
    await app.pool.query(`update state.upload set expires_at = now() - interval '1 second' where key = $1`, [
      key,
    ]);
    expect((await put(url, png)).status).toBe(403);
  });

  it('requires a session or a grant', async () => {
    for (const grant of [null, 'A'.repeat(43)]) {
      const { errors } = await app.graphql(SLOT, { grant });
      expect(['UNAUTHENTICATED', 'FORBIDDEN']).toContain(errors?.[0]?.extensions.code);
    }
  });
});

describe('a profile picture', () => {
  const choose = (student: SignedUpStudent, url: string | null) =>
    app.graphql(PICTURE, { id: student.studentId, url }, student.token);

  it('can be your own upload, an avatar or nothing', async () => {
    const { url, key } = await slot();
    await put(url, png);
    for (const chosen of [`/media/${key}`, '/avatars/animals/fox.svg', null]) {
      expect((await choose(ada, chosen)).data).toEqual({ updateStudent: { realProfilePicUrl: chosen } });
    }
  });

  it('cannot be another student’s, external or rejected', async () => {
    const bob = await app.signUp({ userName: newUserName() });
    const { url, key } = await slot();
    await put(url, png);
    const refused = await slot(bob.token);
    await put(refused.url, Buffer.from('fake'));
    const bad = [
      `/media/${key}`,
      `/media/${refused.key}`,
      'https://elsewhere.example/x.png',
      '/avatars/animals/none.svg',
      'javascript:alert(1)',
      '/media/../../etc/passwd',
    ];
    for (const chosen of bad) {
      const { errors } = await choose(bob, chosen);
      expect(errors?.[0]?.extensions).toMatchObject({
        code: 'VALIDATION_FAILED',
        field: 'realProfilePicUrl',
      });
    }
  });
});

describe('files', () => {
  it.each([
    '/media/nothing.webp',
    '/media/..%2fkeys.json',
    '/media/thumb/%2e%2e',
    '/avatars/animals/none.svg',
  ])('return 404 for %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it('include every avatar of the catalogue', async () => {
    const { data } = await app.graphql<{ getAvatars: { urls: string[] }[] }>(
      '{ getAvatars { category urls } }',
    );
    // Other specs may have added their own.
    const urls = data.getAvatars.flatMap(({ urls: all }) => all).filter((url) => url.startsWith('/avatars/'));
    expect(urls.length).toBeGreaterThanOrEqual(24);
    for (const url of urls) {
      const { status, headers, body } = await get(url);
      expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('image/svg+xml')]);
      expect((await sharp(body).metadata()).width).toBe(120);
    }
  });
});
