import type { Command } from 'commander';
import { prepareDatabase } from '../../platform/database/migrate.js';
import { loadSettings } from '../../platform/config/load-settings.js';
import { openDatabase } from '../../platform/database/open-database.js';
import { EXIT_CODES_HELP } from '../failure.js';
import { printResult } from '../output.js';

/** What only the owner of the database may do. */
export function databaseCommands(program: Command): void {
  program
    .command('database')
    .description('the database itself')
    .command('prepare')
    .description('bring schema and roles to this version, as the owner (DATABASE_OWNER_URL)')
    .addHelpText('after', PREPARE_HELP)
    .action(prepare);
}

const PREPARE_HELP = `
Makes the roles nimo_api and nimo_worker where there are none yet, and gives each exactly what it needs: neither can change
or delete an event. Run it before processes of a new version that have no DATABASE_OWNER_URL. Repeating it does no harm.

${EXIT_CODES_HELP}

Example:
  DATABASE_OWNER_URL=postgresql://nimo@db/nimo npm run nimo -- database prepare`;

async function prepare(): Promise<void> {
  const database = await openDatabase(loadSettings(), 'owner');
  try {
    const { databaseOwnerUrl, databaseUrl } = database.settings;
    await prepareDatabase(databaseOwnerUrl ?? databaseUrl);
    printResult(
      { isPrepared: true },
      {},
      () => 'The database is at this version; nimo_api and nimo_worker have what they need.',
    );
  } finally {
    await database.close();
  }
}
