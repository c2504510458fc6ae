import process from 'node:process';
import { Command, Option, type OutputConfiguration } from 'commander';
import { registry } from '../platform/config/registry.js';
import { PRODUCT_VERSION } from '../platform/config/version.js';
import { setupCommands } from './commands/import-commands.js';
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

/** The `nimo` command with all subcommands. @param output receives help and usage errors */
export function nimoProgram(output: OutputConfiguration = {}): Command {
  const program = new Command('nimo')
    .usage('<command>')
    .description('Manage Nimo from the command line, whether or not it is running.')
    .version(PRODUCT_VERSION, '--version', 'print the version')
    // `scoring show` has a `--version` option of its own.
    .enablePositionalOptions()
    .addOption(operatorOption())
    .hook('preAction', (_, command) => applyOperatorOption(command.optsWithGlobals()))
    .exitOverride()
    .configureOutput(output)
    .showHelpAfterError('(run nimo --help for all commands)')
    .addHelpText('after', HELP);
  program.commandsGroup('Getting started:');
  setupCommands(program);
  program.commandsGroup('Spaces and people:');
  spaceCommands(program);
  subjectCommands(program);
  topicCommands(program);
  studentCommands(program);
  roleCommands(program);
  program.commandsGroup('Operations:');
  doctorCommand(program);
  backupCommands(program);
  databaseCommands(program);
  logCommands(program);
  keyCommands(program);
  projectionCommands(program);
  scoring(program);
  acceptOperatorOption(program.commands);
  return program.helpCommand(false);
}

const operatorOption = (): Option =>
  new Option('--operator <name>', 'your name for the audit log (default: NIMO_OPERATOR or your user name)');

/** Accepts the option after the command as well. */
function acceptOperatorOption(commands: readonly Command[]): void {
  for (const command of commands) {
    command.addOption(operatorOption().hideHelp());
    acceptOperatorOption(command.commands);
  }
}

/** Overrides the setting, and is validated with it. */
function applyOperatorOption({ operator }: { readonly operator?: string }): void {
  if (operator === undefined) return;
  if (operator.trim() === '') throw new UsageError('--operator must not be empty.');
  process.env[registry.operator.env] = operator;
}

const HELP = `
Run a command with --help for its options, exit codes and an example:
  npm run nimo -- space add --help`;
