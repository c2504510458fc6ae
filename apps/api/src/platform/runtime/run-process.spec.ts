import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { handleUncaughtFaults, type UncaughtFaultPolicy } from './run-process.js';

function installed(policy: UncaughtFaultPolicy) {
  const process = Object.assign(new EventEmitter(), { stdout: new PassThrough(), stderr: new PassThrough() });
  const lines: string[] = [];
  const counted = { faults: 0, leaves: 0 };
  handleUncaughtFaults({
    logger: pino({}, { write: (line: string) => void lines.push(line) }),
    policy,
    onFault: () => (counted.faults += 1),
    shutDown: () => (counted.leaves += 1),
    // Implements the members that are used.
    process: process as unknown as NodeJS.Process,
  });
  return { process, lines, counted };
}

describe('an uncaught fault', () => {
  it.each(['uncaughtException', 'unhandledRejection'])(
    '(%s) is logged and counted, and the API keeps running',
    (origin) => {
      const { process, lines, counted } = installed('keep running');
      process.emit(origin, new Error('a fault of ours'), origin);
      expect(counted).toEqual({ faults: 1, leaves: 0 });
      expect(lines).toEqual([expect.stringContaining('a fault of ours')]);
    },
  );

  it('shuts an internal process down gracefully', () => {
    const { process, counted } = installed('shut down');
    process.emit('uncaughtException', new Error('a fault of ours'), 'uncaughtException');
    expect(counted).toEqual({ faults: 1, leaves: 1 });
  });

  it('is logged a limited number of times per minute', () => {
    const { process, lines, counted } = installed('keep running');
    for (let n = 0; n < 1_000; n++) process.emit('unhandledRejection', new Error('again'));
    expect(counted.faults).toBe(1_000);
    expect(lines.length).toBeLessThan(50);
  });

  it('does not include a closed output stream', () => {
    const { process } = installed('shut down');
    expect(process.stdout.emit('error', new Error('EPIPE'))).toBe(true);
    expect(process.stderr.emit('error', new Error('EPIPE'))).toBe(true);
  });
});
