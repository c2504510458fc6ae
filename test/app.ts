import { randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandBus, type ICommand } from '@nestjs/cqrs';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type pg from 'pg';
import request from 'supertest';
import { createApi, type ApiOptions } from '../apps/api/src/processes/api.js';
import { WorkerModule } from '../apps/api/src/processes/worker.module.js';
import { Workers } from '../apps/api/src/processes/workers.js';
import { Credentials } from '../apps/api/src/platform/auth/credentials.js';
import { SessionStore } from '../apps/api/src/platform/auth/session-store.js';
import { newFreshness } from '../apps/api/src/platform/commands/freshness.js';
import type { CommandContext } from '../apps/api/src/platform/commands/command-context.js';
import { loadSettings } from '../apps/api/src/platform/config/load-settings.js';
import { openDatabase } from '../apps/api/src/platform/database/open-database.js';
import type { DatabaseRole } from '../apps/api/src/platform/database/roles.js';
import { createLogger } from '../apps/api/src/platform/logging/logger.js';
import {
  closeRuntime,
  openRuntime,
  type RuntimeOptions,
  startRuntime,
} from '../apps/api/src/platform/runtime/runtime.js';
import {
  CreateStudent,
  RegisterStudent,
} from '../apps/api/src/features/students/commands/register-student.js';
import { GrantRole } from '../apps/api/src/features/students/commands/roles.js';
import { EVENT_STORE } from '../apps/api/src/platform/config/tokens.js';
import { VerifyPhone } from '../apps/api/src/features/otp/commands/verify-phone.js';
import { OPERATOR, type Authority, type Role } from '../libs/domain/src/index.js';
import type { EventStore } from '../libs/event-store/src/index.js';
import { ProjectionWaiter } from '../libs/projection-engine/src/index.js';
import { projections } from '../libs/projections/src/index.js';
import { atProcessEnd, eventually } from '@nimo/testing';
import { createProjectedDatabase } from '@nimo/projections/testing';

const KEY = (letter: string): string => Buffer.alloc(32, letter).toString('base64');
/** Only ends hangs: generous, so that a slow machine does not fail a test. */
const READ_SIDE_TIMEOUT_MS = 60_000;
/** Settings required in production. Nothing listens at these addresses. */
const PRODUCTION_SETTINGS = {
  PUBLIC_URL: 'https://nimo.example',
  TWILIO_ACCOUNT_SID: 'AC1',
  TWILIO_AUTH_TOKEN: 'hush',
  TWILIO_FROM: '+1555',
  SMTP_URL: 'smtp://127.0.0.1:9',
  // Tests send unregistered documents.
  GRAPHQL_DOCUMENTS: 'any',
};

/** Shared, because opening a connection takes longer than most requests. */
const connections = new Agent({ keepAlive: true });

export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly code: string; readonly field?: string; readonly rule?: string };
}

export interface GraphqlAnswer<Data = Record<string, unknown>> {
  readonly status: number;
  readonly data: Data;
  readonly errors: readonly GraphqlError[] | undefined;
  readonly extensions:
    | { readonly stale?: boolean; readonly readAfter?: Readonly<Record<string, string>> }
    | undefined;
}

export interface SignedUpStudent {
  readonly studentId: string;
  readonly userName: string;
  readonly phone: string;
  readonly password: string;
  readonly token: string;
}

export interface SignUpOptions {
  readonly userName?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly phone?: string;
  readonly password?: string;
}

export interface TestApp {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly dataDir: string;
  /** The API application, for access to its providers. */
  readonly api: NestFastifyApplication;
  /** The worker's application context. */
  readonly worker?: INestApplicationContext;
  http(): ReturnType<typeof request>;
  graphql<Data = Record<string, unknown>>(
    query: string,
    variables?: Record<string, unknown>,
    token?: string,
    headers?: Record<string, string>,
  ): Promise<GraphqlAnswer<Data>>;
  /** Registers and signs in a student, using the same commands as the screens. */
  signUp(options?: SignUpOptions): Promise<SignedUpStudent>;
  /** Runs a command like the API does: waits only for the projections that the command names (see `caughtUp`). */
  execute<Result>(command: ICommand & { readonly context?: unknown }): Promise<Result>;
  /** Command context of the student. */
  contextOf(studentId: string): CommandContext;
  operator(): CommandContext<Authority>;
  grantRole(studentId: string, role: Role, spaceId?: string): Promise<void>;
  /** Waits until every live projection has reached the current log head. */
  caughtUp(): Promise<void>;
  /** The code in the latest SMS to the phone. */
  latestCode(phone: string): Promise<string>;
  close(): Promise<void>;
}

