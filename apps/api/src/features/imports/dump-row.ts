import {
  cutText,
  DomainError,
  isCalendarDay,
  lengthOf,
  MAX_PERSON_NAME_LENGTH,
  personName,
  requireAnswerBody,
  requireBodySize,
  requireCommentBody,
  requireTitle,
  requireTopicName,
  MAX_TITLE_LENGTH,
  visibleName,
  visibleText,
} from '@nimo/domain';
import { cleanHtml, type ReplaceAddress, sanitiseRichText } from '@nimo/rich-text';
import { type NoteChange, userNameFrom } from './import-ids.js';

/** Something about an import that the person who gave it can put right: one clear line. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

export const DUMP_FILES = ['users', 'posts', 'comments', 'votes'] as const;

export type DumpFile = (typeof DUMP_FILES)[number];

export const FILE_NAMES: Readonly<Record<DumpFile, string>> = {
  users: 'Users.xml',
  posts: 'Posts.xml',
  comments: 'Comments.xml',
  votes: 'Votes.xml',
};

export type Attributes = Readonly<Record<string, string>>;

export interface NumberedRow {
  readonly line: number;
  readonly attributes: Attributes;
}

type RowKind = 'user' | 'question' | 'answer' | 'comment' | 'up' | 'down' | 'bookmark' | 'accept';

export type RowContent = {
  /** Display name of a user. */
  readonly name?: string;
  /** As a valid user name, not unique yet. */
  readonly userName?: string;
  readonly title?: string;
  readonly body?: string;
  readonly tags?: readonly string[];
  readonly accepted?: number | null;
};

/** A row of the dump as it is staged. */
export interface DumpRow {
  readonly id: number;
  readonly at: string;
  readonly kind: RowKind | null;
  /** The question of an answer, the post of a comment or vote. */
  readonly post: number | null;
  /** The user's id, `~name` of a user that was deleted, or null where nobody is told. */
  readonly author: string | null;
  readonly content: RowContent | null;
  /** Why the row cannot come in, whatever the others say. */
  readonly skip: string | null;
}

const INTEGER = /^-?\d{1,15}$/;
const VOTES: Readonly<Record<string, RowKind>> = { '1': 'accept', '2': 'up', '3': 'down', '5': 'bookmark' };
const VOTE_NAMES: Readonly<Record<string, string>> = {
  '4': 'a mark as offensive',
  '6': 'a vote to close',
  '7': 'a vote to reopen',
  '8': 'a bounty',
  '9': 'a bounty',
  '10': 'a vote to delete',
  '11': 'a vote to undelete',
  '12': 'a mark as spam',
  '15': 'a mark for moderators',
  '16': 'an approved edit',
};

interface RowReading {
  readonly addresses: ReplaceAddress;
  /** Called for what is imported otherwise than it stands in the row. */
  readonly note: NoteChange;
}

/** Undefined: no number or date that a row needs. */
export function dumpRow(file: DumpFile, row: Attributes, reading: RowReading): DumpRow | undefined {
  const id = integer(row['Id']);
  const at = utc(row['CreationDate']);
  if (id === null || at === undefined) return undefined;
  const staged = { id, at, post: null, author: null, content: null, skip: null };
  switch (file) {
    case 'users':
      return {
        ...staged,
        kind: 'user',
        author: String(id),
        content: userContent(row['DisplayName'] ?? '', id, reading.note),
      };
    case 'posts':
      return {
        ...staged,
        author: authorOf(row['OwnerUserId'], row['OwnerDisplayName']),
        ...post(row, reading),
      };
    case 'comments': {
      const text = row['Text'] ?? '';
      noteDropped('comments', text, visibleText(text), reading.note);
      return {
        ...staged,
        kind: 'comment',
        post: integer(row['PostId']),
        author: authorOf(row['UserId'], row['UserDisplayName']),
        content: { body: text },
        skip: refusal(() => requireCommentBody(text)),
      };
    }
    case 'votes':
      return { ...staged, post: integer(row['PostId']), ...vote(row) };
  }
}

export const userContent = (
  displayName: string,
  id: number | string,
  note: NoteChange = () => undefined,
): RowContent => {
  const name = personName(displayName);
  noteDropped('names', displayName, name, note);
  return {
    name: shortened(name, MAX_PERSON_NAME_LENGTH, () => note('names cut')),
    userName: userNameFrom(displayName, String(id)),
  };
};

