import { randomUUID } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { HttpErrorFilter } from './platform/errors/http-error.filter.js';
import type { Runtime } from './platform/runtime/runtime.js';

const BODY_LIMIT_BYTES = 1024 * 1024;

/** The api, ready to listen. The same for the process, the tests and the schema printer. */
export async function createApi(runtime: Runtime): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT_BYTES,
    genReqId: () => randomUUID(),
    trustProxy: runtime.settings.trustProxy,
  });
  const api = await NestFactory.create<NestFastifyApplication>(AppModule.forRuntime(runtime), adapter, {
    bufferLogs: true,
    abortOnError: false,
  });
  api.useGlobalFilters(new HttpErrorFilter());
  return api;
}
