import {
  truncateText,
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

/** A problem with an import that the operator can fix. The message is printed without a stack trace. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

export const DUMP_FILES = ['users', 'posts', 'comments', 'votes'] as const;

export type DumpFile = (typeof DUMP_FILES)[number];

export const DUMP_FILE_NAMES: Readonly<Record<DumpFile, string>> = {
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
  /** Valid user name, not necessarily unique. */
  readonly userName?: string;
  readonly title?: string;
  readonly body?: string;
  readonly tags?: readonly string[];
  readonly accepted?: number | null;
};

/** A dump row as stored in the staging table. */
export interface DumpRow {
  readonly id: number;
  readonly at: string;
  readonly kind: RowKind | null;
  /** The question of an answer, the post of a comment or vote. */
  readonly post: number | null;
  /** User ID, `~name` for a deleted user, or null if unknown. */
  readonly author: string | null;
  readonly content: RowContent | null;
  /** Reason to skip the row regardless of other rows. */
  readonly skip: string | null;
}

const INTEGER = /^-?\d{1,15}$/;
const VOTES: Readonly<Record<string, RowKind>> = { '1': 'accept', '2': 'up', '3': 'down', '5': 'bookmark' };
const VOTE_NAMES: Readonly<Record<string, string>> = {
  '4': 'an offensive flag',
  '6': 'a vote to close',
  '7': 'a vote to reopen',
  '8': 'a bounty',
  '9': 'a bounty',
  '10': 'a vote to delete',
  '11': 'a vote to undelete',
  '12': 'a spam flag',
  '15': 'a moderator flag',
  '16': 'an approved edit',
};

interface RowOptions {
  readonly addresses: ReplaceAddress;
  /** Called for each change made to the imported content. */
  readonly note: NoteChange;
}

/** Undefined if the row lacks a valid ID or date. */
export function dumpRow(file: DumpFile, row: Attributes, options: RowOptions): DumpRow | undefined {
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
        content: userContent(row['DisplayName'] ?? '', id, options.note),
      };
    case 'posts':
      return {
        ...staged,
        author: authorOf(row['OwnerUserId'], row['OwnerDisplayName']),
        ...post(row, options),
      };
    case 'comments': {
      const text = row['Text'] ?? '';
      noteDropped('comments', text, visibleText(text), options.note);
      return {
        ...staged,
        kind: 'comment',
        post: integer(row['PostId']),
        author: authorOf(row['UserId'], row['UserDisplayName']),
        content: { body: text },
        skip: violation(() => requireCommentBody(text)),
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
    name: truncated(name, MAX_PERSON_NAME_LENGTH, () => note('names cut')),
    userName: userNameFrom(displayName, String(id)),
  };
};

function post(row: Attributes, options: RowOptions): Pick<DumpRow, 'kind' | 'post' | 'content' | 'skip'> {
  const html = row['Body'] ?? '';
  const { note } = options;
  switch (row['PostTypeId']) {
    case '1': {
      const [body, tooLong] = bodyOf(html, options);
      const original = (row['Title'] ?? '').trim();
      noteDropped('titles', original, visibleText(original), note);
      const title = truncated(original, MAX_TITLE_LENGTH, () => note('titles cut'));
      const content = {
        title,
        body,
        tags: tagsOf(row['Tags'] ?? '', note),
        accepted: integer(row['AcceptedAnswerId']),
      };
      const skip = tooLong ?? violation(() => requireTitle(title)) ?? violation(() => requireBodySize(body));
      return { kind: 'question', post: null, content, skip };
    }
    case '2': {
      const [body, tooLong] = bodyOf(html, options);
      const skip = tooLong ?? violation(() => requireAnswerBody(body));
      return { kind: 'answer', post: integer(row['ParentId']), content: { body }, skip };
    }
    default:
      return { kind: null, post: null, content: null, skip: 'a wiki page or other type of post' };
  }
}

const HAS_ADDRESS = /\b(?:href|src)\s*=/i;

/** Checks the size first, because sanitising a megabyte takes seconds of CPU time. */
function bodyOf(html: string, { addresses, note }: RowOptions): readonly [body: string, skip: string | null] {
  const tooLong = violation(() => requireBodySize(html));
  if (tooLong !== null) return ['', tooLong];
  noteDropped('bodies', html, visibleText(html), note);
  return [HAS_ADDRESS.test(html) ? sanitiseRichText(html, addresses) : cleanHtml(html), null];
}

function vote({ VoteTypeId = '', UserId }: Attributes): Pick<DumpRow, 'kind' | 'author' | 'skip'> {
  const kind = VOTES[VoteTypeId] ?? null;
  const skip = kind === null ? (VOTE_NAMES[VoteTypeId] ?? 'an unknown vote type') : null;
  return { kind, author: kind === 'bookmark' && UserId !== undefined ? UserId : null, skip };
}

/** Reason for skipping a row that breaks a domain rule. */
export const rejectionReason = (error: DomainError): string => `rejected by Nimo: ${error.message}`;

function violation(check: () => unknown): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return rejectionReason(error);
    throw error;
  }
}

const authorOf = (userId: string | undefined, displayName: string | undefined): string =>
  userId !== undefined && INTEGER.test(userId) ? userId : `~${(displayName ?? '').trim() || 'deleted user'}`;

/** Parses `<a><b>` or `|a|b|` and drops tags that are not valid topic names. */
const tagsOf = (tags: string, note: NoteChange): string[] =>
  tags
    .split(/[<>|]+/)
    .filter((tag) => tag.trim() !== '')
    .filter((tag) => {
      const isTopic = violation(() => requireTopicName(tag)) === null;
      if (!isTopic) note('tags dropped');
      else noteDropped('tags', tag, visibleName(tag), note);
      return isTopic;
    });

export const integer = (text: string | undefined): number | null =>
  text !== undefined && INTEGER.test(text) ? Number(text) : null;

const TIMESTAMP = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Dump timestamps are in UTC but lack a time zone. */
export function utc(text: string | undefined): string | undefined {
  const [original, time, , , zone] = TIMESTAMP.exec(text ?? '') ?? [];
  if (original === undefined || !isCalendarDay(original.slice(0, 'YYYY-MM-DD'.length))) return undefined;
  const at = Date.parse(time === undefined || zone !== undefined ? original : `${original}Z`);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** Counts only lost characters, not changes in white space or Unicode normal form. */
function noteDropped(from: string, original: string, kept: string, note: NoteChange): void {
  if (original === kept) return;
  const dropped = visibleLength(original) - visibleLength(kept);
  if (dropped > 0) note(`characters dropped from ${from}`, dropped);
}

const visibleLength = (text: string): number =>
  lengthOf(text.normalize('NFC').replace(/\p{White_Space}+/gu, ''));

function truncated(text: string, max: number, note: () => void): string {
  if (lengthOf(text) <= max) return text;
  note();
  return `${truncateText(text, max - 1)}…`;
}
