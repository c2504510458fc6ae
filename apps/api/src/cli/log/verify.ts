import {
  type PublicKey,
  publicKeyText,
  readChainPlace,
  readChainTip,
  readSignedHeads,
  verifyLog,
  type VerifyReport,
} from '@nimo/event-store';
import process from 'node:process';
import { headsFolderOf, logKeyOf } from '../../features/log-proof/log-chain.js';
import { loadSettings } from '../../platform/config/load-settings.js';
import { withSession, interruptible } from '../cli-session.js';
import { formatCount, type JsonFlag, printResult } from '../output.js';
import { EXIT, UsageError } from '../failure.js';
import { RateLine } from '../progress-line.js';
import { trustedKeys, readCheckpoints, seekOption, checkpointLines } from './log-session.js';

export async function head(flags: JsonFlag): Promise<void> {
  const result = await withSession(async ({ runtime: { pool, log } }) => {
    const tip = await readChainTip(pool);
    const [{ position }, end, [signed]] = await Promise.all([
      readChainPlace(pool),
      log.head(),
      readSignedHeads(pool, 1),
    ]);
    return {
      ordinal: tip.ordinal,
      head: tip.head.toString('hex'),
      isCaughtUp: end === undefined || (position ?? '') >= end,
      signed: signed ?? null,
    };
  });
  printResult(result, flags, () =>
    [
      `ordinal  ${result.ordinal}${result.isCaughtUp ? '' : ' (the chain is behind the log)'}`,
      `head     ${result.head}`,
      `signed   ${result.signed ? `ordinal ${result.signed.ordinal} at ${result.signed.at}` : 'no head yet'}`,
    ].join('\n'),
  );
}

export function publicKey(flags: JsonFlag): void {
  const key = logKeyOf(loadSettings());
  const pem = key.publicKey.export({ format: 'pem', type: 'spki' }).toString();
  printResult({ keyId: key.keyId, publicKey: publicKeyText(key), pem }, flags, () => pem);
}

interface VerifyFlags extends JsonFlag {
  readonly from?: number;
  readonly publicKey?: readonly PublicKey[];
}

interface Verified extends VerifyReport {
  /** Faults of the external checkpoints. */
  readonly checkpointFaults: readonly string[];
  readonly damagedHeadLines: number;
  readonly headsFolder: string;
  readonly seconds: number;
}

export function verify(flags: VerifyFlags): Promise<void> {
  return interruptible(async (signal) => {
    const result = await withSession(async ({ runtime }): Promise<Verified> => {
      const progress = new RateLine('Verifying');
      const folder = headsFolderOf(runtime.settings);
      const keys = trustedKeys(runtime, flags.publicKey);
      const { heads, damagedLines, faults } = await readCheckpoints(runtime, keys);
      const report = await verifyLog({
        pool: runtime.pool,
        log: runtime.log,
        heads,
        keys,
        ...(flags.from !== undefined && { from: flags.from }),
        ...seekOption(runtime),
        onProgress: (ordinal) => progress.show(ordinal),
        signal,
      }).catch((error: unknown) => {
        throw error instanceof RangeError ? new UsageError(`--from: ${error.message}.`) : error;
      });
      progress.clear();
      return {
        ...report,
        checkpointFaults: faults.map(({ detail }) => detail),
        damagedHeadLines: damagedLines,
        headsFolder: folder.path,
        seconds: progress.seconds,
      };
    });
    printResult(result, flags, () => reportText(result));
    if (result.mismatch || result.checkpointFaults.length > 0) process.exitCode = EXIT.different;
  });
}

function reportText(result: Verified): string {
  const { mismatch, ordinal, head, from, seconds } = result;
  const verified = Math.max(0, ordinal - from + 1);
  const rate = `${formatCount(verified)} events in ${seconds.toFixed(1)} s (${formatCount(Math.round(verified / Math.max(seconds, 0.001)))}/s)`;
  if (!mismatch) {
    return [
      `No mismatch from ordinal ${from} to ${ordinal}: ${rate}.`,
      `Chain head: ${head}`,
      ...remarks(result),
    ].join('\n');
  }
  const where =
    mismatch.since < mismatch.ordinal ? `${mismatch.since} to ${mismatch.ordinal}` : String(mismatch.ordinal);
  return [
    `MISMATCH at ordinal ${where}: ${mismatch.kind}.`,
    `  stream    ${mismatch.streamId ?? '(unknown: the event is gone)'}`,
    `  revision  ${mismatch.revision ?? '-'}`,
    `  event     ${mismatch.eventId ?? '-'}`,
    `  ${mismatch.detail}`,
    `Verified ${rate}.`,
    ...remarks(result),
  ].join('\n');
}

function remarks({
  chainLag,
  signedHeads,
  damagedHeadLines,
  headsFolder,
  mismatch,
  checkpointFaults: faults,
}: Verified): string[] {
  const { compared, last, unknownKey, forged } = signedHeads;
  const lines = checkpointLines(faults);
  if (faults.length > 0) lines.push(`Heads folder: ${headsFolder} (LOG_HEADS_DIR).`);
  if (compared > 0)
    lines.push(`Matching signed heads: ${formatCount(compared)}, the last one for ordinal ${last ?? '-'}.`);
  else if (!mismatch)
    lines.push(
      `No signed heads to compare in ${headsFolder}: a consistent change of log and chain would go undetected.`,
    );
  if (chainLag > 0)
    lines.push(`The chain is ${formatCount(chainLag)} events behind the log. The worker will extend it.`);
  if (unknownKey > 0)
    lines.push(
      `Heads signed with an unknown key: ${formatCount(unknownKey)}. Pass the key with --public-key.`,
    );
  if (forged > 0) lines.push(`WARNING: Heads with an invalid signature: ${formatCount(forged)}.`);
  if (damagedHeadLines > 0)
    lines.push(
      `Unreadable lines among the signed heads: ${formatCount(damagedHeadLines)} (a crash may cause one).`,
    );
  return lines;
}
