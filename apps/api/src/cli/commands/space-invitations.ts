import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { DomainError } from '@nimo/domain';
import {
  findSpaceById,
  listInvitedStudents,
  type ManagedSpaceView,
  type ManagedStudentView,
} from '@nimo/projections';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { validate } from 'uuid';
import {
  CreateInvitation,
  type InvitationRequest,
  RevokeInvitation,
} from '../../features/invitations/commands/manage-invitations.js';
import { InviteStudent, RevokeStudentInvitation } from '../../features/spaces/commands/request-entry.js';
import { asOperator, type OperatorSession } from '../cli-session.js';
import { EXIT, helpText, NotFoundError, UsageError } from '../failure.js';
import { resolveSpace, resolveStudent } from '../lookup.js';
import { type JsonFlag, printResult } from '../output.js';
import { invitationText, listInvitations, listText } from './invitation-text.js';

const DEFAULT_USES = 30;
const DEFAULT_DAYS = 7;

interface GroupOfProvider {
  readonly provider: string;
  readonly group: string;
}

interface InviteFlags extends JsonFlag {
  readonly link?: true;
  readonly code?: true;
  readonly list?: string;
  readonly domain?: string;
  readonly group?: GroupOfProvider;
  readonly student?: string;
  readonly uses: number;
  readonly days: number;
}

type Way = Exclude<keyof InviteFlags, 'uses' | 'days' | 'json'>;
const WAYS: readonly Way[] = ['link', 'code', 'list', 'domain', 'group', 'student'];
const WAYS_THAT_EXPIRE: readonly Way[] = ['link', 'code', 'list'];

export function invitationCommands(space: Command): void {
  space
    .command('invitations')
    .argument('<space>', 'name or ID')
    .option('--json', 'print the result as JSON')
    .description('list the invitations of a space, including recently ended ones, and the invited students')
    .addHelpText('after', helpText('space invitations "Class 7b"'))
    .action((name: string, flags: JsonFlag) =>
      asOperator(async (session) => {
        const { _id } = await resolveSpace(session, name);
        const invitations = await listInvitations(session, _id);
        const invited = await listInvitedStudents(session.pool, _id);
        const invitedStudents = invited.map(({ userName }) => userName);
        printResult({ invitations, invitedStudents }, flags, () => listText(invitations, invitedStudents));
      }),
    );
  addInvite(space);
  space
    .command('revoke-invitation')
    .argument('<space>', 'name or ID')
    .argument('[id]', 'ID of the invitation, as listed by `space invitations`')
    .option('--student <user>', 'revoke the invitation of this student: username, phone number or ID')
    .option('--json', 'print the result as JSON')
    .description('revoke an invitation; students who joined with it stay members')
    .addHelpText(
      'after',
      helpText([
        'space revoke-invitation "Class 7b" 5b0c3c5e-9a50-4a55-8d3a-1f0f6f1d2c11',
        'space revoke-invitation "Class 7b" --student asha',
      ]),
    )
    .action(revoke);
}

function addInvite(space: Command): void {
  space
    .command('invite')
    .argument('<space>', 'name or ID')
    .addOption(wayOption('link', '--link', 'create a link'))
    .addOption(wayOption('code', '--code', 'create a class code that can be read out'))
    .addOption(
      wayOption(
        'list',
        '--list <file>',
        'invite the owners of the email addresses and mobile numbers in a file, or - for standard input',
      ),
    )
    .addOption(wayOption('domain', '--domain <domain>', 'invite everyone with an email address of a domain'))
    .addOption(
      wayOption(
        'group',
        '--group <provider:group>',
        'invite a group of an OpenID provider (first or second)',
      ).argParser(parseGroup),
    )
    .addOption(wayOption('student', '--student <user>', 'invite one student: username, phone number or ID'))
    .addOption(
      new Option('--uses <number>', 'how many students can join with a link or code')
        .argParser(parseCount)
        .default(DEFAULT_USES)
        .conflicts(WAYS.filter((way) => way !== 'link' && way !== 'code')),
    )
    .addOption(
      new Option('--days <number>', 'lifetime of a link, code or list')
        .argParser(parseCount)
        .default(DEFAULT_DAYS)
        .conflicts(WAYS.filter((way) => !WAYS_THAT_EXPIRE.includes(way))),
    )
    .option('--json', 'print the result as JSON')
    .description('invite students to a space that is not open, and print what to hand out')
    .addHelpText(
      'after',
      helpText(
        ['space invite "Class 7b" --code --uses 30 --days 7', 'space invite "Class 7b" --list class-7b.txt'],
        `Choose one of ${WAY_FLAGS}. A list has one email address or mobile number per line.
Addresses start with PUBLIC_URL, or with the address in HOST and PORT if it is not set.`,
      ),
    )
    .action(invite);
}

const WAY_FLAGS = WAYS.map((way) => `--${way}`).join(', ');

const wayOption = (way: Way, flags: string, description: string): Option =>
  new Option(flags, description).conflicts(WAYS.filter((other) => other !== way));

