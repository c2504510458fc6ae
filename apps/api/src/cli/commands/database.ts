import type { Command } from 'commander';
import { prepareDatabase } from '../../platform/database/migrate.js';
import { loadSettings } from '../../platform/config/load-settings.js';
import { openDatabase } from '../../platform/database/open-database.js';
import { EXIT_CODES_HELP } from '../failure.js';
import { printResult } from '../output.js';

/** Commands that only the owner of the database may run. */
export function databaseCommands(program: Command): void {
  program
    .command('database')
    .description('prepare the database')
    .command('prepare')
    .description(
      'migrate the schema and the database roles to this version, as the owner (DATABASE_OWNER_URL)',
    )
    .addHelpText('after', PREPARE_HELP)
    .action(prepare);
}

const PREPARE_HELP = `
Creates the roles nimo_api and nimo_worker if needed and grants each only the privileges it needs. Neither can change or
delete an event. Run it before you start processes of a new version without DATABASE_OWNER_URL. Safe to repeat.

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
      () => 'The schema is up to date, and nimo_api and nimo_worker have their privileges.',
    );
  } finally {
    await database.close();
  }
}
