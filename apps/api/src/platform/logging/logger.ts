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

/** The caller's span by W3C Trace Context; ids in hex. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
}

/** Later versions may append fields. */
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/;

export function parseTraceParent(header: unknown): TraceParent | undefined {
  const [, traceId, spanId] = (typeof header === 'string' && TRACE_PARENT.exec(header)) || [];
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId };
}

/**
 * The correlation id of a request: the trace id, else the header, else a new one. It is only used to find log entries, so a forged one does
 * no harm.
 */
export function resolveCorrelationId(headers: Readonly<Record<string, unknown>>): string {
  const parent = parseTraceParent(headers['traceparent']);
  // A trace id has the size of a UUID, so each can be derived from the other.
  if (parent) return parent.traceId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const header = headers[CORRELATION_HEADER];
  return typeof header === 'string' && UUID.test(header) ? header : randomUUID();
}

/** Correlation id of the current request or job; added to every log entry. */
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

/** Formats pino's JSON as `12:00:00 api info message` for the console. */
export function consoleFormatter(output: NodeJS.WritableStream): Writable {
  // The reader may disappear at any time.
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

/** Writes Nest's messages to our log; its start-up messages at debug level. */
export class NestLogger implements LoggerService {
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
  /** Process name: api, worker, launcher or cli. */
  readonly name: string;
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Also logs to `<data>/logs/<name>.log`. */
  readonly dataDir?: string;
  /** False when standard output is reserved for other output. */
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

/** A logger that writes JSON to a file and short lines to the console, redacts secrets and adds correlation ids. */
export function createLogger({ name, level, dataDir, console = true }: LoggerOptions): Logger {
  const streams: StreamEntry[] = [];
  if (dataDir !== undefined) streams.push({ level: 'debug', stream: logFile(dataDir, name) });
  if (console) streams.push({ level: 'debug', stream: consoleFormatter(process.stdout) });
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
      // Without access to the folder, logging still works.
      return false;
    }
  };
  rotate();
  // Synchronous: the last entries before a crash matter most.
  const file = destination({ dest: join(folder, `${name}.log`), append: true, mode: 0o600, sync: true });
  // A full disk must not end the process.
  file.on('error', () => undefined);
  setInterval(() => {
    if (rotate()) file.reopen();
  }, ROTATE_EVERY_MS).unref();
  return file;
}
