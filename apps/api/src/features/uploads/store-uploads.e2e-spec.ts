import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import sharp from 'sharp';
import { bootApp, type SignedUpStudent, type TestApp } from '../../../../../test/app.js';
import type { JobQueues } from '../../platform/adapters/jobs/job-queues.js';
import { JOBS } from '../../platform/adapters/tokens.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { S3Double } from '../../../../../test/servers/s3/s3-double.js';
import { eventually } from '@nimo/testing';

const SLOT = `query($type: String, $length: Int) {
  getPresignedS3Url(contentType: $type, contentLength: $length) { url key doneUrl } }`;

interface Slot {
  readonly url: string;
  readonly key: string;
  readonly doneUrl: string | null;
}

let store: S3Double;
let app: TestApp;
let ada: SignedUpStudent;
let png: Buffer;
let webFolder: string;
beforeAll(async () => {
  store = await S3Double.start();
  webFolder = await mkdtemp(join(tmpdir(), 'nimo-web-'));
  await writeFile(join(webFolder, 'index.html'), '<title>Nimo</title><div id="root"></div>');
  app = await bootApp(store.environment, { webFolder });
  ada = await app.signUp();
  png = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#c33' } })
    .withExif({ IFD0: { ImageDescription: 'my home' } })
    .png()
    .toBuffer();
});
afterAll(async () => {
  await app.close();
  await store.stop();
  await rm(webFolder, { recursive: true });
});

async function slot(length: number, type = 'image/png'): Promise<Slot> {
  const { data } = await app.graphql<{ getPresignedS3Url: Slot }>(SLOT, { type, length }, ada.token);
  return data.getPresignedS3Url;
}

const put = (url: string, bytes: Buffer, type = 'image/png') =>
  fetch(url, { method: 'PUT', headers: { 'content-type': type }, body: new Uint8Array(bytes) });
const done = ({ doneUrl }: Slot) => app.http().post(doneUrl ?? '/none');

async function expectRefused(bytes: Buffer, rule: string): Promise<void> {
  const opened = await slot(bytes.length);
  expect((await put(opened.url, bytes)).status).toBe(200);
  const { status, body } = await done(opened);
  expect([status, body.errors[0].extensions.rule]).toEqual([400, rule]);
  await eventually(() =>
    Promise.resolve([...store.objects.keys()].every((path) => !path.includes(opened.key))),
  );
  expect((await app.http().get(`/media/${opened.key}`)).status).toBe(404);
}

describe('an upload to a store', () => {
  it('goes directly to quarantine and is served by the store after re-encoding', async () => {
    const opened = await slot(png.length);
    expect(opened.url.startsWith(`${store.endpoint}/pictures/incoming/${opened.key}?`)).toBe(true);
    expect((await put(opened.url, png)).status).toBe(200);
    expect([...store.objects.keys()]).toContain(`incoming/${opened.key}`);
    expect((await app.http().get(`/media/${opened.key}`)).status).toBe(404);

    const { status, body } = await done(opened);
    expect([status, body]).toEqual([200, { location: `/media/${opened.key}` }]);
    await eventually(() => Promise.resolve(!store.objects.has(`incoming/${opened.key}`)));
    for (const path of [`/media/${opened.key}`, `/media/thumb/${opened.key}`]) {
      const shown = await app.http().get(path).redirects(0);
      expect(shown.status).toBe(302);
      const picture = await fetch(shown.headers['location'] ?? '');
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp']);
      const bytes = Buffer.from(await picture.arrayBuffer());
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 64, height: 48 });
      expect(bytes.includes('my home')).toBe(false);
    }
  });

  it('is limited to the announced type and length', async () => {
    const { url, key } = await slot(png.length);
    expect((await put(url, Buffer.concat([png, png]))).status).toBe(403);
    expect((await put(url, png, 'text/html')).status).toBe(403);
    expect([...store.objects.keys()]).not.toContain(`incoming/${key}`);
    const refusals = await Promise.all(
      [
        { type: 'image/svg+xml', length: 100 },
        { type: 'image/png', length: 0 },
        { type: 'image/png', length: 10 * 1024 * 1024 + 1 },
      ].map(async (claims) => (await app.graphql(SLOT, claims, ada.token)).errors?.[0]?.extensions.code),
    );
    expect(refusals).toEqual(['VALIDATION_FAILED', 'VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE']);
  });

  it('is checked by content and deleted if rejected', async () => {
    await expectRefused(Buffer.from('<html><script>alert(1)</script></html>'), 'IMAGE_TYPE');
    await expectRefused(png.subarray(0, png.length - 40), 'IMAGE_BROKEN');
  });

  it('is processed once after it arrives, with a valid URL only', async () => {
    const opened = await slot(png.length);
    expect((await done(opened)).status).toBe(404);
    await put(opened.url, png);
    const bent = (opened.doneUrl ?? '').replace(/signature=.{4}/, 'signature=AAAA');
    expect((await app.http().post(bent)).status).toBe(403);
    const first = await done(opened);
    expect(first.status).toBe(200);
    // A retry after a lost response.
    expect([(await done(opened)).body, first.body]).toEqual([
      first.body,
      { location: `/media/${opened.key}` },
    ]);
    // The store URL stays valid for some minutes; later uploads are never shown and do not stay.
    const other = Buffer.from(png);
    other.writeUInt8(1, other.length - 1);
    // The first job cleans up after its response and may remove the first of these files too.
    const again = async () => {
      await put(opened.url, other);
      return (await done(opened)).status;
    };
    expect(await eventually(again, (status) => status === 403)).toBe(403);
    expect([...store.objects.keys()]).not.toContain(`incoming/${opened.key}`);
  });

  it('can be completed again after a queue failure', async () => {
    const opened = await slot(png.length);
    await put(opened.url, png);
    const fault = jest
      .spyOn(app.api.get<JobQueues>(JOBS, { strict: false }), 'add')
      .mockRejectedValueOnce(new ApiError('UNAVAILABLE', 'away'));
    expect((await done(opened)).status).toBe(503);
    fault.mockRestore();
    expect((await done(opened)).status).toBe(200);
  });

  it('is deleted from quarantine after a day if never completed', async () => {
    const { url, key } = await slot(png.length);
    await put(url, png);
    await app.pool.query(`update state.upload set expires_at = now() - interval '2 days' where key = $1`, [
      key,
    ]);
    await slot(png.length);
    expect([...store.objects.keys()]).not.toContain(`incoming/${key}`);
  });

  it('goes through the API if no length is given', async () => {
    const { data } = await app.graphql<{ getPresignedS3Url: Slot }>(SLOT, {}, ada.token);
    const { url, key, doneUrl } = data.getPresignedS3Url;
    expect([url.startsWith(`/upload/${key}?`), doneUrl]).toEqual([true, null]);
    const { status } = await app.http().put(url).set('content-type', 'image/png').send(png);
    expect(status).toBe(200);
  });
});

describe('the content security policy', () => {
  it('allows only the configured store', async () => {
    const { headers } = await app.http().get('/log-in').set('accept', 'text/html');
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain(`img-src 'self' blob: ${store.endpoint};`);
    expect(policy).toContain(`connect-src 'self' ${store.endpoint};`);
    expect(policy.split(store.endpoint)).toHaveLength(3);
  });
});
