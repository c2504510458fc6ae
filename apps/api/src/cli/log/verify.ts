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
import { inSession, interruptible } from '../cli-session.js';
import { grouped, type JsonFlag, printResult } from '../output.js';
import { EXIT, UsageError } from '../failure.js';
import { RateLine } from '../progress-line.js';
import { believedKeys, lookAtWitnesses, seekIn, witnessLines } from './log-session.js';

export async function head(flags: JsonFlag): Promise<void> {
  const result = await inSession(async ({ runtime: { pool, log } }) => {
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
      `ordinal  ${result.ordinal}${result.isCaughtUp ? '' : ' (the chain lags behind the log)'}`,
      `head     ${result.head}`,
      `signed   ${result.signed ? `ordinal ${result.signed.ordinal} at ${result.signed.at}` : 'nothing yet'}`,
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
  /** What is wrong with the places where signed heads are kept. */
  readonly witnessFaults: readonly string[];
  readonly damagedHeadLines: number;
  readonly headsFolder: string;
  readonly seconds: number;
}

export function verify(flags: VerifyFlags): Promise<void> {
  return interruptible(async (signal) => {
    const result = await inSession(async ({ runtime }): Promise<Verified> => {
      const progress = new RateLine('Verifying');
      const folder = headsFolderOf(runtime.settings);
      const keys = believedKeys(runtime, flags.publicKey);
      const { heads, damagedLines, faults } = await lookAtWitnesses(runtime, keys);
      const report = await verifyLog({
        pool: runtime.pool,
        log: runtime.log,
        heads,
        keys,
        ...(flags.from !== undefined && { from: flags.from }),
        ...seekIn(runtime),
        onProgress: (ordinal) => progress.show(ordinal),
        signal,
      }).catch((error: unknown) => {
        throw error instanceof RangeError ? new UsageError(`--from: ${error.message}.`) : error;
      });
      progress.clear();
      return {
        ...report,
        witnessFaults: faults.map(({ detail }) => detail),
        damagedHeadLines: damagedLines,
        headsFolder: folder.path,
        seconds: progress.seconds,
      };
    });
    printResult(result, flags, () => described(result));
    if (result.misfit || result.witnessFaults.length > 0) process.exitCode = EXIT.different;
  });
}

function described(result: Verified): string {
  const { misfit, ordinal, head, from, seconds } = result;
  const looked = Math.max(0, ordinal - from + 1);
  const rate = `${grouped(looked)} events in ${seconds.toFixed(1)} s (${grouped(Math.round(looked / Math.max(seconds, 0.001)))}/s)`;
  if (!misfit) {
    return [
      `Every event from ordinal ${from} to ${ordinal} fits: ${rate}.`,
      `Head of the chain: ${head}`,
      ...remarks(result),
    ].join('\n');
  }
  const where =
    misfit.since < misfit.ordinal ? `${misfit.since} to ${misfit.ordinal}` : String(misfit.ordinal);
  return [
    `DOES NOT FIT at ordinal ${where}: ${misfit.kind}.`,
    `  stream    ${misfit.streamId ?? '(not known: the event is gone)'}`,
    `  revision  ${misfit.revision ?? '-'}`,
    `  event     ${misfit.eventId ?? '-'}`,
    `  ${misfit.detail}`,
    `Looked at ${rate}.`,
    ...remarks(result),
  ].join('\n');
}

function remarks({
  chainLag,
  signedHeads,
  damagedHeadLines,
  headsFolder,
  misfit,
  witnessFaults: faults,
}: Verified): string[] {
  const { compared, last, unknownKey, forged } = signedHeads;
  const lines = witnessLines(faults);
  if (faults.length > 0) lines.push(`The heads folder is ${headsFolder} (LOG_HEADS_DIR).`);
  if (compared > 0)
    lines.push(`Signed heads that fit: ${grouped(compared)}, the last one of ordinal ${last ?? '-'}.`);
  else if (!misfit)
    lines.push(
      `No signed head was compared (${headsFolder}): whoever changed log and chain together would not be found.`,
    );
  if (chainLag > 0)
    lines.push(`The chain lags behind the log by ${grouped(chainLag)} events; the worker writes it.`);
  if (unknownKey > 0)
    lines.push(`Signed by a key unknown here: ${grouped(unknownKey)}; name it with --public-key.`);
  if (forged > 0) lines.push(`WARNING: heads whose signature is wrong: ${grouped(forged)}.`);
  if (damagedHeadLines > 0)
    lines.push(`Lines that are no signed head: ${grouped(damagedHeadLines)} (a crash may tear one).`);
  return lines;
}
