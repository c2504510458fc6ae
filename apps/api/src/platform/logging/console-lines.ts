import { Writable } from 'node:stream';
import { z } from 'zod';

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
