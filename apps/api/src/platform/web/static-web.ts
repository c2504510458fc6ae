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
/** Tells open pages with every response which build the server has. */
const BUILD_HEADER = 'x-web-version';
const VERSIONED_RESPONSES: ReadonlySet<string> = new Set(['/graphql', '/health/live']);
const TITLE = /<title>[^<]*<\/title>/;
const DESCRIPTION = /<meta name="description"[^>]*>\s*/;
const EMPTY_ROOT = '<div id="root"></div>';
const HASHED = '/assets/';
const ICON = /\.(?:svg|png)$/;
const WORKER = '/sw.js';
/** The service worker only fetches the app. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";
/** Replaces an installed service worker: deletes its caches and unregisters. */
const UNREGISTERING_WORKER = `self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name.startsWith('nimo-')).map((name) => caches.delete(name))))
      .then(() => self.registration.unregister()),
  ),
);
`;

/** The server's response for a page before the app loads. */
export interface ServedPage {
  readonly status: number;
  /** Whether search engines may index it. */
  readonly isIndexed: boolean;
  /** Server-rendered content. */
  readonly served?: ServedContent;
}

/** Whether the client has a page with this validator cached. */
export type IsCached = (validator: string) => boolean;

/** A page that has not changed. */
export type UnchangedPage = Pick<ServedContent, 'validator'> & Pick<ServedPage, 'isIndexed'>;

export interface ServedContent {
  /** Cache validator; equal for equal content. */
  readonly validator: string;
  /** Called only when the client has no current copy. */
  readonly render: () => {
    /** HTML of the title and meta elements. */
    readonly head: string;
    /** HTML shown until the app takes over. */
    readonly content: string;
  };
}

