import process from 'node:process';
import { Command, CommanderError } from 'commander';
import { logCommands } from './cli/commands/log.js';
import { roleCommands } from './cli/commands/roles.js';
import { spaceCommands } from './cli/commands/spaces.js';
import { studentCommands } from './cli/commands/students.js';
import { subjectCommands } from './cli/commands/subjects.js';
import { topicCommands } from './cli/commands/topics.js';
import { projectionCommands } from './cli/commands/projections.js';
import { scoring } from './cli/commands/scoring.js';
import { EXIT } from './cli/exit-codes.js';
import { exitCodeOf, failureOf } from './cli/failure.js';
import { importDump } from './cli/import.command.js';
import { seedDemo } from './cli/seed-demo.command.js';

const program = new Command('nimo')
  .description('Nimo from the command line. It works beside a running Nimo and without one.')
  .exitOverride()
  .showHelpAfterError('(nimo --help shows what there is)');

program
  .command('import')
  .description('bring in another community')
  .command('stackexchange')
  .argument('<folder>', 'with Users.xml, Posts.xml, Comments.xml and Votes.xml')
  .requiredOption('--space <name>', 'the new space that it comes into')
  .option('--json', 'print what came in and what did not as JSON')
  .description('read a Stack Exchange data dump into a space')
  .addHelpText(
    'after',
    `
Users become students without a phone, tags become topics under one subject, and all posts, comments, votes,
accepted answers and bookmarks keep their dates. It may be interrupted (Ctrl-C, or worse): the same command
goes on where it was and doubles nothing.

Exit codes: 0 imported, 1 failed, 2 wrong usage, 130 interrupted.

Example:
  npm run nimo -- import stackexchange ~/french.meta.stackexchange.com --space "French"`,
  )
  .action(importDump);

program
  .command('seed-demo')
  .description('make the demonstration spaces with their people and questions, and print the log-ins')
  .addHelpText('after', '\nRepeating it doubles nothing. Refused in production, as the passwords are public.')
  .action(seedDemo);

logCommands(program);
roleCommands(program);
spaceCommands(program);
subjectCommands(program);
topicCommands(program);
studentCommands(program);
projectionCommands(program);
scoring(program);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
  else {
    process.stderr.write(`nimo: ${failureOf(error)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}
