import { InvalidArgumentError, type Command } from 'commander';
import { helpText } from '../failure.js';
import { cancel, rebuild, retry, switchTo } from '../projections/maintenance-commands.js';
import { skip } from '../projections/skip.js';
import { list, status } from '../projections/status.js';
import { verify } from '../projections/verify.js';

const JSON_FLAG = ['--json', 'print the result as JSON'] as const;
const NAME = ['<name>', 'projection, as shown by projections list'] as const;
const NAMES = ['<name...>', 'projections, or "all"'] as const;

function generationArgument(text: string): number {
  const generation = Number(text);
  if (!Number.isSafeInteger(generation) || generation < 1)
    throw new InvalidArgumentError('The generation must be a whole number from 1.');
  return generation;
}

/** Status and maintenance of the projections. */
export function projectionCommands(program: Command): void {
  const projections = program
    .command('projections')
    .description('show, rebuild, switch and verify projections');

  projections
    .command('list')
    .option(...JSON_FLAG)
    .description('list all projections and their purpose')
    .addHelpText('after', helpText('projections list', 'Changes nothing.'))
    .action(list);

  projections
    .command('status')
    .argument('[name...]', 'only these projections')
    .option('--watch', 'refresh until Ctrl-C')
    .option(...JSON_FLAG)
    .description('show lag, rate, errors, rebuilds and generations')
    .addHelpText(
      'after',
      helpText(
        'projections status --watch',
        `Lag is shown as a number of events and as the age of the oldest event not yet applied. Exits with 3 while a projection is
stopped at an event or ahead of the log.`,
      ),
    )
    .action(status);

  projections
    .command('rebuild')
    .argument(...NAMES)
    .option('--hold', 'build the new generation and keep it up to date, but do not switch to it')
    .option('--wait', 'show progress until the rebuild is done; also works without a running worker')
    .option(...JSON_FLAG)
    .description('build a new generation from the log and switch to it')
    .addHelpText(
      'after',
      helpText(
        'projections rebuild leaderboard --wait',
        `Without downtime: the live generation serves reads until the new one has caught up, and is kept for a switch back. A
rebuild that is already running continues. Without --wait the workers do it; with --wait, Ctrl-C stops waiting but not the
rebuild.`,
      ),
    )
    .action(rebuild);

  projections
    .command('cancel')
    .argument(...NAME)
    .option(...JSON_FLAG)
    .description('cancel a rebuild, or a verification if none is running')
    .addHelpText(
      'after',
      helpText(
        'projections cancel search',
        'Drops the unfinished generation. Cancelling a switch back keeps the retired generation.',
      ),
    )
    .action(cancel);

  projections
    .command('switch')
    .argument('[name]', 'projection, as shown by projections list; or --all')
    .argument(
      '[generation]',
      'target generation (default: the held one, otherwise the retired one)',
      generationArgument,
    )
    .option('--all', 'switch every projection whose held generation is ready')
    .option('--wait', 'wait until the generation is live')
    .option(...JSON_FLAG)
    .description('switch to a held generation, or back to the retired one')
    .addHelpText(
      'after',
      helpText(
        ['projections switch leaderboard 3', 'projections switch --all --wait'],
        `The retired generation catches up before the switch. --all names every projection, and why it was not switched. It exits
with 1 if one that was ready could not be switched.`,
      ),
    )
    .action(switchTo);

  projections
    .command('verify')
    .argument(...NAMES)
    .option(...JSON_FLAG)
    .description('replay the log into a separate copy and compare it with the live generation')
    .addHelpText(
      'after',
      helpText('projections verify all', 'Exits with 3 if a projection differs from the log.'),
    )
    .action(verify);

  projections
    .command('retry')
    .argument(...NAME)
    .option(...JSON_FLAG)
    .description('retry the event the projection stopped at')
    .addHelpText(
      'after',
      helpText('projections retry search', 'Use it after you have fixed the code or the database.'),
    )
    .action(retry);

  projections
    .command('skip')
    .argument('[name]', 'projection, as shown by projections list; or --all')
    .requiredOption('--reason <text>', 'reason, recorded in the log')
    .option('--all', 'skip the event in every projection that is stopped at it')
    .option('--event <id>', 'only skip this event')
    .option('--yes', 'skip the confirmation prompt')
    .option(...JSON_FLAG)
    .description('permanently skip the event the projection stopped at')
    .addHelpText(
      'after',
      helpText(
        [
          'projections skip search --reason "Written by the bug of May" --yes',
          'projections skip --all --reason "Written by the bug of May"',
        ],
        `Shows the event first, without personal data. Rebuilds skip it as well, until the projection has a new version. --all needs
--event if projections are stopped at several events.`,
      ),
    )
    .action(skip);
}
