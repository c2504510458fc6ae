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
import { auditLineReader } from '../../features/audit/export/audit-export.js';
import { withSession, interruptible, operatorName, recordRead } from '../cli-session.js';
import { EXIT, UsageError } from '../failure.js';
import { formatCount, type JsonFlag, printResult } from '../output.js';
import { trustedKeys, readCheckpoints, checkpointLines } from './log-session.js';
import { assertNoFile } from '../new-file.js';
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
    throw new UsageError('--bundle needs --line: a bundle proves one line.');
  if (bundle !== undefined) await assertNoFile(bundle, flags);
  const format = formatOf(await firstByteOf(file));
  await interruptible(async (signal) => {
    const progress = new RateLine('Computing the chain');
    const report = await withSession(async ({ runtime, container }) => {
      const { pool, log } = runtime;
      // Fails before the long work if the operator has no name.
      if (bundle !== undefined) operatorName(runtime.settings);
      const source = { pool, log, open: () => createReadStream(file), format, renderer: auditLineReader };
      const keys = trustedKeys(runtime, flags.publicKey);
      const { heads, faults } = await readCheckpoints(runtime, keys);
      const proven = await proveExport({
        ...source,
        heads,
        keys,
        ...(line !== undefined && { line }),
        onProgress: (ordinal) => progress.show(ordinal),
        signal,
      });
      if (bundle !== undefined && line !== undefined && isFullyProven(proven) && proven.seal) {
        const proof = await bundleOf({ ...source, line, seal: proven.seal }, flags);
        await recordRead({ runtime, container }, 'PROVEN_AUDIT_EXPORT', { rows: 1 });
        await writeFile(bundle, `${JSON.stringify(proof)}\n`);
      }
      return { ...proven, checkpointFaults: faults.map(({ detail }) => detail) };
    });
    progress.clear();
    printResult(report, flags, () =>
      [reportText(report, format, flags), ...checkpointLines(report.checkpointFaults)].join('\n'),
    );
    if (!isFullyProven(report) || report.checkpointFaults.length > 0) process.exitCode = EXIT.different;
  });
}

async function bundleOf(source: BundleSource, { wholeEvent }: ProveFlags): Promise<ProofBundle> {
  try {
    return await makeBundle({ ...source, isWholeEvent: wholeEvent === true });
  } catch (error) {
    if (!(error instanceof ManyLinesError)) throw error;
    throw new UsageError(
      `The event of this line has ${formatCount(error.lines)} lines, and the bundle would reveal all of them. Use --whole-event to write it anyway.`,
    );
  }
}

const isFullyProven = ({ problems, lines }: ProveReport): boolean => problems.length === 0 && lines > 0;

async function firstByteOf(file: string): Promise<Uint8Array> {
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

function reportText(
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
      ? 'No line of the file refers to an event.'
      : `Line ${flags.line} does not exist or does not refer to an event.`;
  return [
    `Proven: ${formatCount(proven)} of ${formatCount(lines)} ${format === 'csv' ? 'rows' : 'lines'} are unchanged since the export and match their events.`,
    `Names, titles and points are those shown at the time of the export; events do not contain them.`,
    `The events lead to the head signed at ${seal.signed.at} for ordinal ${seal.signed.ordinal}:`,
    `  ${seal.signed.head}`,
    ...(flags.bundle === undefined
      ? []
      : [`Proof bundle written to ${flags.bundle}. It can be checked without the database.`]),
  ].join('\n');
}

export interface CheckBundleFlags extends JsonFlag {
  readonly publicKey: readonly PublicKey[];
}

export async function checkBundleFile(file: string, flags: CheckBundleFlags): Promise<void> {
  const bundle = await readJson(file);
  const checks = flags.publicKey.map((key) => checkBundle(bundle, key, auditLineReader));
  const result = checks.find(({ isProven }) => isProven) ?? checks[0];
  if (!result) throw new UsageError('--public-key is required.');
  printResult(result, flags, () =>
    result.isProven
      ? `Proven: this line was exported at ${result.seal.signed.at}, and its event has ordinal ${result.ordinal} in the signed log.\n${result.line}`
      : `NOT PROVEN. ${result.reason}`,
  );
  if (!result.isProven) process.exitCode = EXIT.different;
}

async function readJson(file: string): Promise<unknown> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new UsageError(
      `${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
    );
  });
  try {
    // Strips a byte-order mark, which a shell or an editor may have added.
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    throw new LogDiffersError(`${file} is not valid JSON: it is damaged or not a bundle.`);
  }
}
