import { InvalidArgumentError, type Command } from 'commander';
import { findManagedSpace, listManagedSpaces, type ManagedSpaceView } from '@nimo/projections';
import { ChangeSpace } from '../../features/spaces/commands/change-space.js';
import { CreateSpace } from '../../features/spaces/commands/create-space.js';
import { EXIT_CODES_HELP } from '../exit-codes.js';
import { spaceNamed } from '../named-things.js';
import { asOperator, type OperatorSession } from '../operator-session.js';
import { printDone, printResult, type JsonFlag } from '../print-result.js';
import { textTable } from '../text-table.js';

const DEFAULT_COLOR = '2563eb';

/** `#` may stand before it and need not. */
export function colorOf(text: string): string {
  const color = text.replace(/^#/, '');
  if (!/^[0-9a-f]{6}$/i.test(color)) throw new InvalidArgumentError('A colour is six hexadecimal digits.');
  return color.toLowerCase();
}

interface AddFlags extends JsonFlag {
  readonly description: string;
  readonly color: string;
  readonly hidden?: true;
}
interface ChangeFlags extends JsonFlag {
  readonly name?: string;
  readonly description?: string;
  readonly color?: string;
  readonly hidden?: boolean;
  readonly banner?: false;
}

export function spaceCommands(program: Command): void {
  const space = program.command('space').description('list spaces, make and change them');
  space
    .command('list')
    .option('--json', 'print as JSON')
    .description('all spaces with what is in them')
    .addHelpText('after', help('space list --json'))
    .action((flags: JsonFlag) =>
      asOperator(async ({ pool }) => {
        const spaces = await listManagedSpaces(pool);
        printResult(spaces, flags, () => tableOf(spaces));
      }),
    );
  space
    .command('add')
    .argument('<name>', 'of the new space')
    .option('--description <text>', 'what it is for', '')
    .option('--color <hex>', 'six hexadecimal digits', colorOf, DEFAULT_COLOR)
    .option('--hidden', 'ask search engines to pass by')
    .option('--json', 'print as JSON')
    .description('make a space; students join it from the page of spaces')
    .addHelpText('after', help('space add "Greenfield High" --color 0f766e'))
    .action((name: string, { description, color, hidden, ...flags }: AddFlags) =>
      asOperator(async (session) => {
        const details = {
          name,
          description,
          color,
          hiddenFromSearchEngines: hidden ?? false,
          bannerImageUrl: null,
        };
        const spaceId = await session.execute(new CreateSpace(session.context(), details));
        await show(session, spaceId, flags);
      }),
    );
  space
    .command('change')
    .argument('<space>', 'name or id')
    .option('--name <name>', 'the new name')
    .option('--description <text>', 'what it is for')
    .option('--color <hex>', 'six hexadecimal digits', colorOf)
    .option('--hidden', 'ask search engines to pass by')
    .option('--no-hidden', 'let search engines find it')
    .option('--no-banner', 'take the picture off')
    .option('--json', 'print as JSON')
    .description('change a space; what is left out stays')
    .addHelpText('after', help('space change "Greenfield High" --name "Greenfield" --hidden'))
    .action((name: string, flags: ChangeFlags) =>
      asOperator(async (session) => {
        const { _id } = await spaceNamed(session, name);
        await session.execute(new ChangeSpace(session.context(), _id, { change: changeOf(flags) }));
        await show(session, _id, flags);
      }),
    );
}

const changeOf = ({ name, description, color, hidden, banner }: ChangeFlags) => ({
  ...(name !== undefined && { name }),
  ...(description !== undefined && { description }),
  ...(color !== undefined && { color }),
  ...(hidden !== undefined && { hiddenFromSearchEngines: hidden }),
  ...(banner === false && { bannerImageUrl: null }),
});

async function show({ pool }: OperatorSession, spaceId: string, flags: JsonFlag): Promise<void> {
  printDone(spaceId, await findManagedSpace(pool, spaceId), flags, (space) => tableOf([space]));
}

const tableOf = (spaces: readonly ManagedSpaceView[]): string =>
  textTable(
    [
      ['space', 'id', 'colour', 'search engines', 'members', 'subjects', 'topics'],
      ...spaces.map((space) => [
        space.name,
        space._id,
        space.color,
        space.hiddenFromSearchEngines ? 'hidden' : 'found',
        String(space.memberCount),
        String(space.subjectCount),
        String(space.topicCount),
      ]),
    ],
    [0, 1, 2, 3],
  );

const help = (example: string): string => `\n${EXIT_CODES_HELP}\n\nExample:\n  npm run nimo -- ${example}`;
