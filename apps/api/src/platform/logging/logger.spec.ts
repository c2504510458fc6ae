import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { consoleFormatter, correlation, createLogger } from './logger.js';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

function logged(write: (logger: ReturnType<typeof createLogger>) => void): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'nimo-log-'));
  folders.push(dataDir);
  const logger = createLogger({ name: 'api', level: 'info', dataDir, console: false });
  write(logger);
  return readFileSync(join(dataDir, 'logs', 'api.log'), 'utf8');
}

describe('the log', () => {
  it('redacts secrets anywhere in an object', () => {
    const text = logged((logger) =>
      logger.info(
        {
          req: { headers: { authorization: 'Bearer hush' } },
          variables: { input: { password: 'hush', otp: 1234, phone: 919000000000 } },
          token: 'hush',
        },
        'request',
      ),
    );
    expect(text).toContain('[removed]');
    expect(text).not.toMatch(/hush|1234|919000000000/);
  });

  it('includes the correlation id of the request', () => {
    const text = logged((logger) => correlation.run({ correlationId: 'abc' }, () => logger.info('inside')));
    expect(JSON.parse(text)).toMatchObject({ correlationId: 'abc', msg: 'inside', name: 'api' });
  });

  it('is abbreviated on the console', () => {
    const output = new PassThrough();
    consoleFormatter(output).write(
      '{"level":50,"time":"2026-11-21T07:00:01.000Z","name":"api","err":{"message":"disk full"},"msg":"append failed"}\n',
    );
    expect(String(output.read())).toBe('07:00:01 api ERROR append failed: disk full\n');
  });
});