function post(row: Attributes, reading: RowReading): Pick<DumpRow, 'kind' | 'post' | 'content' | 'skip'> {
  const html = row['Body'] ?? '';
  const { note } = reading;
  switch (row['PostTypeId']) {
    case '1': {
      const [body, tooLong] = bodyOf(html, reading);
      const written = (row['Title'] ?? '').trim();
      noteDropped('titles', written, visibleText(written), note);
      const title = shortened(written, MAX_TITLE_LENGTH, () => note('titles cut'));
      const content = {
        title,
        body,
        tags: tagsOf(row['Tags'] ?? '', note),
        accepted: integer(row['AcceptedAnswerId']),
      };
      const skip = tooLong ?? refusal(() => requireTitle(title)) ?? refusal(() => requireBodySize(body));
      return { kind: 'question', post: null, content, skip };
    }
    case '2': {
      const [body, tooLong] = bodyOf(html, reading);
      const skip = tooLong ?? refusal(() => requireAnswerBody(body));
      return { kind: 'answer', post: integer(row['ParentId']), content: { body }, skip };
    }
    default:
      return { kind: null, post: null, content: null, skip: 'a wiki page or another kind of post' };
  }
}

const HAS_ADDRESS = /\b(?:href|src)\s*=/i;

/** Sanitising a megabyte takes a processor for seconds, so its size comes first; most bodies without an address are clean. */
function bodyOf(
  html: string,
  { addresses, note }: RowReading,
): readonly [body: string, refusal: string | null] {
  const tooLong = refusal(() => requireBodySize(html));
  if (tooLong !== null) return ['', tooLong];
  noteDropped('bodies', html, visibleText(html), note);
  return [HAS_ADDRESS.test(html) ? sanitiseRichText(html, addresses) : cleanHtml(html), null];
}

function vote({ VoteTypeId = '', UserId }: Attributes): Pick<DumpRow, 'kind' | 'author' | 'skip'> {
  const kind = VOTES[VoteTypeId] ?? null;
  const skip = kind === null ? (VOTE_NAMES[VoteTypeId] ?? 'an unknown kind of vote') : null;
  return { kind, author: kind === 'bookmark' && UserId !== undefined ? UserId : null, skip };
}

/** Why a rule of the product leaves a row out. */
export const nimoSays = (error: DomainError): string => `Nimo says: ${error.message}`;

function refusal(check: () => unknown): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return nimoSays(error);
    throw error;
  }
}

const authorOf = (userId: string | undefined, displayName: string | undefined): string =>
  userId !== undefined && INTEGER.test(userId) ? userId : `~${(displayName ?? '').trim() || 'deleted user'}`;

/** `<a><b>` or `|a|b|`, without those that no topic can be named. */
const tagsOf = (tags: string, note: NoteChange): string[] =>
  tags
    .split(/[<>|]+/)
    .filter((tag) => tag.trim() !== '')
    .filter((tag) => {
      const isTopic = refusal(() => requireTopicName(tag)) === null;
      if (!isTopic) note('tags dropped');
      else noteDropped('tags', tag, visibleName(tag), note);
      return isTopic;
    });

export const integer = (text: string | undefined): number | null =>
  text !== undefined && INTEGER.test(text) ? Number(text) : null;

const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** The dump's times are in UTC and do not say so. */
export function utc(text: string | undefined): string | undefined {
  const [written, time, , , zone] = MOMENT.exec(text ?? '') ?? [];
  if (written === undefined || !isCalendarDay(written.slice(0, 'YYYY-MM-DD'.length))) return undefined;
  const at = Date.parse(time === undefined || zone !== undefined ? written : `${written}Z`);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** White space and the form of letters may differ: only characters that are gone count. */
function noteDropped(from: string, written: string, kept: string, note: NoteChange): void {
  if (written === kept) return;
  const dropped = visibleLength(written) - visibleLength(kept);
  if (dropped > 0) note(`characters dropped from ${from}`, dropped);
}

const visibleLength = (text: string): number =>
  lengthOf(text.normalize('NFC').replace(/\p{White_Space}+/gu, ''));

function shortened(text: string, most: number, note: () => void): string {
  if (lengthOf(text) <= most) return text;
  note();
  return `${cutText(text, most - 1)}…`;
}
