import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const NONCE_PLACEHOLDER = '__CSP_NONCE__';
const HASHED = '/assets/';

const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // Mantine adds style elements, which carry the nonce of the page.
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Serves the built web app: its files, and its page for every other address that a browser opens. Nothing where it is not built. */
export async function serveWeb(server: FastifyInstance, folder: string): Promise<void> {
  const files = await filesIn(folder);
  if (!files.has('/index.html')) return;
  const page = (await readFile(join(folder, 'index.html'), 'utf8')).split(NONCE_PLACEHOLDER);
  await server.register(fastifyStatic, { root: folder, serve: false, preCompressed: true });
  server.get('/*', async (request, reply) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    if (path !== '/index.html' && files.has(path)) {
      const isHashed = path.startsWith(HASHED);
      return reply.sendFile(path.slice(1), { maxAge: isHashed ? '365d' : 0, immutable: isHashed });
    }
    if (wantsPage(request)) return sendPage(reply, page);
    reply.callNotFound();
    return reply;
  });
}

const wantsPage = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') ?? false;

function sendPage(reply: FastifyReply, page: readonly string[]): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(nonce),
      'cache-control': 'no-cache',
    })
    .send(page.join(nonce));
}

async function filesIn(folder: string): Promise<ReadonlySet<string>> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    return new Set(paths.map((path) => `/${relative(folder, path).split(sep).join('/')}`));
  } catch {
    return new Set();
  }
}
