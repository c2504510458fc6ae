import { publicKeyText, readChainPlace, readChainTip, readSignedHeads } from '@nimo/event-store';
import { logKeyOf } from '../../features/log-proof/log-chain.js';
import { loadSettings } from '../../platform/config/load-settings.js';
import { inSession } from '../cli-session.js';
import { type JsonFlag, printResult } from '../print-result.js';

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
