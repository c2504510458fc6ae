import { InvalidArgumentError, type Command } from 'commander';
import { EXIT_CODES_HELP } from '../failure.js';
import { cancel, rebuild, retry, skip, switchTo } from '../projections/maintenance-commands.js';
import { list, status } from '../projections/status.js';
import { verify } from '../projections/verify.js';

const JSON_FLAG = ['--json', 'print the result as one JSON document'] as const;
const NAME = ['<name>', 'a projection, as projections list shows them'] as const;
const NAMES = ['<name...>', 'projections, or: all'] as const;

const help = (text: string, example: string): string =>
  `\n${text}\n\n${EXIT_CODES_HELP}\n\nExample:\n  npm run nimo -- projections ${example}`;

function generationArgument(text: string): number {
  const generation = Number(text);
  if (!Number.isSafeInteger(generation) || generation < 1)
    throw new InvalidArgumentError('A generation is a number from 1.');
  return generation;
}

/** The read side: how its projections stand, and what a maintainer does to them. */
export function projectionCommands(program: Command): void {
  const projections = program
    .command('projections')
    .description('show, rebuild, switch and verify what is read');

  projections
    .command('list')
    .option(...JSON_FLAG)
    .description('name every projection and what it is for')
    .addHelpText('after', help('Changes nothing.', 'list'))
    .action(list);

  projections
    .command('status')
    .argument('[name...]', 'only these')
    .option('--watch', 'go on until Ctrl-C')
    .option(...JSON_FLAG)
    .description('show lag, rate, errors, rebuilds and generations')
    .addHelpText(
      'after',
      help('The lag is told in events and as the age of the oldest event not applied.', 'status --watch'),
    )
    .action(status);

  projections
    .command('rebuild')
    .argument(...NAMES)
    .option('--hold', 'build it and keep it up to date, but leave the switch to: projections switch')
    .option('--wait', 'stay until it is done, with progress; works where no worker runs, too')
    .option(...JSON_FLAG)
    .description('build anew beside the one that serves, and switch over')
    .addHelpText(
      'after',
      help(
        `Readers notice nothing: the live generation serves until the new one has caught up, and stays for a way back. A
rebuild under way goes on. Without --wait the workers do it; with it, Ctrl-C ends the waiting and not the rebuild.`,
        'rebuild leaderboard --wait',
      ),
    )
    .action(rebuild);

  projections
    .command('cancel')
    .argument(...NAME)
    .option(...JSON_FLAG)
    .description('end a rebuild, or else a verification')
    .addHelpText(
      'after',
      help('What was built so far is dropped; a way back leaves the former generation.', 'cancel search'),
    )
    .action(cancel);

  projections
    .command('switch')
    .argument(...NAME)
    .argument(
      '[generation]',
      'which; left out: the one that is held, otherwise the former one',
      generationArgument,
    )
    .option('--wait', 'stay until it serves')
    .option(...JSON_FLAG)
    .description('let a held generation serve, or the former one again')
    .addHelpText('after', help('A former generation catches up first.', 'switch leaderboard 3'))
    .action(switchTo);

  projections
    .command('verify')
    .argument(...NAMES)
    .option(...JSON_FLAG)
    .description('fold the log into a third place and compare it with what serves')
    .addHelpText('after', help('Ends with 3 where one is not as the log says.', 'verify all'))
    .action(verify);

  projections
    .command('retry')
    .argument(...NAME)
    .option(...JSON_FLAG)
    .description('try the event again at which it stopped')
    .addHelpText('after', help('For when the code or the database was repaired.', 'retry search'))
    .action(retry);

  projections
    .command('skip')
    .argument(...NAME)
    .requiredOption('--reason <text>', 'why; it is kept')
    .option('--event <id>', 'the event that is meant; another one is not skipped')
    .option('--yes', 'do not ask')
    .option(...JSON_FLAG)
    .description('leave out, for good, the event at which it stopped')
    .addHelpText(
      'after',
      help(
        'It is left out in rebuilds as well, until the code has a new version.',
        'skip search --reason "Made by a fault of May" --yes',
      ),
    )
    .action(skip);
}