/** Returns undefined for paths only the app handles. */
export type PageRenderer = (
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<ServedPage | undefined>;

export interface ServedPages {
  readonly render: PageRenderer;
  /** The client's cached page, if it is known to be current without rendering it. */
  readonly unchanged: (
    path: string,
    request: FastifyRequest,
    isHeld: IsCached,
  ) => Promise<UnchangedPage | undefined>;
  readonly onError: (error: unknown) => void;
  /** Origin of a file store that browsers access directly. */
  readonly storeOrigin?: string | undefined;
  /** Whether browsers cache the app for offline use; otherwise an installed service worker is removed. */
  readonly keepsOffline: boolean;
}

/** The built page with its installation-specific parts. */
interface Shell {
  readonly template: string;
  /** Changes with every build. */
  readonly version: string;
  readonly store: string;
}

/** Pages with a validator may be cached by browsers, which must revalidate. */
const CACHEABLE = 'private, no-cache';
const REVALIDATE = 'no-cache';
const APP_ONLY: ServedPage = { status: 200, isIndexed: false };

/** @param store origin of the file store for images and uploads, with a leading space */
const policyOf = (nonce: string, store: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // Mantine adds style elements with the page's nonce.
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

/** Serves the files of the built web app, and its page for every other path. Does nothing if the app is not built. */
export async function serveWeb(
  server: FastifyInstance,
  folder: string,
  { render, unchanged, onError, storeOrigin, keepsOffline }: ServedPages,
): Promise<void> {
  const store = storeOrigin === undefined ? '' : ` ${storeOrigin}`;
  const files = await listFiles(folder);
  if (!files.has('/index.html')) return;
  const built = await readFile(join(folder, 'index.html'), 'utf8');
  const build = createHash('sha256').update(built).digest('base64url').slice(0, 16);
  const template = built.replace(BUILD_PLACEHOLDER, build);
  const shell: Shell = { template, version: weakEtag(template), store };
  server.addHook('onSend', async (request, reply) => {
    if (VERSIONED_RESPONSES.has(requestPath(request.url))) reply.header(BUILD_HEADER, build);
  });
  await server.register(fastifyStatic, { root: folder, serve: false, preCompressed: true });
  // The app reports a database outage better than an error page.
  const rendered = async (
    path: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<ServedPage> => {
    try {
      return (await render(path, request, reply)) ?? APP_ONLY;
    } catch (error) {
      const refusal = toApiError(error);
      if (refusal) reply.headers(retryAfterOf(refusal));
      // Rejections are not logged, so that a flood cannot fill the log.
      else onError(error);
      return { status: httpStatusOf(refusal?.code ?? 'UNAVAILABLE'), isIndexed: false };
    }
  };
  server.get('/*', async (request, reply) => {
    const path = requestPath(request.url);
    if (path === WORKER && files.has(path)) {
      reply.headers({ 'content-security-policy': WORKER_POLICY, 'cache-control': REVALIDATE });
      if (!keepsOffline) return reply.type('text/javascript; charset=utf-8').send(UNREGISTERING_WORKER);
      return reply.sendFile(path.slice(1), { cacheControl: false });
    }
    if (path !== '/index.html' && files.has(path)) {
      const isHashed = path.startsWith(HASHED);
      const maxAge = isHashed ? '365d' : ICON.test(path) ? '1d' : 0;
      return reply.sendFile(path.slice(1), { maxAge, immutable: isHashed });
    }
    if (acceptsPage(request, path)) {
      const held = await unchangedPage(path, request, shell, unchanged);
      return held
        ? sendNotModified(reply, held)
        : sendPage(request, reply, shell, await rendered(path, request, reply));
    }
    reply.callNotFound();
    return reply;
  });
}

/** Browsers accept HTML; crawlers and link previews accept anything, which means a page unless the path has an extension. */
function acceptsPage({ headers: { accept } }: FastifyRequest, path: string): boolean {
  if (path.startsWith(HASHED)) return false;
  if (accept?.includes('text/html')) return true;
  return (!accept || accept.includes('*/*')) && !/\.[a-z0-9]+$/i.test(path);
}

interface CachedPage {
  readonly etag: string;
  readonly isIndexed: boolean;
}

async function unchangedPage(
  path: string,
  request: FastifyRequest,
  { version }: Shell,
  unchanged: ServedPages['unchanged'],
): Promise<CachedPage | undefined> {
  const requestedEtag = request.headers['if-none-match'];
  if (requestedEtag === undefined) return undefined;
  const etagFor = (validator: string): string => weakEtag(`${version} ${validator}`);
  const page = await unchanged(path, request, (validator) => matchesEtag(etagFor(validator), requestedEtag));
  return page && { etag: etagFor(page.validator), isIndexed: page.isIndexed };
}

function sendNotModified(reply: FastifyReply, { etag, isIndexed }: CachedPage): FastifyReply {
  if (!isIndexed) reply.header('x-robots-tag', 'noindex');
  // It would replace the policy of the cached page.
  reply.removeHeader('content-security-policy');
  return reply.status(304).headers({ 'cache-control': CACHEABLE, etag }).send();
}

/**
 * Every page sent has its own nonce. A cached page keeps its nonce and policy: a 304 response carries neither, and shared caches may not
 * store it.
 */
function sendPage(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { template, version, store }: Shell,
  page: ServedPage,
): FastifyReply {
  const { served, isIndexed } = page;
  const etag = served && weakEtag(`${version} ${served.validator}`);
  if (etag !== undefined && matchesEtag(etag, headers['if-none-match']))
    return sendNotModified(reply, { etag, isIndexed });
  if (!isIndexed) reply.header('x-robots-tag', 'noindex');
  reply
    .status(page.status)
    .headers(etag === undefined ? { 'cache-control': REVALIDATE } : { 'cache-control': CACHEABLE, etag });
  const nonce = randomBytes(16).toString('base64');
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(nonce, store),
    })
    .send(fillTemplate(template.replace(NONCE_PLACEHOLDER, nonce), served));
}

// Replacer functions, since the content may contain `$&`.
function fillTemplate(template: string, served: ServedContent | undefined): string {
  if (!served) return template;
  const { head, content } = served.render();
  return template
    .replace(DESCRIPTION, '')
    .replace(TITLE, () => head)
    .replace(EMPTY_ROOT, () => `<div id="root">${content}</div>`);
}

/** A weak ETag: the content is the same, but each response has its own nonce. */
export const weakEtag = (shown: string): string =>
  `W/"${createHash('sha256').update(shown).digest('base64url').slice(0, 27)}"`;

/** @param ifNoneMatch the header `If-None-Match` */
export function matchesEtag(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = opaqueTag(etag);
  return ifNoneMatch.split(',').some((known) => known.trim() === '*' || opaqueTag(known.trim()) === opaque);
}

const opaqueTag = (etag: string): string => etag.replace(/^W\//, '');

/** Skips hidden files, where build tools keep their own data. */
async function listFiles(folder: string): Promise<ReadonlySet<string>> {
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
