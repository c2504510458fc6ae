import { createReadStream } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import {
  type BundleSource,
  checkBundle,
  type ExportFormat,
  formatOf,
  LogDiffersError,
  makeBundle,
  ManyLinesError,
  type ProofBundle,
  proveExport,
  type ProveReport,
  type PublicKey,
} from '@nimo/event-store';
import { auditTeller } from '../../features/audit/export/audit-export.js';
import { inSession, interruptible, operatorName, tellOfRead } from '../cli-session.js';
import { EXIT, UsageError } from '../failure.js';
import { grouped, type JsonFlag, printResult } from '../output.js';
import { believedKeys, lookAtWitnesses, witnessLines } from './log-session.js';
import { assertFree } from '../new-file.js';
import { RateLine } from '../progress-line.js';

export interface ProveFlags extends JsonFlag {
  readonly line?: number;
  readonly bundle?: string;
  readonly wholeEvent?: true;
  readonly force?: true;
  readonly publicKey?: readonly PublicKey[];
}

export async function prove(file: string, flags: ProveFlags): Promise<void> {
  const { line, bundle } = flags;
  if (bundle !== undefined && line === undefined)
    throw new UsageError('--bundle is made for one line: say which with --line.');
  if (bundle !== undefined) await assertFree(bundle, flags);
  const format = formatOf(await beginningOf(file));
  await interruptible(async (signal) => {
    const progress = new RateLine('Computing the chain');
    const report = await inSession(async ({ runtime, container }) => {
      const { pool, log } = runtime;
      // Before the long work: a bundle by nobody is none.
      if (bundle !== undefined) operatorName(runtime.settings);
      const source = { pool, log, open: () => createReadStream(file), format, teller: auditTeller };
      const keys = believedKeys(runtime, flags.publicKey);
      const { heads, faults } = await lookAtWitnesses(runtime, keys);
      const proven = await proveExport({
        ...source,
        heads,
        keys,
        ...(line !== undefined && { line }),
        onProgress: (ordinal) => progress.show(ordinal),
        signal,
      });
      if (bundle !== undefined && line !== undefined && isRight(proven) && proven.seal) {
        const made = await bundleOf({ ...source, line, seal: proven.seal }, flags);
        await tellOfRead({ runtime, container }, 'PROVEN_AUDIT_EXPORT', { rows: 1 });
        await writeFile(bundle, `${JSON.stringify(made)}\n`);
      }
      return { ...proven, witnessFaults: faults.map(({ detail }) => detail) };
    });
    progress.clear();
    printResult(report, flags, () =>
      [described(report, format, flags), ...witnessLines(report.witnessFaults)].join('\n'),
    );
    if (!isRight(report) || report.witnessFaults.length > 0) process.exitCode = EXIT.different;
  });
}

async function bundleOf(source: BundleSource, { wholeEvent }: ProveFlags): Promise<ProofBundle> {
  try {
    return await makeBundle({ ...source, isWholeEvent: wholeEvent === true });
  } catch (error) {
    if (!(error instanceof ManyLinesError)) throw error;
    throw new UsageError(
      `The event of this line has ${grouped(error.lines)} lines, and who is given the bundle can read them all. Say --whole-event where that is meant.`,
    );
  }
}

const isRight = ({ problems, lines }: ProveReport): boolean => problems.length === 0 && lines > 0;

async function beginningOf(file: string): Promise<Uint8Array> {
  const handle = await open(file).catch((cause: unknown) => {
    throw new UsageError(
      `${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
    );
  });
  try {
    return (await handle.read(Buffer.alloc(1), 0, 1, 0)).buffer;
  } finally {
    await handle.close();
  }
}

function described(
  { problems, lines, proven, seal }: ProveReport,
  format: ExportFormat,
  flags: ProveFlags,
): string {
  if (problems.length > 0) {
    return [
      'NOT PROVEN.',
      ...problems.map((problem) =>
        problem.kind === 'line' ? `Line ${problem.line}: ${problem.detail}` : problem.detail,
      ),
    ].join('\n');
  }
  if (lines === 0 || !seal)
    return flags.line === undefined
      ? 'The file has no line that names an event.'
      : `There is no line ${flags.line} that names an event.`;
  return [
    `Proven: ${grouped(proven)} of ${grouped(lines)} ${format === 'csv' ? 'rows' : 'lines'}, as they were exported, and as their events say.`,
    `Names, titles and points are as they were shown then; they are in no event.`,
    `Their events lead to the head signed at ${seal.signed.at} for ordinal ${seal.signed.ordinal}:`,
    `  ${seal.signed.head}`,
    ...(flags.bundle === undefined
      ? []
      : [`Written for others to check without the database: ${flags.bundle}`]),
  ].join('\n');
}

export interface CheckBundleFlags extends JsonFlag {
  readonly publicKey: readonly PublicKey[];
}

export async function checkBundleFile(file: string, flags: CheckBundleFlags): Promise<void> {
  const bundle = await jsonIn(file);
  const checks = flags.publicKey.map((key) => checkBundle(bundle, key, auditTeller));
  const result = checks.find(({ isProven }) => isProven) ?? checks[0];
  if (!result) throw new UsageError('--public-key is needed.');
  printResult(result, flags, () =>
    result.isProven
      ? `Proven: this line was exported at ${result.seal.signed.at}, and its event is ordinal ${result.ordinal} of the signed log.\n${result.line}`
      : `NOT PROVEN. ${result.reason}`,
  );
  if (!result.isProven) process.exitCode = EXIT.different;
}

async function jsonIn(file: string): Promise<unknown> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new UsageError(
      `${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
    );
  });
  try {
    // Leaves out a byte-order mark, which a shell or an editor may have added.
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    throw new LogDiffersError(`${file} is no JSON: it is damaged or something else.`);
  }
}
