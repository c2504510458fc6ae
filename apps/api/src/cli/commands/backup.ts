import type { Command } from 'commander';
import { backUp } from '../backup/save.js';
import { restore } from '../backup/restore.js';
import { helpText } from '../failure.js';

const JSON_FLAG = ['--json', 'print the result as JSON'] as const;

/** Saves the installation to a folder and restores it. */
export function backupCommands(program: Command): void {
  program
    .command('backup')
    .requiredOption(
      '--to <folder>',
      'new folder, preferably on another disk; with --every, the folder that holds all backups',
    )
    .option('--every <hours>', 'keep running and make a backup at this interval')
    .option('--keep <number>', 'with --every, number of backups to keep (default: 14)')
    .option(...JSON_FLAG)
    .description('save a consistent copy of the log, state, pictures and signed heads')
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
    .requiredOption('--from <folder>', 'backup made by nimo backup')
    .option('--dry-run', 'check the backup and show what would be restored')
    .option('--yes', 'skip the confirmation prompt')
    .option(...JSON_FLAG)
    .description(
      'restore a backup into a new database, repeat erasures, rebuild projections and verify the log',
    )
    .addHelpText('after', helpText('restore --from /backup/nimo-2026-11-21 --yes', RESTORE_HELP))
    .action(restore);
}

const BACKUP_HELP = `Nimo keeps running during a backup, and every file is read back before the backup counts as complete.
With NIMO_BACKUP_KEY set, every file is encrypted (AES-256-GCM) and cannot be restored without that key.
With --every, the command runs until it is stopped (as a service or container), retries ten minutes after a failure, and
removes the oldest backup only after a new one is complete.

Not included: projections, which are rebuilt from the log; queued jobs; and the keys, which you must keep elsewhere.
If the log is in EventStoreDB or the pictures are in S3, back them up there.`;

const RESTORE_HELP = `Before you start, set the same keys (and NIMO_BACKUP_KEY if the backup is encrypted), and stop everything that uses the
new database. The command checks every file, shows what it will do and asks for confirmation. If it is interrupted, run it
again: it resumes, and Nimo does not start until it is done.

Erasures recorded in the log are repeated before projections are rebuilt. Those in NIMO_TOMBSTONES follow, so copy that
file too. Exits with 3 if the log does not match its chain or the signed heads.`;
