import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { z } from 'zod';
import type { LoggerService } from '@nestjs/common';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { destination, type Logger, multistream, pino, type StreamEntry } from 'pino';
import { rotateLogs } from './log-rotation.js';

interface Correlation {
  readonly correlationId: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const CORRELATION_HEADER = 'x-correlation-id';

/** The span of whoever sent a request, by W3C's Trace Context; in hex. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
}

/** Later versions begin as the first one does, and may go on. */
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/;

export function traceParentOf(given: unknown): TraceParent | undefined {
  const [, traceId, spanId] = (typeof given === 'string' && TRACE_PARENT.exec(given)) || [];
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId };
}

/**
 * The id of the trace that a request belongs to, else the one that a browser chose for what it does, or one of ours. Nothing is looked
 * up or decided by it: it finds lines of a log, and whoever sends another's only mixes up his own.
 */
export function correlationIdOf(headers: Readonly<Record<string, unknown>>): string {
  const parent = traceParentOf(headers['traceparent']);
  // A trace id has as many bytes as a UUID, and each process can tell the one from the other.
  if (parent) return parent.traceId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const given = headers[CORRELATION_HEADER];
  return typeof given === 'string' && UUID.test(given) ? given : randomUUID();
}

/** The request or job that is being worked on; the logger adds it to every line. */
export const correlation = new AsyncLocalStorage<Correlation>();

const line = z.object({
  level: z.number(),
  time: z.string(),
  name: z.string().default(''),
  msg: z.string().default(''),
  err: z.object({ message: z.string() }).optional(),
});

const LABELS: Readonly<Record<number, string>> = {
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'ERROR',
  60: 'FATAL',
};
const CLOCK = { from: 11, to: 19 };

/** Shortens pino's JSON to `12:00:00 api info message` for people; the file keeps everything. */
export function consoleLines(output: NodeJS.WritableStream): Writable {
  // Whoever reads along may go at any time.
  output.on('error', () => undefined);
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      output.write(shorten(String(chunk)));
      done();
    },
  });
}

function shorten(json: string): string {
  const parsed = line.safeParse(JSON.parse(json));
  if (!parsed.success) return json;
  const { level, time, name, msg, err } = parsed.data;
  const reason = err === undefined || msg.includes(err.message) ? '' : `: ${err.message}`;
  return `${time.slice(CLOCK.from, CLOCK.to)} ${name} ${LABELS[level] ?? level} ${msg}${reason}\n`;
}

type Rest = readonly unknown[];

/** Nest's own lines in our log; what it tells while it starts is for debugging. */
export class NestLines implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: Rest): void {
    this.write('debug', message, rest);
  }

  debug(message: unknown, ...rest: Rest): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: Rest): void {
    this.write('debug', message, rest);
  }

  warn(message: unknown, ...rest: Rest): void {
    this.write('warn', message, rest);
  }

  error(message: unknown, ...rest: Rest): void {
    this.write('error', message, rest);
  }

  fatal(message: unknown, ...rest: Rest): void {
    this.write('fatal', message, rest);
  }

  private write(level: 'debug' | 'warn' | 'error' | 'fatal', message: unknown, rest: Rest): void {
    const context = rest.at(-1);
    if (message instanceof Error) this.logger[level]({ err: message, context });
    else if (typeof message === 'object' && message !== null) this.logger[level]({ ...message, context });
    else this.logger[level]({ context }, String(message));
  }
}

export type { Logger } from 'pino';

interface LoggerOptions {
  /** The process: api, worker, launcher, cli. */
  readonly name: string;
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** `<data>/logs/<name>.log` gets every line; without it only the console does. */
  readonly dataDir?: string;
  /** False where standard output belongs to somebody else. */
  readonly console?: boolean;
}

const SECRETS = [
  'authorization',
  'cookie',
  'password',
  'oldPassword',
  'newPassword',
  'otp',
  'code',
  'token',
  'accessToken',
  'grant',
  'phone',
  'email',
  'secret',
  'apiKey',
  'connectionString',
];
const ROTATE_EVERY_MS = 600_000;
const PLACES = ['', '*.', '*.*.', '*.*.*.'];

/** JSON lines into a file, short lines to the console, secrets in neither, and every line of a request with its correlation id. */
export function createLogger({ name, level, dataDir, console = true }: LoggerOptions): Logger {
  const streams: StreamEntry[] = [];
  if (dataDir !== undefined) streams.push({ level: 'debug', stream: logFile(dataDir, name) });
  if (console) streams.push({ level: 'debug', stream: consoleLines(process.stdout) });
  return pino(
    {
      name,
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: PLACES.flatMap((place) => SECRETS.map((secret) => `${place}${secret}`)),
        censor: '[removed]',
      },
      mixin: () => ({ ...correlation.getStore() }),
    },
    multistream(streams),
  );
}

function logFile(dataDir: string, name: string): StreamEntry['stream'] {
  const folder = join(dataDir, 'logs');
  mkdirSync(folder, { recursive: true });
  const rotate = (): boolean => {
    try {
      return rotateLogs(folder, name);
    } catch {
      // Whoever may not look into the folder still logs.
      return false;
    }
  };
  rotate();
  // Written at once: the last lines before a crash are the ones that matter.
  const file = destination({ dest: join(folder, `${name}.log`), append: true, mode: 0o600, sync: true });
  // A full disk must not end the process that wants to tell of it.
  file.on('error', () => undefined);
  setInterval(() => {
    if (rotate()) file.reopen();
  }, ROTATE_EVERY_MS).unref();
  return file;
}