export interface BootedApp extends TestApp {
  /**
   * Starts another API instance on the same database, with its own connections and memory.
   * @param changed settings that differ
   */
  anotherApi(
    options?: ApiOptions & Pick<RuntimeOptions, 'logTimeoutMs' | 'projectionTimeoutMs'>,
    changed?: Readonly<Record<string, string>>,
  ): Promise<{ readonly url: string; readonly api: NestFastifyApplication; close(): Promise<void> }>;
}

export const newPhone = (): string => `91${randomInt(6_000_000_000, 9_999_999_999)}`;
export const newUserName = (): string => `user_${randomUUID().slice(0, 13).replace('-', '')}`;

export interface BootOptions {
  readonly clock?: () => Date;
  /** Writes debug logs of the API and the worker to `<dataDir>/logs`. */
  readonly writesLogs?: boolean;
}

let shared: Promise<BootedApp> | undefined;

/**
 * The application shared by all spec files of a process; it stays open. Specs create their own spaces and users, look up rows by id, and undo
 * changes to the process. Specs that need other settings, a clock or exclusive access use `bootApp`.
 */
export function sharedApp(): Promise<BootedApp> {
  return (shared ??= bootShared());
}

async function bootShared(): Promise<BootedApp> {
  const app = await bootApp();
  atProcessEnd(app.close);
  return { ...app, close: () => Promise.reject(new Error('the shared application stays open')) };
}

/** Boots the API and a worker in this process, on a new database. Call `close` in `afterAll`. */
export async function bootApp(
  environment: Readonly<Record<string, string>> = {},
  options: ApiOptions & BootOptions = {},
): Promise<BootedApp> {
  const database = await createProjectedDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'nimo-app-'));
  const settings = {
    NODE_ENV: 'test',
    DATABASE_URL: database.urlAs('nimo_api'),
    DATABASE_WORKER_URL: database.urlAs('nimo_worker'),
    DATABASE_POOL_SIZE: '8',
    NIMO_DATA_DIR: dataDir,
    NIMO_MASTER_KEY: KEY('m'),
    NIMO_HMAC_KEY: KEY('h'),
    NIMO_SIGNING_KEY: KEY('s'),
    LOG_SIGNING_KEY: KEY('l'),
    RATE_LIMIT_FACTOR: '1000',
    ...(environment['NODE_ENV'] === 'production' && PRODUCTION_SETTINGS),
    ...environment,
  };
  const { clock, writesLogs } = options;
  const loggerOf = (name: string) =>
    createLogger(
      writesLogs
        ? { name, level: 'debug', dataDir, console: false }
        : { name, level: 'silent', console: false },
    );
  const open = async (
    name: string,
    role: DatabaseRole,
    changed: Readonly<Record<string, string>> = {},
    runtimeOptions: Pick<RuntimeOptions, 'logTimeoutMs' | 'projectionTimeoutMs'> = {},
  ) =>
    openRuntime({
      settings: (await openDatabase(loadSettings({ ...settings, ...changed }), role)).settings,
      logger: loggerOf(name),
      name,
      projectionTimeoutMs: READ_SIDE_TIMEOUT_MS,
      ...runtimeOptions,
      ...(clock && { clock }),
    });
  const apiRuntime = await open('api', 'nimo_api');
  const workerRuntime = await open('worker', 'nimo_worker');
  await startRuntime(workerRuntime);
  const worker = await NestFactory.createApplicationContext(WorkerModule.forRuntime(workerRuntime), {
    logger: false,
    abortOnError: false,
  });
  await worker.get(Workers).start();
  await startRuntime(apiRuntime);
  const api = await createApi(apiRuntime, { webFolder: join(dataDir, 'no-web'), ...options });
  await api.listen(0, '127.0.0.1');
  const url = await api.getUrl();
  const booted = testApp({
    api,
    worker,
    url,
    dataDir,
    pool: database.pool(),
    close: async () => {
      try {
        await api.close();
        await worker.close();
        await closeRuntime(apiRuntime);
        await closeRuntime(workerRuntime);
        await database.drop();
      } finally {
        await rm(dataDir, { recursive: true, force: true });
      }
    },
  });
  return {
    ...booted,
    anotherApi: async ({ logTimeoutMs, projectionTimeoutMs, ...others } = {}, changed = {}) => {
      const runtime = await open('api', 'nimo_api', changed, {
        ...(logTimeoutMs !== undefined && { logTimeoutMs }),
        ...(projectionTimeoutMs !== undefined && { projectionTimeoutMs }),
      });
      const started = async () => {
        await startRuntime(runtime);
        return createApi(runtime, { webFolder: join(dataDir, 'no-web'), ...others });
      };
      const another = await started().catch(async (error: unknown) => {
        await closeRuntime(runtime);
        throw error;
      });
      await another.listen(0, '127.0.0.1');
      return {
        url: await another.getUrl(),
        api: another,
        close: async () => {
          await another.close();
          await closeRuntime(runtime);
        },
      };
    },
  };
}

