import { DomainError, type SpaceEntry } from '@nimo/domain';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { findManagedSpace, listManagedSpaces, type ManagedSpaceView } from '@nimo/projections';
import { confirm } from '../confirm.js';
import {
  ArchiveSpace,
  ChangeSpace,
  CreateSpace,
  RemoveSpace,
} from '../../features/spaces/commands/manage-space.js';
import { helpText, UsageError } from '../failure.js';
import { exportSpace } from '../export-space.js';
import { resolveSpace } from '../lookup.js';
import { asOperator, type OperatorSession } from '../cli-session.js';
import { invitationCommands } from './space-invitations.js';
import { type JsonFlag, printDone, printResult, textTable } from '../output.js';

const DEFAULT_COLOR = '2563eb';

/** Six hexadecimal digits, with or without `#`, in lower case. @throws InvalidArgumentError */
export function parseColor(text: string): string {
  const color = text.replace(/^#/, '');
  if (!/^[0-9a-f]{6}$/i.test(color))
    throw new InvalidArgumentError('Enter the colour as six hexadecimal digits.');
  return color.toLowerCase();
}

type EntryChoice = 'open' | 'request' | 'invitation';
const ENTRIES: Readonly<Record<EntryChoice, SpaceEntry>> = {
  open: 'OPEN',
  request: 'REQUEST',
  invitation: 'INVITATION',
};
const ENTRY_LABELS: Readonly<Record<SpaceEntry, string>> = {
  OPEN: 'open',
  REQUEST: 'request',
  INVITATION: 'invitation',
  IMPORTING: 'closed (importing)',
};
const entryOption = () => new Option('--entry <way>', 'how students join').choices(Object.keys(ENTRIES));

/** The domain checks the range. @throws InvalidArgumentError if it is not a whole number */
function parseAge(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new InvalidArgumentError('The age must be a whole number of years.');
  return Number(text);
}
const consentAgeOption = () =>
  new Option(
    '--consent-age <years>',
    'students below this age need the consent of a parent or guardian',
  ).argParser(parseAge);

interface AddFlags extends JsonFlag {
  readonly description: string;
  readonly color: string;
  readonly hidden?: true;
  readonly entry: EntryChoice;
  readonly publicPages?: true;
  readonly consentAge?: number;
}
interface ChangeFlags extends JsonFlag {
  readonly name?: string;
  readonly description?: string;
  readonly color?: string;
  readonly hidden?: boolean;
  readonly entry?: EntryChoice;
  readonly publicPages?: boolean;
  /** False removes the age check. */
  readonly consentAge?: number | false;
  readonly banner?: false;
}

export function spaceCommands(program: Command): void {
  const space = program
    .command('space')
    .description('list, add, change, archive, delete and export spaces, and manage invitations');
  space
    .command('list')
    .option('--json', 'print the result as JSON')
    .description('list all spaces with their settings and counts')
    .addHelpText('after', helpText('space list --json'))
    .action((flags: JsonFlag) =>
      asOperator(async ({ pool }) => {
        const spaces = await listManagedSpaces(pool);
        printResult(spaces, flags, () => tableOf(spaces));
      }),
    );
  space
    .command('add')
    .argument('<name>', 'name of the new space')
    .option('--description <text>', 'description shown to students', '')
    .option('--color <hex>', 'colour, as six hexadecimal digits', parseColor, DEFAULT_COLOR)
    .option('--hidden', 'ask search engines not to index it')
    .addOption(entryOption().default('open'))
    .option('--public-pages', 'let anyone read its questions without an account (open spaces only)')
    .addOption(consentAgeOption())
    .option('--json', 'print the result as JSON')
    .description('add a space')
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
          assertPublicPagesAllowed(details);
          const spaceId = await session.execute(new CreateSpace(session.context(), details));
          await show(session, spaceId, flags);
        }),
    );
  space
    .command('change')
    .argument('<space>', 'name or ID')
    .option('--name <name>', 'new name')
    .option('--description <text>', 'description shown to students')
    .option('--color <hex>', 'colour, as six hexadecimal digits', parseColor)
    .option('--hidden', 'ask search engines not to index it')
    .option('--no-hidden', 'let search engines index it')
    .addOption(entryOption())
    .option('--public-pages', 'let anyone read its questions without an account (open spaces only)')
    .option('--no-public-pages', 'let only members read its questions')
    .addOption(consentAgeOption())
    .option('--no-consent-age', 'do not ask students for their age')
    .option('--no-banner', 'remove the banner image')
    .option('--json', 'print the result as JSON')
    .description('change the given settings of a space')
    .addHelpText('after', helpText('space change "Greenfield High" --name "Greenfield" --hidden'))
    .action((name: string, flags: ChangeFlags) =>
      asOperator(async (session) => {
        const { _id } = await resolveSpace(session, name);
        const change = changeOf(flags);
        const current = await findManagedSpace(session.pool, _id);
        if (current?.isArchived === true) throw new DomainError('SPACE_ARCHIVED');
        const before = current?.entry ?? 'OPEN';
        if (before === 'IMPORTING' && change.entry !== undefined)
          throw new UsageError('The import of this space is incomplete. Repeat the import command first.');
        const entry = change.entry ?? before;
        assertPublicPagesAllowed({ entry, publicPages: change.publicPages ?? false });
        await session.execute(new ChangeSpace(session.context(), _id, { change }));
        await show(session, _id, flags);
      }),
    );
  space
    .command('archive')
    .argument('<space>', 'name or ID')
    .option('--yes', 'skip the confirmation prompt')
    .option('--json', 'print the result as JSON')
    .description('make a space read-only; members can still read it')
    .addHelpText(
      'after',
      helpText(
        'space archive "Greenfield High"',
        'Nobody can write in it or join, and only members see it. space unarchive ends this.',
      ),
    )
    .action((name: string, flags: JsonFlag & { readonly yes?: true }) =>
      asOperator(async (session) => {
        const found = await resolveSpace(session, name);
        await confirm(
          `Archive the space "${found.name}"? Nobody can write in it until it is unarchived.`,
          flags,
        );
        await session.execute(new ArchiveSpace(session.context(), found._id, true), {
          unchanged: `"${found.name}" is already archived. Nothing changed.`,
        });
        await show(session, found._id, flags);
      }),
    );
  space
    .command('unarchive')
    .argument('<space>', 'name or ID')
    .option('--json', 'print the result as JSON')
    .description('open an archived space again, with its former settings')
    .addHelpText('after', helpText('space unarchive "Greenfield High"'))
    .action((name: string, flags: JsonFlag) =>
      asOperator(async (session) => {
        const found = await resolveSpace(session, name);
        await session.execute(new ArchiveSpace(session.context(), found._id, false), {
          unchanged: `"${found.name}" is not archived. Nothing changed.`,
        });
        await show(session, found._id, flags);
      }),
    );
  space
    .command('delete')
    .argument('<space>', 'name or ID')
    .requiredOption('--confirm <name>', 'repeat the name of the space')
    .option('--json', 'print the result as JSON')
    .description('delete an archived space for good')
    .addHelpText(
      'after',
      helpText(
        'space delete "Greenfield High" --confirm "Greenfield High"',
        `This cannot be undone. Its members, posts, votes, scores and news are gone for everybody, and the texts of its posts are
erased. The log keeps them encrypted until the accounts of their authors are deleted with their posts.`,
      ),
    )
    .action((name: string, flags: JsonFlag & { readonly confirm: string }) =>
      asOperator(async (session) => {
        const found = await resolveSpace(session, name);
        await session.execute(new RemoveSpace(session.context(), found._id, flags.confirm));
        printResult({ _id: found._id, name: found.name }, flags, () => `Deleted "${found.name}".`);
      }),
    );
  space
    .command('export')
    .argument('<space>', 'name or ID')
    .requiredOption('--to <file>', 'ZIP file to create; it must not exist')
    .option('--json', 'print the result as JSON')
    .description('export a space to a file that another Nimo can import')
    .addHelpText(
      'after',
      helpText(
        'space export "Greenfield High" --to ~/greenfield.zip',
        `Includes pictures and everything that members see or that scores depend on. It also names voters and reporters, so
protect the file like a backup. The fingerprint identifies the file: send it through a separate channel.`,
      ),
    )
    .action(exportSpace);
  invitationCommands(space);
}

/** Rejects the flag instead of silently ignoring it. @throws UsageError */
function assertPublicPagesAllowed({
  entry,
  publicPages,
}: {
  readonly entry: SpaceEntry;
  readonly publicPages: boolean;
}): void {
  if (publicPages && entry !== 'OPEN')
    throw new UsageError(
      'Only an open space can have public pages. Leave out --public-pages, or add --entry open.',
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
        'ID',
        'colour',
        'entry',
        'public pages',
        'search engines',
        'consent age',
        'members',
        'subjects',
        'topics',
      ],
      ...spaces.map((space) => [
        space.name,
        space._id,
        space.color,
        space.isArchived ? 'archived' : ENTRY_LABELS[space.entry],
        space.publicPages ? 'yes' : 'no',
        space.hiddenFromSearchEngines ? 'hidden' : 'indexed',
        space.consentAge === null ? '-' : String(space.consentAge),
        String(space.memberCount),
        String(space.subjectCount),
        String(space.topicCount),
      ]),
    ],
    [0, 1, 2, 3, 4, 5, 6],
  );
