import { Command, type OutputConfiguration } from 'commander';
import { beginningCommands } from './commands/beginnings.js';
import { backupCommands } from './commands/backup.js';
import { databaseCommands } from './commands/database.js';
import { logCommands } from './commands/log.js';
import { projectionCommands } from './commands/projections.js';
import { roleCommands } from './commands/roles.js';
import { scoring } from './commands/scoring.js';
import { spaceCommands } from './commands/spaces.js';
import { studentCommands } from './commands/students.js';
import { subjectCommands } from './commands/subjects.js';
import { topicCommands } from './commands/topics.js';

/** Every command of `npm run nimo`; `output` is where help and complaints about the usage go. */
export function nimoProgram(output: OutputConfiguration = {}): Command {
  const program = new Command('nimo')
    .usage('<command>')
    .description('Nimo from the command line. It works beside a running Nimo and without one.')
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
  backupCommands(program);
  databaseCommands(program);
  logCommands(program);
  projectionCommands(program);
  scoring(program);
  return program.helpCommand(false);
}

const HELP = `
Every command tells more, with an example and its exit codes:
  npm run nimo -- space add --help`;