/** For specs that start the API differently. */
export function testApp(
  parts: Pick<TestApp, 'api' | 'worker' | 'url' | 'dataDir' | 'pool' | 'close'>,
): TestApp {
  const { api, url, pool } = parts;
  const commands = api.get(CommandBus);
  hashPasswordOnce(api.get(Credentials, { strict: false }));
  const app: TestApp = {
    ...parts,
    http: () => request(url),
    graphql: async (query, variables = {}, token, headers = {}) => {
      const { status, body } = await request(url)
        .post('/graphql')
        .agent(connections)
        .set({ ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers })
        .send({ query, variables });
      return { status, data: body.data, errors: body.errors, extensions: body.extensions };
    },
    signUp: (options = {}) => signUp(api, app, options),
    execute: (command) => commands.execute(command),
    contextOf: (studentId) => ({
      ...ids(),
      by: { kind: 'student', studentId, registered: true, blocked: false, roles: [] },
      actor: { kind: 'student', id: studentId },
      freshness: newFreshness(),
    }),
    operator: () => ({
      ...ids(),
      by: OPERATOR,
      actor: { kind: 'operator', operator: 'ada' },
      freshness: newFreshness(),
    }),
    grantRole: (studentId, role, spaceId) =>
      commands.execute(new GrantRole(app.operator(), { studentId, role, spaceId: spaceId ?? null })),
    caughtUp: async () => {
      const head = await api.get<EventStore>(EVENT_STORE, { strict: false }).head();
      if (head === undefined) return;
      const names = projections.map(({ name }) => name);
      const { stale } = await api
        .get(ProjectionWaiter, { strict: false })
        .waitFor(names, head, READ_SIDE_TIMEOUT_MS);
      if (stale) throw new Error('the read side is behind the log');
    },
    latestCode: async (phone) => {
      const find = () =>
        pool.query<{ text: string }>(
          'select text from state.outbox where recipient = $1 order by id desc limit 1',
          [`+${phone}`],
        );
      const { rows } = await eventually(find, (found) => found.rows.length > 0);
      const code = /\b\d{4}\b/.exec(rows[0]?.text ?? '')?.[0];
      if (code === undefined) throw new Error('the SMS has no code');
      return code;
    },
  };
  return app;
}

const PASSWORD = 'correct horse';
let passwordHash: Promise<string> | undefined;

/** Hashing is slow by design, so the default password is hashed once per process. */
function hashPasswordOnce(credentials: Credentials): void {
  const hashOf = credentials.hashOf.bind(credentials);
  credentials.hashOf = (password) =>
    password === PASSWORD ? (passwordHash ??= hashOf(password)) : hashOf(password);
}

function ids() {
  const commandId = randomUUID();
  return { commandId, correlationId: commandId, causationId: commandId };
}

async function signUp(
  api: NestFastifyApplication,
  app: TestApp,
  { phone = newPhone(), userName = newUserName(), password = PASSWORD, ...names }: SignUpOptions,
): Promise<SignedUpStudent> {
  const { firstName = 'Ada', lastName = 'Lovelace' } = names;
  // Only the last command waits for the read side.
  const { freshness: _freshness, ...first } = app.contextOf(randomUUID());
  const studentId = await app.execute<string>(new CreateStudent(first, phone));
  const context = app.contextOf(studentId);
  await app.execute(new VerifyPhone({ ...context, ...ids() }));
  const profile = { userName, firstName, lastName, profileDesc: '', realProfilePicUrl: null };
  await app.execute(new RegisterStudent({ ...context, ...ids() }, profile, password));
  const token = await api
    .get(SessionStore, { strict: false })
    .open(studentId, { remember: false, address: '127.0.0.1', userAgent: 'test' });
  return { studentId, userName, phone, password, token };
}
