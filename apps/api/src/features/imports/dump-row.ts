import { cutText, lengthOf, PERSON_NAME_MAX_LENGTH, TITLE_MAX_LENGTH } from '@nimo/domain';
import type { DumpFile } from './dump-files.js';
import type { Attributes } from './dump-reader.js';
import { userNameFrom } from './user-names.js';

export type RowKind = 'user' | 'question' | 'answer' | 'comment' | 'up' | 'down' | 'bookmark' | 'accept';

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

/** Undefined: no number or date that a row needs. */
export function dumpRow(file: DumpFile, row: Attributes): DumpRow | undefined {
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
        content: userContent(row['DisplayName'] ?? '', id),
      };
    case 'posts':
      return { ...staged, author: authorOf(row['OwnerUserId'], row['OwnerDisplayName']), ...post(row) };
    case 'comments':
      return {
        ...staged,
        kind: 'comment',
        post: integer(row['PostId']),
        author: authorOf(row['UserId'], row['UserDisplayName']),
        content: { body: row['Text'] ?? '' },
      };
    case 'votes':
      return { ...staged, post: integer(row['PostId']), ...vote(row) };
  }
}

export const userContent = (displayName: string, id: number | string): RowContent => ({
  name: shortened(displayName.trim(), PERSON_NAME_MAX_LENGTH),
  userName: userNameFrom(displayName, String(id)),
});

function post(row: Attributes): Pick<DumpRow, 'kind' | 'post' | 'content' | 'skip'> {
  const body = row['Body'] ?? '';
  switch (row['PostTypeId']) {
    case '1': {
      const title = shortened((row['Title'] ?? '').trim(), TITLE_MAX_LENGTH);
      const content = {
        title,
        body,
        tags: tagsOf(row['Tags'] ?? ''),
        accepted: integer(row['AcceptedAnswerId']),
      };
      return { kind: 'question', post: null, content, skip: null };
    }
    case '2':
      return { kind: 'answer', post: integer(row['ParentId']), content: { body }, skip: null };
    default:
      return { kind: null, post: null, content: null, skip: 'a wiki page or another kind of post' };
  }
}

function vote({ VoteTypeId = '', UserId }: Attributes): Pick<DumpRow, 'kind' | 'author' | 'skip'> {
  const kind = VOTES[VoteTypeId] ?? null;
  const skip = kind === null ? (VOTE_NAMES[VoteTypeId] ?? 'an unknown kind of vote') : null;
  return { kind, author: kind === 'bookmark' && UserId !== undefined ? UserId : null, skip };
}

const authorOf = (userId: string | undefined, displayName: string | undefined): string =>
  userId !== undefined && INTEGER.test(userId) ? userId : `~${(displayName ?? '').trim() || 'deleted user'}`;

/** `<a><b>` or `|a|b|`. */
const tagsOf = (tags: string): string[] => tags.split(/[<>|]+/).filter((tag) => tag.trim() !== '');

const integer = (text: string | undefined): number | null =>
  text !== undefined && INTEGER.test(text) ? Number(text) : null;

/** The dump's times are in UTC and do not say so. */
function utc(text: string | undefined): string | undefined {
  const time = Date.parse(text === undefined || /Z|[+-]\d\d:\d\d$/.test(text) ? (text ?? '') : `${text}Z`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

const shortened = (text: string, most: number): string =>
  lengthOf(text) > most ? `${cutText(text, most - 1)}…` : text;