/** The domain checks the range. @throws InvalidArgumentError if it is not a whole number */
function parseCount(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('Enter a whole number.');
  return Number(text);
}

/** @throws InvalidArgumentError */
function parseGroup(text: string): GroupOfProvider {
  const [, provider, group] = /^([^:]+):(.+)$/.exec(text) ?? [];
  if (provider === undefined || group === undefined)
    throw new InvalidArgumentError('Enter the ID of the provider and the group, for example first:class-7b.');
  return { provider, group };
}

async function invite(name: string, flags: InviteFlags, command: Command): Promise<void> {
  const { student } = flags;
  if (student !== undefined)
    return asOperator(async (session) => {
      const space = await resolveSpace(session, name);
      const invited = await resolveStudent(session, student);
      await session.execute(new InviteStudent(session.context(), space._id, invited._id));
      await showStudent(session, space, invited, flags);
    });
  const request = await requestFrom(flags);
  if (!request) return command.error(`error: choose one of ${WAY_FLAGS}`, { exitCode: EXIT.usage });
  return asOperator(async (session) => {
    const { _id } = await resolveSpace(session, name);
    const id = await namingFlag(() => session.execute(new CreateInvitation(session.context(), _id, request)));
    const created = (await listInvitations(session, _id)).find((invitation) => invitation._id === id);
    if (!created) throw new Error('the new invitation is not listed');
    printResult(created, flags, () => invitationText(created));
  });
}

/** Undefined if no kind was chosen. @throws UsageError if the list cannot be read */
async function requestFrom(flags: InviteFlags): Promise<InvitationRequest | undefined> {
  const { link, code, list, domain, group, uses, days } = flags;
  const request = { uses, days, contacts: null, domain: null, provider: null, group: null };
  if (link) return { ...request, kind: 'LINK' };
  if (code) return { ...request, kind: 'CODE' };
  if (list !== undefined) return { ...request, kind: 'LIST', contacts: await readContacts(list) };
  if (domain !== undefined) return { ...request, kind: 'DOMAIN', domain };
  return group && { ...request, kind: 'GROUP', ...group };
}

async function readContacts(path: string): Promise<string> {
  const bytes = await (path === '-' ? buffer(process.stdin) : readFile(path)).catch(() => {
    throw new UsageError(`--list: ${path} cannot be read.`);
  });
  // Strips the byte-order mark that Windows editors write.
  return new TextDecoder().decode(bytes);
}

const FLAG_OF_FIELD: ReadonlyMap<string | undefined, string> = new Map([
  ['uses', '--uses'],
  ['days', '--days'],
  ['contacts', '--list'],
  ['domain', '--domain'],
  ['provider', '--group'],
  ['group', '--group'],
]);

/** Adds the flag to errors about its value. @throws UsageError */
async function namingFlag<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const flag = error instanceof DomainError ? FLAG_OF_FIELD.get(error.field) : undefined;
    if (flag === undefined || !(error instanceof DomainError)) throw error;
    throw new UsageError(`${flag}: ${error.message}`, { cause: error });
  }
}

interface RevokeFlags extends JsonFlag {
  readonly student?: string;
}

function revoke(
  name: string,
  id: string | undefined,
  { student, ...flags }: RevokeFlags,
  command: Command,
): Promise<void> {
  if ((id === undefined) === (student === undefined))
    command.error('error: give either the ID of an invitation or --student', { exitCode: EXIT.usage });
  return asOperator(async (session) => {
    const space = await resolveSpace(session, name);
    if (student === undefined) return revokeShared(session, space, id ?? '', flags);
    const invited = await resolveStudent(session, student);
    await session.execute(new RevokeStudentInvitation(session.context(), space._id, invited._id));
    await showStudent(session, space, invited, flags);
  });
}

async function revokeShared(
  session: OperatorSession,
  space: ManagedSpaceView,
  id: string,
  flags: JsonFlag,
): Promise<void> {
  const invitationId = id.toLowerCase();
  const unknown = () => new NotFoundError(`No invitation to "${space.name}" has the ID "${id}".`);
  if (!validate(invitationId)) throw unknown();
  try {
    await session.execute(new RevokeInvitation(session.context(), space._id, invitationId));
  } catch (error) {
    throw error instanceof DomainError && error.code === 'INVITATION_UNKNOWN' ? unknown() : error;
  }
  printResult(
    { _id: invitationId, state: 'REVOKED' },
    flags,
    () => `The invitation ${invitationId} is revoked.`,
  );
}

/** Prints the current status, which also holds if nothing was changed. */
async function showStudent(
  { pool }: OperatorSession,
  space: ManagedSpaceView,
  { _id, userName }: ManagedStudentView,
  flags: JsonFlag,
): Promise<void> {
  const seen = await findSpaceById(pool, space._id, _id);
  const { joined = false, isInvited = false } = seen ?? {};
  const status = joined ? 'is a member of' : isInvited ? 'is invited to' : 'is not invited to';
  printResult({ _id, userName, joined, isInvited }, flags, () => `${userName} ${status} "${space.name}".`);
}
