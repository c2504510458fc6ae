import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, newPhone, type TestApp } from '../../../../../test/app.js';
import { eventually } from '@nimo/testing';

const PAGE =
  '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__"><meta name="nimo-build" content="__NIMO_BUILD__"><script src="/assets/app-1a2b.js"></script>';

let app: TestApp;
let webFolder: string;
beforeAll(async () => {
  webFolder = await mkdtemp(join(tmpdir(), 'nimo-web-'));
  await mkdir(join(webFolder, 'assets'));
  await writeFile(join(webFolder, 'index.html'), PAGE);
  await writeFile(join(webFolder, 'head.js'), '');
  await writeFile(join(webFolder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(webFolder, 'assets', 'app-1a2b.js'), 'console.info("Nimo")');
  app = await bootApp({}, { webFolder });
});
afterAll(async () => {
  await app.close();
  await rm(webFolder, { recursive: true });
});

const open = (path: string) => app.http().get(path).set('accept', 'text/html,application/xhtml+xml');

describe('the web app', () => {
  it.each(['/', '/dashboard', '/singleQuestion/1/home', '/index.html', '/search?x=1'])(
    'serves its page at %s',
    async (path) => {
      const { status, headers, text } = await open(path);
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(text).toContain('csp-nonce');
      expect(headers['cache-control']).toBe('no-cache');
    },
  );

  it('uses a new nonce for each page and allows no inline scripts', async () => {
    const pages = [await open('/'), await open('/')];
    const nonces = pages.map(({ text }) => /content="([^"]+)"/.exec(text)?.[1]);
    expect(new Set(nonces).size).toBe(2);
    pages.forEach(({ headers }, place) => {
      const policy = headers['content-security-policy'] ?? '';
      expect(policy).toContain(`style-src 'self' 'nonce-${nonces[place]}'`);
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toContain('unsafe');
      expect(headers['x-content-type-options']).toBe('nosniff');
    });
  });

  it('reports the current build in every API response, but not on pages', async () => {
    const own = /name="nimo-build" content="([^"]+)"/.exec((await open('/')).text)?.[1];
    expect(own).toMatch(/^[\w-]{16}$/);
    const answer = await app.http().post('/graphql').send({ query: '{ __typename }' });
    expect(answer.headers['x-web-version']).toBe(own);
    expect((await app.http().get('/health/live')).headers['x-web-version']).toBe(own);
    expect((await open('/')).headers).not.toHaveProperty('x-web-version');
  });

  it('caches hashed files forever, icons for a day, and revalidates the rest', async () => {
    const script = await app.http().get('/assets/app-1a2b.js');
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(script.headers['content-type']).toContain('javascript');
    const icon = await app.http().get('/favicon.svg');
    expect(icon.headers['cache-control']).toBe('public, max-age=86400');
    const head = await app.http().get('/head.js');
    expect(head.headers['cache-control']).toBe('public, max-age=0');
  });

  it.each([
    '/assets/none.js',
    '/../package.json',
    '/..%2f..%2fpackage.json',
    '/assets/..%2f..%2f..%2fetc%2fpasswd',
  ])('returns 404 for %s', async (path) => {
    expect((await app.http().get(path)).status).toBe(404);
  });

  it('does not serve the page for missing API files', async () => {
    expect((await open('/media/none.webp')).status).toBe(404);
    expect((await open('/avatars/none/none.svg')).status).toBe(404);
  });
});

describe('health', () => {
  it('reports liveness, readiness and the state of every component', async () => {
    expect((await app.http().get('/health/live')).body).toEqual({ status: 'live' });
    const { status } = await eventually(
      async () => app.http().get('/health/ready'),
      ({ body }) => body.status === 'ready',
    );
    const { body } = await eventually(
      async () => app.http().get('/health/components'),
      (answer) =>
        Object.values<{ status: string }>(answer.body.components).every(
          (component) => component.status === 'up',
        ),
    );
    expect(Object.keys(body.components)).toEqual([
      'database',
      'migrations',
      'log',
      'logProof',
      'projections',
      'search',
      'jobs',
      'liveUpdates',
      'files',
      'disk',
    ]);
    for (const component of Object.values(body.components))
      expect(component).toEqual({ status: 'up', ms: expect.any(Number) });
    expect(status).toBe(200);
  });
});

describe('the development outbox', () => {
  it('shows the messages as HTML and JSON', async () => {
    const phone = newPhone();
    await app.graphql('mutation($phone: Phone!) { createStudent(phone: $phone) { _id } }', { phone });
    await app.graphql('mutation($phone: Phone!) { sendOTP(phone: $phone) { flag } }', { phone });
    const code = await app.latestCode(phone);
    const { body } = await app.http().get('/dev/outbox.json');
    expect(body.messages[0]).toMatchObject({ kind: 'SMS', recipient: `+${phone}`, subject: null });
    const { text, headers } = await app.http().get('/dev/outbox');
    expect(text).toContain(`<mark>${code}</mark>`);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  it.each([
    { host: 'nimo.example' },
    { host: '127.0.0.1.nip.io' },
    { 'x-forwarded-for': '203.0.113.7' },
    { forwarded: 'for=203.0.113.7' },
  ])('is limited to this machine and rejects %j', async (header) => {
    for (const path of ['/dev/outbox', '/dev/outbox.json'])
      expect((await app.http().get(path).set(header)).status).toBe(404);
  });
});
