import process from 'node:process';
import type { Command } from 'commander';
import { ClaimKeyMismatchError, type ClaimCounts } from '../../features/keys/claim-rotation.js';
import { KeyRotation, type KeyStatus, type RotationResult } from '../../features/keys/key-rotation.js';
import { withSession, interruptible, operatorContext, operatorName } from '../cli-session.js';
import { EXIT, helpText, UsageError } from '../failure.js';
import { formatCount, type JsonFlag, printResult } from '../output.js';
import { ProgressLine } from '../progress-line.js';

interface RotateFlags extends JsonFlag {
  readonly now?: true;
}

/** Key rotation while Nimo is running. */
export function keyCommands(program: Command): void {
  const keys = program.command('keys').description('rotate the master and HMAC keys');
  keys
    .command('status')
    .option('--json', 'print the result as JSON')
    .description('show what still uses a previous key; exits with 3 while one is needed')
    .addHelpText('after', helpText('keys status', 'Changes nothing.'))
    .action(status);
  keys
    .command('rotate')
    .option(
      '--now',
      'do not wait for codes, idempotency keys and queued messages to expire, and revoke recovery codes of the previous key',
    )
    .option('--json', 'print the result as JSON')
    .description(
      'move everything from NIMO_MASTER_KEY_PREVIOUS and NIMO_HMAC_KEY_PREVIOUS to the current keys',
    )
    .addHelpText(
      'after',
      helpText(
        'keys rotate',
        `First set the new key and the previous one as ..._PREVIOUS, and restart every process; docs/operations.md has the steps.
Nimo keeps running. If the command is interrupted or killed, repeat it: it resumes, and continues reading the log where
the last run stopped. Exits with 3 while a previous key is still needed.`,
      ),
    )
    .action(rotate);
}

async function status(flags: JsonFlag): Promise<void> {
  await interruptible(() =>
    withSession(async ({ container }) => {
      const statuses = await container.get(KeyRotation, { strict: false }).status();
      printResult(statuses, flags, () => statuses.map(statusText).join('\n'));
      if (statuses.some(({ isRemovable }) => !isRemovable)) process.exitCode = EXIT.different;
    }),
  );
}

async function rotate(flags: RotateFlags): Promise<void> {
  await interruptible((signal) =>
    withSession(async ({ container, runtime }) => {
      const { previousMasterKey, previousHmacKey } = runtime.settings;
      if (!previousMasterKey && !previousHmacKey)
        throw new UsageError('Set NIMO_MASTER_KEY_PREVIOUS or NIMO_HMAC_KEY_PREVIOUS to the previous key.');
      const context = operatorContext(operatorName(runtime.settings));
      const rotation = container.get(KeyRotation, { strict: false });
      const progress = new ProgressLine();
      const rotated = await rotation
        .rotate(context, {
          isImmediate: flags.now === true,
          signal,
          onProgress: (label, count) => progress.show(() => `${formatCount(count)} ${label}`),
        })
        .catch((error: unknown) => {
          if (!(error instanceof ClaimKeyMismatchError)) throw error;
          throw new UsageError(
            'NIMO_HMAC_KEY_PREVIOUS is not the key the claims were created with. Nothing was changed.',
          );
        });
      const statuses = await rotation.status();
      progress.clear();
      printResult({ ...rotated, statuses }, flags, () =>
        [...rotationLines(rotated), ...statuses.map(statusText)].join('\n'),
      );
      if (statuses.some(({ remaining }) => Object.values(remaining).some((n) => n > 0)))
        process.exitCode = EXIT.different;
    }),
  );
}

function* rotationLines({ keys, sealed, claims, recoveryCodesRevoked }: RotationResult): Generator<string> {
  if (keys)
    yield `Student keys rewrapped: ${formatCount(keys.rotated)} of ${formatCount(keys.scanned)}.${unreadableText(keys.unreadable)}`;
  if (sealed)
    yield `Encrypted rows re-encrypted: ${formatCount(sealed.rotated)} of ${formatCount(sealed.scanned)}.${unreadableText(sealed.unreadable)}`;
  if (claims) yield claimsText(claims);
  if (recoveryCodesRevoked > 0)
    yield `Recovery codes revoked: ${formatCount(recoveryCodesRevoked)}. Users can create new ones under Sign-in and security.`;
}

const unreadableText = (count: number): string =>
  count === 0 ? '' : ` ${formatCount(count)} cannot be decrypted with either key and were left unchanged.`;

function claimsText({ claimed, existing, inProgress, taken, notFound }: ClaimCounts): string {
  const rest = [
    inProgress > 0 && `${formatCount(inProgress)} in progress: run the command again in ten minutes.`,
    taken > 0 && `${formatCount(taken)} held by someone else under the new key.`,
    notFound > 0 && `${formatCount(notFound)} not found under either key.`,
  ].filter((line) => line !== false);
  return [
    `Claims recreated: ${formatCount(claimed)}; ${formatCount(existing)} already existed.`,
    ...rest,
  ].join(' ');
}

function statusText({ setting, isPreviousSet, remaining, removableAt, isRemovable }: KeyStatus): string {
  if (!isPreviousSet) return `${setting}: no previous key is set.`;
  const open = Object.entries(remaining).filter(([, count]) => count > 0);
  if (open.length > 0)
    return `${setting}_PREVIOUS is still needed for ${open.map(([what, count]) => `${formatCount(count)} ${NEED_LABELS[what] ?? what}`).join(', ')}.`;
  if (isRemovable) return `${setting}_PREVIOUS is no longer needed: unset it and restart every process.`;
  return removableAt === null
    ? `${setting}_PREVIOUS is needed until you run nimo keys rotate again.`
    : `${setting}_PREVIOUS is needed until ${removableAt}, when codes and queued messages have expired (to end them now: nimo keys rotate --now).`;
}

const NEED_LABELS: Readonly<Record<string, string>> = {
  claims: 'claims',
  studentKeys: 'student keys',
  encryptedRows: 'encrypted rows',
  recoveryCodes: 'recovery codes (used up, replaced by their owners, or revoked with nimo keys rotate --now)',
};
