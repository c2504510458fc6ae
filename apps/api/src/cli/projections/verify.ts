import process from 'node:process';
import type { VerificationResult } from '@nimo/projection-engine';
import { EXIT } from '../failure.js';
import { interruptible } from '../cli-session.js';
import { grouped, type JsonFlag, printResult } from '../output.js';
import { ProgressLine } from '../progress-line.js';
import { withMaintenance, namesOf, progressText } from './maintenance-session.js';

interface Verified {
  readonly name: string;
  /** Null where somebody cancelled it. */
  readonly result: VerificationResult | null;
}

export async function verify(given: string[], flags: JsonFlag): Promise<void> {
  await interruptible((signal) =>
    withMaintenance(async ({ admin, request, working }) => {
      const verified = await working(async () => {
        const all: Verified[] = [];
        for (const name of namesOf(given, admin)) {
          const line = new ProgressLine();
          const before = (await admin.statusOf(name)).lastVerification;
          await request(name, { kind: 'verify' });
          const result = await admin.maintenance.watchVerification(name, {
            signal,
            onProgress: (progress) => line.show(() => `Verifying ${name}: ${progressText(progress)}`),
            before,
          });
          line.clear();
          signal.throwIfAborted();
          all.push({ name, result: result ?? null });
        }
        return all;
      });
      printResult(verified, flags, () => verified.map(textOf).join('\n'));
      process.exitCode = exitCodeOf(verified);
    }),
  );
}

function exitCodeOf(verified: readonly Verified[]): number {
  if (verified.some(({ result }) => result?.outcome === 'DIFFERENT')) return EXIT.different;
  return verified.every(({ result }) => result?.outcome === 'EQUAL') ? EXIT.done : EXIT.failed;
}

function textOf({ name, result }: Verified): string {
  if (result === null) return `${name}: cancelled`;
  const asOf = `as of event ${grouped(result.ordinal)}`;
  switch (result.outcome) {
    case 'EQUAL':
      return `${name}: equal ${asOf}, ${result.liveHash}`;
    case 'DIFFERENT':
      return [
        `${name}: DIFFERENT ${asOf}, live ${result.liveHash}, rebuilt ${result.rebuiltHash}`,
        ...differencesOf(result),
      ].join('\n');
    case 'FAILED':
      return `${name}: failed, ${result.error}`;
  }
}

const FAULTS = {
  MISSING: 'is missing',
  SURPLUS: 'should not be there',
  CHANGED: 'has other values',
} as const;

function differencesOf({ differing, named }: VerificationResult): string[] {
  if (differing === null) return ['  Which rows differ could not be looked up; verify again.'];
  if (differing.length === 0) return ['  No row differs any more: what did was written again meanwhile.'];
  const lines = differing.map(({ table, rows }) =>
    rows === 1 ? `  ${table}: 1 row differs` : `  ${table}: ${grouped(rows)} rows differ`,
  );
  for (const { table, key, fault, columns } of named) {
    const values = Object.entries(key).map(([column, value]) => `${column} ${value}`);
    const which = columns.length === 0 ? '' : ` (${columns.join(', ')})`;
    lines.push(`  ${table}, ${values.join(', ')}: ${FAULTS[fault]}${which}`);
  }
  return lines;
}
