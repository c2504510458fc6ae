import type { IncomingMessage } from 'node:http';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { BodyBudget } from './body-budget.js';
import type { ClientAddresses } from './client-address.js';
import { HTTP_LIMITS } from './http-limits.js';
import { problemOfJson } from './json-shape.js';

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Bounds what is kept of bodies that are still coming, and for how long. */
export function boundBodies(
  server: FastifyInstance,
  clients: ClientAddresses,
  /** Those that are let in by themselves. */
  isAdmitted: (route: string | undefined) => boolean,
): void {
  const budget = new BodyBudget({
    bytes: HTTP_LIMITS.bodiesBytes,
    clientBytes: HTTP_LIMITS.clientBodiesBytes,
    patienceMs: HTTP_LIMITS.bodyMs,
  });
  server.addHook('preParsing', (request, _reply, payload, done) => {
    if (hasBody(request.raw) && !isAdmitted(request.routeOptions.url))
      budget.watch(request.raw, clients.of(request.raw).key);
    // At once: whoever reads the body listens before any of it comes.
    done(null, payload);
  });
  server.addHook('onClose', (_server, done) => {
    budget.close();
    done();
  });
}

/** JSON that is cheap to parse is parsed. */
export function readBoundedJson(adapter: FastifyAdapter): void {
  const server: FastifyInstance = adapter.getInstance();
  const parse = server.getDefaultJsonParser('error', 'error');
  const bounds = { bodyLimit: HTTP_LIMITS.bodyBytes };
  adapter.useBodyParser('application/json', false, bounds, (request, body: Buffer, done) => {
    const problem = problemOfJson(body);
    if (problem) done(problem);
    else void parse(request, body.toString(), done);
  });
}
