import type { Command } from 'commander';
import { backUp } from '../backup/back-up.js';
import { restore } from '../backup/restore.js';
import { helpText } from '../failure.js';

const JSON_FLAG = ['--json', 'print the result as one JSON document'] as const;

/** The whole installation into a folder and back, with nothing but Nimo. */
export function backupCommands(program: Command): void {
  program
    .command('backup')
    .requiredOption(
      '--to <folder>',
      'a new folder, best on another disk; with --every the one that holds them all',
    )
    .option('--every <hours>', 'go on, with one in so many hours')
    .option('--keep <number>', 'with --every, remove all but so many; 14 unless given')
    .option(...JSON_FLAG)
    .description('save log, state, pictures and signed heads into a folder, as they are at one moment')
    .addHelpText(
      'after',
      helpText(
        ['backup --to /backup/nimo-2026-11-21', 'backup --to /backup --every 24 --keep 14'],
        BACKUP_HELP,
      ),
    )
    .action(backUp);
  program
    .command('restore')
    .requiredOption('--from <folder>', 'made by: nimo backup')
    .option('--dry-run', 'check the back-up, say what would be done, and do nothing')
    .option('--yes', 'do not ask')
    .option(...JSON_FLAG)
    .description('bring a back-up into a new database, do erasures again, fold and verify')
    .addHelpText('after', helpText('restore --from /backup/nimo-2026-11-21 --yes', RESTORE_HELP))
    .action(restore);
}

const BACKUP_HELP = `Each file is read again before it is called done. With --every it goes on until it is stopped (a service, or a container), tries
again after ten minutes where one fails, and removes the oldest only after a new one was made.
With NIMO_BACKUP_KEY set every file is encrypted (AES-256-GCM); without that key nobody can restore it.

Nimo goes on meanwhile. The read side is left out, since it is folded from the log, and so are waiting jobs and the
keys: keep those in another place. Where the log is with EventStoreDB or the pictures with S3, those are saved there.`;

const RESTORE_HELP = `It says what it will do, and asks. Where it was ended half-way, the same command goes on, and Nimo does not start before.
Set the same keys first (NIMO_BACKUP_KEY among them where it is encrypted), and have nothing running on the new database. Every file is checked before anything is
written. Erasures that the log tells of are done again before anything is folded, and those in NIMO_TOMBSTONES after that:
bring that file along. Ends with 3 where the log does not fit
its chain or the signed heads.`;
