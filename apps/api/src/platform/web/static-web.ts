import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { httpStatusOf } from '../errors/api-error.js';
import { retryAfterOf, toApiError } from '../errors/format-error.js';
import { requestPath } from './request-path.js';

const NONCE_PLACEHOLDER = /__CSP_NONCE__/g;
const BUILD_PLACEHOLDER = '__NIMO_BUILD__';
/** By it an open page learns with any answer that the server has another build. */
const BUILD_HEADER = 'x-web-version';
const ANSWERS: ReadonlySet<string> = new Set(['/graphql', '/health/live']);
const TITLE = /<title>[^<]*<\/title>/;
const DESCRIPTION = /<meta name="description"[^>]*>\s*/;
const EMPTY_ROOT = '<div id="root"></div>';
const HASHED = '/assets/';
const ICON = /\.(?:svg|png)$/;
const WORKER = '/sw.js';
/** It fetches the app and nothing else. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";
/** Takes the place of a worker that is to go, with all that it and the app have kept. */
const GOING_WORKER = `self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name.startsWith('nimo-')).map((name) => caches.delete(name))))
      .then(() => self.registration.unregister()),
  ),
);
`;

/** What the server says of an address before the app has loaded. */
export interface ServedPage {
  readonly status: number;
  /** Search engines may list it. */
  readonly isIndexed: boolean;
  /** Of a page that is the server's own work. */
  readonly served?: ServedContent;
}

/** Whether whoever asks has the page with that validator. */
export type IsHeld = (validator: string) => boolean;

/** A page that is still what it was. */
export type UnchangedPage = Pick<ServedContent, 'validator'> & Pick<ServedPage, 'isIndexed'>;

export interface ServedContent {
  /** Of all that is shown: whoever has a page of the same one has this page. */
  readonly validator: string;
  /** Made only where somebody has not got it. */
  readonly render: () => {
    /** HTML: the title and what else describes the page. */
    readonly head: string;
    /** HTML in the place of the app until it takes over. */
    readonly content: string;
  };
}

