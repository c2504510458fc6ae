import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestPath } from './request-path.js';

const NONCE_PLACEHOLDER = /__CSP_NONCE__/g;
const TITLE = /<title>[^<]*<\/title>/;
const DESCRIPTION = /<meta name="description"[^>]*>\s*/;
const EMPTY_ROOT = '<div id="root"></div>';
const HASHED = '/assets/';

/** What the server says of an address before the app has loaded. */
export interface ServedPage {
  readonly status: number;
  /** Search engines may list it. */
  readonly isIndexed: boolean;
  /** HTML: the title and what else describes the page. */
  readonly head?: string;
  /** HTML in the place of the app until it takes over. */
  readonly content?: string;
}

/** Undefined for an address that the app alone knows about. */
export type PageRenderer = (path: string, request: FastifyRequest) => Promise<ServedPage | undefined>;

export interface ServedPages {
  readonly render: PageRenderer;
  readonly onError: (error: unknown) => void;
  /** Origin of the file store that browsers reach by themselves, if there is one. */
  readonly storeOrigin?: string | undefined;
}

const APP_ALONE: ServedPage = { status: 200, isIndexed: false };
const UNAVAILABLE: ServedPage = { status: 503, isIndexed: false };

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
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Serves the built web app: its files, and its page for every other address. Nothing where it is not built. */
export async function serveWeb(
  server: FastifyInstance,
  folder: string,
  { render, onError, storeOrigin }: ServedPages,
): Promise<void> {
  const store = storeOrigin === undefined ? '' : ` ${storeOrigin}`;
  const files = await filesIn(folder);
  if (!files.has('/index.html')) return;
  const template = await readFile(join(folder, 'index.html'), 'utf8');
  await server.register(fastifyStatic, { root: folder, serve: false, preCompressed: true });
  // The app can say better than an error page that the database is away.
  const rendered = async (path: string, request: FastifyRequest): Promise<ServedPage> => {
    try {
      return (await render(path, request)) ?? APP_ALONE;
    } catch (error) {
      onError(error);
      return UNAVAILABLE;
    }
  };
  server.get('/*', async (request, reply) => {
    const path = requestPath(request.url);
    if (path !== '/index.html' && files.has(path)) {
      const isHashed = path.startsWith(HASHED);
      return reply.sendFile(path.slice(1), { maxAge: isHashed ? '365d' : 0, immutable: isHashed });
    }
    if (wantsPage(request, path)) return sendPage(reply, template, store, await rendered(path, request));
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

/** Every page has a nonce of its own, so that none can be kept: a kept page and the policy of its answer would part. */
function sendPage(reply: FastifyReply, template: string, store: string, page: ServedPage): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  if (!page.isIndexed) reply.header('x-robots-tag', 'noindex');
  return reply
    .status(page.status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(nonce, store),
      'cache-control': 'no-cache',
    })
    .send(filledIn(template.replace(NONCE_PLACEHOLDER, nonce), page));
}

// What is filled in may hold `$&`: a function's result is taken as it is.
function filledIn(template: string, { head, content }: ServedPage): string {
  const described =
    head === undefined ? template : template.replace(DESCRIPTION, '').replace(TITLE, () => head);
  if (content === undefined) return described;
  return described.replace(EMPTY_ROOT, () => `<div id="root">${content}</div>`);
}

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
