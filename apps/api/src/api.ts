import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import helmet from '@fastify/helmet';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { AppModule } from './app.module.js';
import { PublicPages } from './features/public-pages/public-pages.js';
import { LARGEST_UPLOAD_BYTES } from './features/uploads/image-rules.js';
import { HttpErrorFilter } from './platform/errors/http-error.filter.js';
import { correlation } from './platform/logging/correlation.js';
import { NestLines } from './platform/logging/nest-lines.js';
import type { Runtime } from './platform/runtime/runtime.js';
import { serveWeb } from './platform/web/static-web.js';

const BODY_LIMIT_BYTES = 1024 * 1024;
const UPLOADS = /^(image\/|application\/octet-stream)/;

export interface ApiOptions {
  /** The built web app. */
  readonly webFolder?: string;
}

/** The api, ready to listen; the same for the process and the tests. */
export async function createApi(runtime: Runtime, options: ApiOptions = {}): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT_BYTES,
    genReqId: () => randomUUID(),
    trustProxy: runtime.settings.trustProxy,
    // Requests at hand are answered; idle connections do not hold up the end.
    forceCloseConnections: 'idle',
  });
  const api = await NestFactory.create<NestFastifyApplication>(AppModule.forRuntime(runtime), adapter, {
    logger: new NestLines(runtime.logger),
    abortOnError: false,
  });
  api.useGlobalFilters(new HttpErrorFilter(runtime.logger));
  const server: FastifyInstance = adapter.getInstance();
  server.addHook('onRequest', (request, _reply, done) => {
    correlation.run({ correlationId: request.id }, done);
  });
  await server.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    referrerPolicy: { policy: 'same-origin' },
  });
  const uploads = { parseAs: 'buffer', bodyLimit: LARGEST_UPLOAD_BYTES } as const;
  server.addContentTypeParser(UPLOADS, uploads, (_request, body, done) => done(null, body));
  const pages = api.get(PublicPages, { strict: false });
  await serveWeb(server, options.webFolder ?? resolve('dist/web'), {
    render: (path, request) => pages.render(path, request),
    onError: (error) => runtime.logger.error({ err: error }),
  });
  return api;
}