/** Undefined for an address that the app alone knows about. */
export type PageRenderer = (
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<ServedPage | undefined>;

export interface ServedPages {
  readonly render: PageRenderer;
  /** The page that whoever asks has, where it is certain without making it that it is the one. */
  readonly unchanged: (
    path: string,
    request: FastifyRequest,
    isHeld: IsHeld,
  ) => Promise<UnchangedPage | undefined>;
  readonly onError: (error: unknown) => void;
  /** Origin of the file store that browsers reach by themselves, if there is one. */
  readonly storeOrigin?: string | undefined;
  /** Whether browsers keep the app for when the server is away; a worker that is there already goes otherwise. */
  readonly keepsOffline: boolean;
}

/** The page as it was built, and what depends on the installation. */
interface Shell {
  readonly template: string;
  /** Changes with every build. */
  readonly version: string;
  readonly store: string;
}

/** A page with a validator may be kept, by browsers alone, which ask each time whether it is still the one. */
const KEPT = 'private, no-cache';
const NOT_KEPT = 'no-cache';
const APP_ALONE: ServedPage = { status: 200, isIndexed: false };

/** @param store whose pictures the pages show, and to which they send them */
const policyOf = (nonce: string, store: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // Mantine adds style elements, which carry the nonce of the page.
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' blob:${store}`,
    "font-src 'self'",
    `connect-src 'self'${store}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Serves the built web app: its files, and its page for every other address. Nothing where it is not built. */
export async function serveWeb(
  server: FastifyInstance,
  folder: string,
  { render, unchanged, onError, storeOrigin, keepsOffline }: ServedPages,
): Promise<void> {
  const store = storeOrigin === undefined ? '' : ` ${storeOrigin}`;
  const files = await filesIn(folder);
  if (!files.has('/index.html')) return;
  const built = await readFile(join(folder, 'index.html'), 'utf8');
  const build = createHash('sha256').update(built).digest('base64url').slice(0, 16);
  const template = built.replace(BUILD_PLACEHOLDER, build);
  const shell: Shell = { template, version: etagOf(template), store };
  server.addHook('onSend', async (request, reply) => {
    if (ANSWERS.has(requestPath(request.url))) reply.header(BUILD_HEADER, build);
  });
  await server.register(fastifyStatic, { root: folder, serve: false, preCompressed: true });
  // The app can say better than an error page that the database is away.
  const rendered = async (
    path: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<ServedPage> => {
    try {
      return (await render(path, request, reply)) ?? APP_ALONE;
    } catch (error) {
      const refusal = toApiError(error);
      if (refusal) reply.headers(retryAfterOf(refusal));
      // A refusal is no fault: of those a flood would fill the log.
      else onError(error);
      return { status: httpStatusOf(refusal?.code ?? 'UNAVAILABLE'), isIndexed: false };
    }
  };
  server.get('/*', async (request, reply) => {
    const path = requestPath(request.url);
    if (path === WORKER && files.has(path)) {
      reply.headers({ 'content-security-policy': WORKER_POLICY, 'cache-control': NOT_KEPT });
      if (!keepsOffline) return reply.type('text/javascript; charset=utf-8').send(GOING_WORKER);
      return reply.sendFile(path.slice(1), { cacheControl: false });
    }
    if (path !== '/index.html' && files.has(path)) {
      const isHashed = path.startsWith(HASHED);
      const maxAge = isHashed ? '365d' : ICON.test(path) ? '1d' : 0;
      return reply.sendFile(path.slice(1), { maxAge, immutable: isHashed });
    }
    if (wantsPage(request, path)) {
      const held = await unchangedPage(path, request, shell, unchanged);
      return held
        ? sendNothing(reply, held)
        : sendPage(request, reply, shell, await rendered(path, request, reply));
    }
    reply.callNotFound();
    return reply;
  });
}

/** Browsers ask for HTML; crawlers and previews for anything or nothing in particular, which is a page unless it names a file. */
function wantsPage({ headers: { accept } }: FastifyRequest, path: string): boolean {
  if (path.startsWith(HASHED)) return false;
  if (accept?.includes('text/html')) return true;
  return (!accept || accept.includes('*/*')) && !/\.[a-z0-9]+$/i.test(path);
}

interface HeldPage {
  readonly etag: string;
  readonly isIndexed: boolean;
}

async function unchangedPage(
  path: string,
  request: FastifyRequest,
  { version }: Shell,
  unchanged: ServedPages['unchanged'],
): Promise<HeldPage | undefined> {
  const asked = request.headers['if-none-match'];
  if (asked === undefined) return undefined;
  const etagFor = (validator: string): string => etagOf(`${version} ${validator}`);
  const page = await unchanged(path, request, (validator) => isKnown(etagFor(validator), asked));
  return page && { etag: etagFor(page.validator), isIndexed: page.isIndexed };
}

function sendNothing(reply: FastifyReply, { etag, isIndexed }: HeldPage): FastifyReply {
  if (!isIndexed) reply.header('x-robots-tag', 'noindex');
  // A browser would put it in the place of the kept page's own.
  reply.removeHeader('content-security-policy');
  return reply.status(304).headers({ 'cache-control': KEPT, etag }).send();
}

/**
 * Every page that is sent has a nonce of its own. One that was kept goes on with the nonce and the policy that it came with: the answer that
 * it still holds brings neither, and nobody may keep it for others.
 */
function sendPage(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { template, version, store }: Shell,
  page: ServedPage,
): FastifyReply {
  const { served, isIndexed } = page;
  const etag = served && etagOf(`${version} ${served.validator}`);
  if (etag !== undefined && isKnown(etag, headers['if-none-match']))
    return sendNothing(reply, { etag, isIndexed });
  if (!isIndexed) reply.header('x-robots-tag', 'noindex');
  reply
    .status(page.status)
    .headers(etag === undefined ? { 'cache-control': NOT_KEPT } : { 'cache-control': KEPT, etag });
  const nonce = randomBytes(16).toString('base64');
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(nonce, store),
    })
    .send(filledIn(template.replace(NONCE_PLACEHOLDER, nonce), served));
}

// What is filled in may hold `$&`: a function's result is taken as it is.
function filledIn(template: string, served: ServedContent | undefined): string {
  if (!served) return template;
  const { head, content } = served.render();
  return template
    .replace(DESCRIPTION, '')
    .replace(TITLE, () => head)
    .replace(EMPTY_ROOT, () => `<div id="root">${content}</div>`);
}

/** Weak: what is shown is the same, though a page has a nonce of its own each time it is sent. */
export const etagOf = (shown: string): string =>
  `W/"${createHash('sha256').update(shown).digest('base64url').slice(0, 27)}"`;

/** @param asked the header `If-None-Match` */
export function isKnown(etag: string, asked: string | undefined): boolean {
  if (asked === undefined) return false;
  const opaque = withoutWeakness(etag);
  return asked.split(',').some((known) => known.trim() === '*' || withoutWeakness(known.trim()) === opaque);
}

const withoutWeakness = (etag: string): string => etag.replace(/^W\//, '');

/** Nothing that is hidden: the tools that build the app keep their own files there. */
async function filesIn(folder: string): Promise<ReadonlySet<string>> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    const names = paths.map((path) => `/${relative(folder, path).split(sep).join('/')}`);
    return new Set(names.filter((name) => !name.includes('/.')));
  } catch {
    return new Set();
  }
}
