import { InvalidArgumentError, type Command } from 'commander';
import { helpText } from '../failure.js';
import { cancel, rebuild, retry, skip, switchTo } from '../projections/maintenance-commands.js';
import { list, status } from '../projections/status.js';
import { verify } from '../projections/verify.js';

const JSON_FLAG = ['--json', 'print the result as one JSON document'] as const;
const NAME = ['<name>', 'a projection, as projections list shows them'] as const;
const NAMES = ['<name...>', 'projections, or: all'] as const;

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
    .addHelpText('after', helpText('projections list', 'Changes nothing.'))
    .action(list);

  projections
    .command('status')
    .argument('[name...]', 'only these')
    .option('--watch', 'go on until Ctrl-C')
    .option(...JSON_FLAG)
    .description('show lag, rate, errors, rebuilds and generations')
    .addHelpText(
      'after',
      helpText(
        'projections status --watch',
        'The lag is told in events and as the age of the oldest event not applied.',
      ),
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
      helpText(
        'projections rebuild leaderboard --wait',
        `Readers notice nothing: the live generation serves until the new one has caught up, and stays for a way back. A
rebuild under way goes on. Without --wait the workers do it; with it, Ctrl-C ends the waiting and not the rebuild.`,
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
      helpText(
        'projections cancel search',
        'What was built so far is dropped; a way back leaves the former generation.',
      ),
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
    .addHelpText(
      'after',
      helpText('projections switch leaderboard 3', 'A former generation catches up first.'),
    )
    .action(switchTo);

  projections
    .command('verify')
    .argument(...NAMES)
    .option(...JSON_FLAG)
    .description('fold the log into a third place and compare it with what serves')
    .addHelpText('after', helpText('projections verify all', 'Ends with 3 where one is not as the log says.'))
    .action(verify);

  projections
    .command('retry')
    .argument(...NAME)
    .option(...JSON_FLAG)
    .description('try the event again at which it stopped')
    .addHelpText(
      'after',
      helpText('projections retry search', 'For when the code or the database was repaired.'),
    )
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
      helpText(
        'projections skip search --reason "Made by a fault of May" --yes',
        'It is left out in rebuilds as well, until the code has a new version.',
      ),
    )
    .action(skip);
}
