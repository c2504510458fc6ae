import process from 'node:process';
import { Command, Option, type OutputConfiguration } from 'commander';
import { registry } from '../platform/config/registry.js';
import { PRODUCT_VERSION } from '../platform/config/version.js';
import { beginningCommands } from './commands/import-commands.js';
import { backupCommands } from './commands/backup.js';
import { databaseCommands } from './commands/database.js';
import { doctorCommand } from './commands/doctor.js';
import { keyCommands } from './commands/keys.js';
import { logCommands } from './commands/log.js';
import { projectionCommands } from './commands/projections.js';
import { roleCommands } from './commands/roles.js';
import { scoring } from './commands/scoring.js';
import { spaceCommands } from './commands/spaces.js';
import { studentCommands } from './commands/students.js';
import { subjectCommands } from './commands/subjects.js';
import { topicCommands } from './commands/topics.js';
import { UsageError } from './failure.js';

/** Every command of `npm run nimo`; `output` is where help and complaints about the usage go. */
export function nimoProgram(output: OutputConfiguration = {}): Command {
  const program = new Command('nimo')
    .usage('<command>')
    .description('Nimo from the command line. It works beside a running Nimo and without one.')
    .version(PRODUCT_VERSION, '--version', 'print the version')
    // `--version` after a command is that command's own.
    .enablePositionalOptions()
    .addOption(operatorOption())
    .hook('preAction', (_, command) => nameOperator(command.optsWithGlobals()))
    .exitOverride()
    .configureOutput(output)
    .showHelpAfterError('(nimo --help shows what there is)')
    .addHelpText('after', HELP);
  program.commandsGroup('To begin with:');
  beginningCommands(program);
  program.commandsGroup('Spaces and people:');
  spaceCommands(program);
  subjectCommands(program);
  topicCommands(program);
  studentCommands(program);
  roleCommands(program);
  program.commandsGroup('The machinery:');
  doctorCommand(program);
  backupCommands(program);
  databaseCommands(program);
  logCommands(program);
  keyCommands(program);
  projectionCommands(program);
  scoring(program);
  takeOperator(program.commands);
  return program.helpCommand(false);
}

const operatorOption = (): Option =>
  new Option('--operator <name>', 'who you are, for the log; otherwise NIMO_OPERATOR, or your user name');

/** It may be said before and after the name of a command. */
function takeOperator(commands: readonly Command[]): void {
  for (const command of commands) {
    command.addOption(operatorOption().hideHelp());
    takeOperator(command.commands);
  }
}

/** What is said to one command goes before the setting, and is judged with it. */
function nameOperator({ operator }: { readonly operator?: string }): void {
  if (operator === undefined) return;
  if (operator.trim() === '') throw new UsageError('--operator needs a name.');
  process.env[registry.operator.env] = operator;
}

const HELP = `
Every command tells more, with an example and its exit codes:
  npm run nimo -- space add --help`;
