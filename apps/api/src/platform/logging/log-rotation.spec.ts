import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOG_RETENTION_DAYS, rotateLogs } from './log-rotation.js';
import { createLogger } from './logger.js';

const NOW = new Date('2026-11-24T12:00:00.000Z');
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000);
const line = (time: Date): string => `{"level":30,"time":"${time.toISOString()}","msg":"asha"}\n`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nimo-logs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string, writtenAt = NOW): void => {
  writeFileSync(join(folder, name), text);
  utimesSync(join(folder, name), writtenAt, writtenAt);
};

describe('log files', () => {
  it('are rotated after a day, not before', () => {
    write('api.log', line(daysAgo(0.9)));
    expect(rotateLogs(folder, 'api', NOW)).toBe(false);
    write('api.log', line(daysAgo(1.1)));
    expect(rotateLogs(folder, 'api', NOW)).toBe(true);
    expect(readdirSync(folder)).toEqual(['api.20261124T120000000Z.log']);
  });

  it('are rotated when they are too large', () => {
    write('api.log', line(NOW).repeat(400_000));
    expect(rotateLogs(folder, 'api', NOW)).toBe(true);
  });

  it('are deleted after the retention period, except for those of others', () => {
    const old = daysAgo(LOG_RETENTION_DAYS + 1);
    for (const name of ['api.20261101T000000000Z.log', 'cli.log', 'postgres.log']) write(name, 'asha', old);
    write('worker.20261120T000000000Z.log', 'asha', daysAgo(LOG_RETENTION_DAYS - 1));
    rotateLogs(folder, 'api', NOW);
    expect(readdirSync(folder).sort()).toEqual(['postgres.log', 'worker.20261120T000000000Z.log']);
  });

  it('are rotated at start', () => {
    const logs = join(folder, 'logs');
    const log = (text: string) =>
      createLogger({ name: 'api', level: 'info', dataDir: folder, console: false }).info(text);
    log('first');
    writeFileSync(join(logs, 'api.log'), line(new Date(Date.now() - 2 * 86_400_000)));
    log('second');
    expect(readdirSync(logs)).toHaveLength(2);
    expect(readFileSync(join(logs, 'api.log'), 'utf8')).toMatch(/^[^\n]*"second"[^\n]*\n$/);
  });
});
