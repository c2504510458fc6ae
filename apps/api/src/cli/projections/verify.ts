import process from 'node:process';
import type { VerificationResult } from '@nimo/projection-engine';
import { EXIT } from '../failure.js';
import { interruptible } from '../cli-session.js';
import { formatCount, type JsonFlag, printResult } from '../output.js';
import { ProgressLine } from '../progress-line.js';
import { withMaintenance, namesOf, progressText } from './maintenance-session.js';

interface Verified {
  readonly name: string;
  /** Null if cancelled. */
  readonly result: VerificationResult | null;
}

export async function verify(requested: string[], flags: JsonFlag): Promise<void> {
  await interruptible((signal) =>
    withMaintenance(async ({ admin, request, withWorker }) => {
      const verified = await withWorker(async () => {
        const all: Verified[] = [];
        for (const name of namesOf(requested, admin)) {
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
  const at = `at event ${formatCount(result.ordinal)}`;
  switch (result.outcome) {
    case 'EQUAL':
      return `${name}: equal ${at}, ${result.liveHash}`;
    case 'DIFFERENT':
      return [
        `${name}: DIFFERENT ${at}, live ${result.liveHash}, rebuilt ${result.rebuiltHash}`,
        ...differenceLines(result),
      ].join('\n');
    case 'FAILED':
      return `${name}: failed, ${result.error}`;
  }
}

const FAULT_TEXT = {
  MISSING: 'is missing',
  SURPLUS: 'should not exist',
  CHANGED: 'has different values',
} as const;

function differenceLines({ differing, named }: VerificationResult): string[] {
  if (differing === null) return ['  The differing rows could not be determined. Verify again.'];
  if (differing.length === 0)
    return ['  No row differs any more: the differing rows have been rewritten in the meantime.'];
  const lines = differing.map(({ table, rows }) =>
    rows === 1 ? `  ${table}: 1 row differs` : `  ${table}: ${formatCount(rows)} rows differ`,
  );
  for (const { table, key, fault, columns } of named) {
    const values = Object.entries(key).map(([column, value]) => `${column} ${value}`);
    const which = columns.length === 0 ? '' : ` (${columns.join(', ')})`;
    lines.push(`  ${table}, ${values.join(', ')}: ${FAULT_TEXT[fault]}${which}`);
  }
  return lines;
}
