import type { Command } from 'commander';
import { backUp } from '../backup/back-up.js';
import { restore } from '../backup/restore.js';
import { EXIT_CODES_HELP } from '../exit-codes.js';

const JSON_FLAG = ['--json', 'print the result as one JSON document'] as const;

/** The whole installation into a folder and back, with nothing but Nimo. */
export function backupCommands(program: Command): void {
  program
    .command('backup')
    .requiredOption('--to <folder>', 'a new folder, best on another disk')
    .option(...JSON_FLAG)
    .description('save log, state, pictures and signed heads into a folder, as they are at one moment')
    .addHelpText('after', BACKUP_HELP)
    .action(backUp);
  program
    .command('restore')
    .requiredOption('--from <folder>', 'made by: nimo backup')
    .option('--yes', 'do not ask')
    .option(...JSON_FLAG)
    .description('bring a back-up into a new database, do erasures again, fold and verify')
    .addHelpText('after', RESTORE_HELP)
    .action(restore);
}

const BACKUP_HELP = `
With NIMO_BACKUP_KEY set every file is encrypted (AES-256-GCM); without that key nobody can restore it.

Nimo goes on meanwhile. The read side is left out, since it is folded from the log, and so are waiting jobs and the
keys: keep those in another place. Where the log is with EventStoreDB or the pictures with S3, those are saved there.

${EXIT_CODES_HELP}

Example:
  npm run nimo -- backup --to /backup/nimo-2026-11-21`;

const RESTORE_HELP = `
Set the same keys first (NIMO_BACKUP_KEY among them where it is encrypted), and have nothing running on the new database. Every file is checked before anything is
written. Erasures that the log tells of are done again before anything is folded. Ends with 3 where the log does not fit
its chain or the signed heads.

${EXIT_CODES_HELP}

Example:
  npm run nimo -- restore --from /backup/nimo-2026-11-21 --yes`;
