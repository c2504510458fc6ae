import type { SpaceEntry } from '@nimo/domain';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { findManagedSpace, listManagedSpaces, type ManagedSpaceView } from '@nimo/projections';
import { ChangeSpace, CreateSpace } from '../../features/spaces/commands/manage-space.js';
import { helpText, UsageError } from '../failure.js';
import { exportSpace } from '../export-space.js';
import { spaceNamed } from '../lookup.js';
import { asOperator, type OperatorSession } from '../cli-session.js';
import { type JsonFlag, printDone, printResult, textTable } from '../output.js';

const DEFAULT_COLOR = '2563eb';

/** `#` may stand before it and need not. */
export function colorOf(text: string): string {
  const color = text.replace(/^#/, '');
  if (!/^[0-9a-f]{6}$/i.test(color))
    throw new InvalidArgumentError('Enter the colour as six hexadecimal digits.');
  return color.toLowerCase();
}

type EntryWord = 'open' | 'request' | 'invitation';
const ENTRIES: Readonly<Record<EntryWord, SpaceEntry>> = {
  open: 'OPEN',
  request: 'REQUEST',
  invitation: 'INVITATION',
};
const WORDS: Readonly<Record<SpaceEntry, string>> = {
  OPEN: 'open',
  REQUEST: 'request',
  INVITATION: 'invitation',
  IMPORTING: 'nobody (importing)',
};
const entryOption = () => new Option('--entry <way>', 'how students join it').choices(Object.keys(ENTRIES));

/** @throws InvalidArgumentError where it is no whole number; the domain says which ages there are */
function ageOf(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new InvalidArgumentError('An age is a whole number of years.');
  return Number(text);
}
const consentAgeOption = () =>
  new Option(
    '--consent-age <years>',
    'who is younger joins with the consent of a parent or guardian',
  ).argParser(ageOf);

interface AddFlags extends JsonFlag {
  readonly description: string;
  readonly color: string;
  readonly hidden?: true;
  readonly entry: EntryWord;
  readonly publicPages?: true;
  readonly consentAge?: number;
}
interface ChangeFlags extends JsonFlag {
  readonly name?: string;
  readonly description?: string;
  readonly color?: string;
  readonly hidden?: boolean;
  readonly entry?: EntryWord;
  readonly publicPages?: boolean;
  /** False: nobody is asked any more. */
  readonly consentAge?: number | false;
  readonly banner?: false;
}

export function spaceCommands(program: Command): void {
  const space = program.command('space').description('list spaces, make and change them');
  space
    .command('list')
    .option('--json', 'print as JSON')
    .description('all spaces with what is in them')
    .addHelpText('after', helpText('space list --json'))
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
    .addOption(entryOption().default('open'))
    .option('--public-pages', 'questions can be read without an account, of an open space')
    .addOption(consentAgeOption())
    .option('--json', 'print as JSON')
    .description('make a space; students join it from the page of spaces')
    .addHelpText('after', helpText('space add "Greenfield High" --color 0f766e'))
    .action(
      (name: string, { description, color, hidden, entry, publicPages, consentAge, ...flags }: AddFlags) =>
        asOperator(async (session) => {
          const details = {
            name,
            description,
            color,
            hiddenFromSearchEngines: hidden ?? false,
            bannerImageUrl: null,
            entry: ENTRIES[entry],
            publicPages: publicPages ?? false,
            consentAge: consentAge ?? null,
          };
          requireOpenPages(details);
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
    .addOption(entryOption())
    .option('--public-pages', 'questions can be read without an account, of an open space')
    .option('--no-public-pages', 'questions are read by members alone')
    .addOption(consentAgeOption())
    .option('--no-consent-age', 'nobody is asked how old they are')
    .option('--no-banner', 'take the picture off')
    .option('--json', 'print as JSON')
    .description('change a space; what is left out stays')
    .addHelpText('after', helpText('space change "Greenfield High" --name "Greenfield" --hidden'))
    .action((name: string, flags: ChangeFlags) =>
      asOperator(async (session) => {
        const { _id } = await spaceNamed(session, name);
        const change = changeOf(flags);
        const before = (await findManagedSpace(session.pool, _id))?.entry ?? 'OPEN';
        if (before === 'IMPORTING' && change.entry !== undefined)
          throw new UsageError('The import is not complete: repeat its command, and students can join then.');
        const entry = change.entry ?? before;
        requireOpenPages({ entry, publicPages: change.publicPages ?? false });
        await session.execute(new ChangeSpace(session.context(), _id, { change }));
        await show(session, _id, flags);
      }),
    );
  space
    .command('export')
    .argument('<space>', 'name or id')
    .requiredOption('--to <file>', 'the ZIP that is made; it must not be there yet')
    .option('--json', 'print as JSON')
    .description('write a space into a file that another Nimo can import')
    .addHelpText(
      'after',
      helpText(
        'space export "Greenfield High" --to ~/greenfield.zip',
        `With all that its members see and its scores follow from, pictures included. Who voted and who reported is in it: keep
the file as you keep a backup. The fingerprint proves that a file is this one: hand it over by another way.`,
      ),
    )
    .action(exportSpace);
}

/** Told instead of left out in silence. @throws UsageError */
function requireOpenPages({
  entry,
  publicPages,
}: {
  readonly entry: SpaceEntry;
  readonly publicPages: boolean;
}): void {
  if (publicPages && entry !== 'OPEN')
    throw new UsageError(
      'Only an open space has public pages: leave --public-pages out, or add --entry open.',
    );
}

const changeOf = ({
  name,
  description,
  color,
  hidden,
  entry,
  publicPages,
  consentAge,
  banner,
}: ChangeFlags) => ({
  ...(name !== undefined && { name }),
  ...(description !== undefined && { description }),
  ...(color !== undefined && { color }),
  ...(hidden !== undefined && { hiddenFromSearchEngines: hidden }),
  ...(entry !== undefined && { entry: ENTRIES[entry] }),
  ...(publicPages !== undefined && { publicPages }),
  ...(consentAge !== undefined && { consentAge: consentAge === false ? null : consentAge }),
  ...(banner === false && { bannerImageUrl: null }),
});

async function show({ pool }: OperatorSession, spaceId: string, flags: JsonFlag): Promise<void> {
  printDone(spaceId, await findManagedSpace(pool, spaceId), flags, (space) => tableOf([space]));
}

const tableOf = (spaces: readonly ManagedSpaceView[]): string =>
  textTable(
    [
      [
        'space',
        'id',
        'colour',
        'joined by',
        'public pages',
        'search engines',
        'consent below',
        'members',
        'subjects',
        'topics',
      ],
      ...spaces.map((space) => [
        space.name,
        space._id,
        space.color,
        WORDS[space.entry],
        space.publicPages ? 'yes' : 'no',
        space.hiddenFromSearchEngines ? 'hidden' : 'found',
        space.consentAge === null ? '-' : String(space.consentAge),
        String(space.memberCount),
        String(space.subjectCount),
        String(space.topicCount),
      ]),
    ],
    [0, 1, 2, 3, 4, 5, 6],
  );
