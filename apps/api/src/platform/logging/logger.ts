import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { destination, multistream, pino, type Logger, type StreamEntry } from 'pino';
import { consoleLines } from './console-lines.js';
import { correlation } from './correlation.js';
import { rotateLogs } from './log-rotation.js';

export type { Logger } from 'pino';

export interface LoggerOptions {
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
