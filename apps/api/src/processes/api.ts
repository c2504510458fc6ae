import type { IncomingMessage, Server as HttpServer } from 'node:http';
import { Server as NetServer } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import helmet from '@fastify/helmet';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { AppModule } from './app.module.js';
import { PublicPages } from '../features/public-pages/public-pages.js';
import { MAX_UPLOAD_BYTES } from '../features/uploads/image-rules.js';
import { UPLOAD_ROUTE, UPLOAD_TYPES, UploadAdmission } from '../features/uploads/upload.controller.js';
import { HttpErrorFilter } from '../platform/errors/format-error.js';
import {
  correlation,
  CORRELATION_HEADER,
  resolveCorrelationId,
  NestLogger,
  parseTraceParent,
} from '../platform/logging/logger.js';
import { HttpViewers } from '../platform/auth/session-reader.js';
import { requirePost } from '../platform/graphql/limits/input-limits.js';
import { SocketServer } from '../platform/graphql/sockets/socket-server.js';
import { HealthReport } from '../platform/operations/health.js';
import { ExpensiveWork } from '../platform/callers/expensive-work.js';
import type { Runtime } from '../platform/runtime/runtime.js';
import { runAsCaller, ClientAddresses, compileTrust } from '../platform/callers/client-address.js';
import { limitBodies, limitJsonShape, SERVER_OPTIONS } from '../platform/web/request-limits.js';
import { RequestsInFlight } from '../platform/web/requests-in-flight.js';
import { serveWeb } from '../platform/web/static-web.js';

/** Longer than any healthy command takes; a stuck database must not hold up the shutdown. */
const REQUEST_DRAIN_TIMEOUT_MS = 6_000;

export interface ApiOptions {
  /** Folder of the built web app. Default: `dist/web`. */
  readonly webFolder?: string;
}

/** Creates the API, ready to listen. The process and the tests share it. */
export async function createApi(runtime: Runtime, options: ApiOptions = {}): Promise<NestFastifyApplication> {
  return (await createDrainableApi(runtime, options)).api;
}

export interface DrainableApi {
  readonly api: NestFastifyApplication;
  /** Stops accepting connections and waits for requests in flight. Call `close` afterwards. */
  readonly drain: () => Promise<void>;
}

/** Creates an API that can shut down without failing a request. */
export async function createDrainableApi(runtime: Runtime, options: ApiOptions = {}): Promise<DrainableApi> {
  const adapter = new FastifyAdapter({
    ...SERVER_OPTIONS,
    genReqId: ({ headers }: IncomingMessage) => resolveCorrelationId(headers),
    // Only for the forwarded host and protocol: ClientAddresses determines the client's address.
    trustProxy: compileTrust(runtime.settings.trustProxy),
    // Idle connections must not hold up the shutdown.
    forceCloseConnections: 'idle',
  });
  const api = await NestFactory.create<NestFastifyApplication>(AppModule.forRuntime(runtime), adapter, {
    logger: new NestLogger(runtime.logger),
    abortOnError: false,
  });
  api.useGlobalFilters(new HttpErrorFilter(runtime.logger, runtime.metrics));
  const server: FastifyInstance = adapter.getInstance();
  const inFlight = new RequestsInFlight(server);
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header(CORRELATION_HEADER, request.id);
    // The GraphQL handler parses it as a URL, and an invalid host would be reported as an internal error.
    if (request.method === 'POST' && !URL.canParse(request.url, `http://${request.hostname}/`)) {
      void reply.code(400).send({
        errors: [
          {
            message: 'The Host header is not a valid host name.',
            extensions: { code: 'VALIDATION_FAILED', field: 'Host', rule: 'HOST_UNREADABLE' },
          },
        ],
      });
      return;
    }
    correlation.run({ correlationId: request.id }, () => {
      const parent = parseTraceParent(request.headers['traceparent']);
      if (request.method !== 'POST') done();
      else reply.raw.once('close', runtime.tracing.enter('request', parent, done));
    });
  });
  await server.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    referrerPolicy: { policy: 'same-origin' },
  });
  limitRequests(api, adapter);
  const pages = api.get(PublicPages, { strict: false });
  const clients = api.get(ClientAddresses, { strict: false });
  await serveWeb(server, options.webFolder ?? resolve('dist/web'), {
    render: (path, request, reply) =>
      runAsCaller(clients.callerOf(request, reply), () => pages.render(path, request)),
    unchanged: (path, request, isHeld) => pages.unchanged(path, request, isHeld),
    onError: (error) => runtime.logger.error({ err: error }),
    keepsOffline: runtime.settings.serviceWorker === 'on',
    storeOrigin: runtime.settings.s3Endpoint && new URL(runtime.settings.s3Endpoint).origin,
  });
  return { api, drain: () => drain(api, inFlight, runtime) };
}

/** Bounds request bodies, before and after the caller is authenticated. */
function limitRequests(api: NestFastifyApplication, adapter: FastifyAdapter): void {
  const server: FastifyInstance = adapter.getInstance();
  requirePost(server);
  const isUpload = (route: string | undefined): boolean => route === UPLOAD_ROUTE;
  const uploads = api.get(UploadAdmission, { strict: false });
  server.addHook('onRoute', (route) => {
    if (isUpload(route.url)) route.bodyLimit = MAX_UPLOAD_BYTES;
  });
  server.addHook('onRequest', (request, reply, done) => {
    if (isUpload(request.routeOptions.url)) uploads.admit(request, reply).then(() => done(), done);
    else done();
  });
  server.addContentTypeParser(UPLOAD_TYPES, { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  const viewers = api.get(HttpViewers, { strict: false });
  limitBodies(server, {
    clients: api.get(ClientAddresses, { strict: false }),
    work: api.get(ExpensiveWork, { strict: false }),
    isSignedIn: async (request) => (await viewers.of(request)) !== null,
    isUpload,
  });
  limitJsonShape(adapter);
}

/** The order matters: the load balancer sees the instance leave before it refuses connections, sockets move, and requests end. */
async function drain(
  api: NestFastifyApplication,
  inFlight: RequestsInFlight,
  runtime: Runtime,
): Promise<void> {
  const { settings, logger } = runtime;
  api.get(HealthReport, { strict: false }).markStopping();
  inFlight.closeConnections();
  await delay(settings.drainSeconds * 1000);
  const server: HttpServer = api.getHttpServer();
  // http.Server.close would end keep-alive connections on which a request may already be under way.
  NetServer.prototype.close.call(server);
  const [unanswered] = await Promise.all([
    inFlight.drain(REQUEST_DRAIN_TIMEOUT_MS),
    api.get(SocketServer, { strict: false }).drain(),
  ]);
  if (unanswered > 0) logger.warn({ unanswered }, 'shut down with requests still unanswered');
}
