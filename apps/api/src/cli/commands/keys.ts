import process from 'node:process';
import type { Command } from 'commander';
import { ClaimsUnfitError, type ClaimCounts } from '../../features/keys/claim-rotation.js';
import { KeyRotation, type KeyStanding, type Rotated } from '../../features/keys/key-rotation.js';
import { inSession, interruptible, operatorContext, operatorName } from '../cli-session.js';
import { EXIT, helpText, UsageError } from '../failure.js';
import { grouped, type JsonFlag, printResult } from '../output.js';
import { ProgressLine } from '../progress-line.js';

interface RotateFlags extends JsonFlag {
  readonly now?: true;
}

/** Keys that take the place of others while Nimo runs. */
export function keyCommands(program: Command): void {
  const keys = program
    .command('keys')
    .description('put everything under new keys, and say when the former ones may go');
  keys
    .command('status')
    .option('--json', 'print as JSON')
    .description('say what stands under a former key; ends with 3 while something needs one')
    .addHelpText('after', helpText('keys status', 'Reads only.'))
    .action(status);
  keys
    .command('rotate')
    .option(
      '--now',
      'do not wait for what expires by itself (codes, repeated requests, messages in queues), and end recovery codes of the former key',
    )
    .option('--json', 'print as JSON')
    .description(
      'put what stands under NIMO_MASTER_KEY_FORMER and NIMO_HMAC_KEY_FORMER under the present keys',
    )
    .addHelpText(
      'after',
      helpText(
        'keys rotate',
        `Set the new key, the one of before as ..._FORMER, and start every process anew first; docs/operations.md has the steps.
Nimo goes on meanwhile. It may be interrupted or killed at any moment: the same command goes on. It looks through the
log from where it was last time, so that a second run is short. Ends with 3 while something still needs a former key.`,
      ),
    )
    .action(rotate);
}

async function status(flags: JsonFlag): Promise<void> {
  await interruptible(() =>
    inSession(async ({ container }) => {
      const standings = await container.get(KeyRotation, { strict: false }).status();
      printResult(standings, flags, () => standings.map(described).join('\n'));
      if (standings.some(({ isFormerFree }) => !isFormerFree)) process.exitCode = EXIT.different;
    }),
  );
}

async function rotate(flags: RotateFlags): Promise<void> {
  await interruptible((signal) =>
    inSession(async ({ container, runtime }) => {
      const { masterKeyFormer, hmacKeyFormer } = runtime.settings;
      if (!masterKeyFormer && !hmacKeyFormer)
        throw new UsageError(
          'There is no former key: set NIMO_MASTER_KEY_FORMER or NIMO_HMAC_KEY_FORMER to the key of before.',
        );
      const context = operatorContext(operatorName(runtime.settings));
      const rotation = container.get(KeyRotation, { strict: false });
      const progress = new ProgressLine();
      const rotated = await rotation
        .rotate(context, {
          isNow: flags.now === true,
          signal,
          onProgress: (word, done) => progress.show(() => `${grouped(done)} ${word}`),
        })
        .catch((error: unknown) => {
          if (!(error instanceof ClaimsUnfitError)) throw error;
          throw new UsageError(
            'NIMO_HMAC_KEY_FORMER is not the key that claims were made by: none of the first ones is found under it. Nothing was changed.',
          );
        });
      const standings = await rotation.status();
      progress.clear();
      printResult({ ...rotated, standings }, flags, () =>
        [...done(rotated), ...standings.map(described)].join('\n'),
      );
      if (standings.some(({ needing }) => Object.values(needing).some((n) => n > 0)))
        process.exitCode = EXIT.different;
    }),
  );
}

function* done({ keys, sealed, claims, recoveryCodesEnded }: Rotated): Generator<string> {
  if (keys)
    yield `Keys of students wrapped anew: ${grouped(keys.former)} of ${grouped(keys.looked)}.${unreadable(keys.unreadable)}`;
  if (sealed)
    yield `Sealed rows sealed anew: ${grouped(sealed.former)} of ${grouped(sealed.looked)}.${unreadable(sealed.unreadable)}`;
  if (claims) yield claimsDone(claims);
  if (recoveryCodesEnded > 0)
    yield `Recovery codes ended: ${grouped(recoveryCodesEnded)}. Their owners make new ones under Sign-in and security.`;
}

const unreadable = (count: number): string =>
  count === 0 ? '' : ` ${grouped(count)} open with neither key, as before.`;

function claimsDone({ claimed, there, 'under way': underWay, taken, unfit }: ClaimCounts): string {
  const rest = [
    underWay > 0 && `${grouped(underWay)} are being made: run it again in ten minutes.`,
    taken > 0 && `${grouped(taken)} are held by somebody else under the new key.`,
    unfit > 0 && `${grouped(unfit)} were found under neither key.`,
  ].filter((line) => line !== false);
  return [`Claims made anew: ${grouped(claimed)}; ${grouped(there)} were there.`, ...rest].join(' ');
}

function described({ setting, isFormerSet, needing, formerMayGoAt, isFormerFree }: KeyStanding): string {
  if (!isFormerSet) return `${setting}: no former key is set.`;
  const open = Object.entries(needing).filter(([, count]) => count > 0);
  if (open.length > 0)
    return `${setting}_FORMER is needed: ${open.map(([what, count]) => `${grouped(count)} ${WORDS[what] ?? what}`).join(', ')}.`;
  if (isFormerFree) return `${setting}_FORMER may go: unset it and start every process anew.`;
  return formerMayGoAt === null
    ? `${setting}_FORMER is needed until nimo keys rotate was run once more.`
    : `${setting}_FORMER may go at ${formerMayGoAt}, when what expires by itself is over (or now, with nimo keys rotate --now).`;
}

const WORDS: Readonly<Record<string, string>> = {
  claims: 'claims',
  keysOfStudents: 'keys of students',
  sealedRows: 'sealed rows',
  recoveryCodes: 'recovery codes (used up, made anew by their owners, or ended with nimo keys rotate --now)',
};
