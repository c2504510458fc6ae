import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type XmlRow = Readonly<Record<string, string | number>>;

export interface DumpRows {
  readonly users?: readonly XmlRow[];
  readonly posts?: readonly XmlRow[];
  readonly comments?: readonly XmlRow[];
  readonly votes?: readonly XmlRow[];
}

const escaped = (text: string): string =>
  text.replace(/[&<>"\n]/g, (character) => `&#${character.codePointAt(0)};`);

export const xmlRow = (row: XmlRow): string =>
  `  <row ${Object.entries(row)
    .map(([name, value]) => `${name}="${escaped(String(value))}"`)
    .join(' ')} />\n`;

const FILES = {
  users: 'Users.xml',
  posts: 'Posts.xml',
  comments: 'Comments.xml',
  votes: 'Votes.xml',
} as const;

/** Writes a dump with a byte order mark, like Stack Exchange. @returns the folder */
export async function writeDump(rows: DumpRows): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nimo-dump-'));
  for (const [key, name] of Object.entries(FILES)) {
    const lines = (rows[key as keyof DumpRows] ?? []).map(xmlRow).join('');
    const xml = `\uFEFF<?xml version="1.0" encoding="utf-8"?>\n<${key}>\n${lines}</${key}>\n`;
    await writeFile(join(folder, name), xml);
  }
  return folder;
}

export const day = (n: number, time = '12:00:00.000'): string =>
  `2020-${String(1 + Math.floor(n / 28)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}T${time}`;

/** A small community that covers every case of an import. */
export const COMMUNITY: DumpRows = {
  users: [
    { Id: -1, CreationDate: day(0), DisplayName: 'Community' },
    { Id: 1, CreationDate: day(0), DisplayName: 'Gaëlle Œuvrard' },
    { Id: 2, CreationDate: day(1), DisplayName: 'gaelle oeuvrard' },
    { Id: 3, CreationDate: day(90), DisplayName: '2020' },
    { Id: 4, CreationDate: day(2), DisplayName: '日本' },
    { Id: 5, CreationDate: day(3), DisplayName: 'Élodie <b>' },
    { Id: 5, CreationDate: day(3), DisplayName: 'twice' },
  ],
  posts: [
    question(1, 1, 5, { Tags: '<grammar><spelling>', AcceptedAnswerId: 2 }),
    answer(2, 2, 1, 6),
    // Migrated: older than its question and than its author's account.
    answer(3, 3, 1, 4),
    question(4, 4, 10, { Tags: '|grammar|', AcceptedAnswerId: 5 }),
    answer(5, 4, 4, 11),
    question(6, null, 12, { OwnerDisplayName: 'user99', Body: '<p>Hi<script>alert(1)</script></p>' }),
    answer(7, null, 6, 13, { OwnerDisplayName: 'user99' }),
    answer(8, 1, 404, 13),
    answer(9, 1, 1, 14, { Body: '<p> </p>' }),
    answer(10, 1, 1, 14, { Body: `<p>${'x'.repeat(70_000)}</p>` }),
    { Id: 11, PostTypeId: 5, CreationDate: day(1), Body: 'wiki' },
    question(12, 5, 15, { AcceptedAnswerId: 13, Title: 'x'.repeat(400) }),
    answer(13, 2, 12, 16),
  ],
  comments: [
    comment(1, 1, 2, 7, 'Do you mean this, @Gaëlle?'),
    comment(2, 1, 1, 8, '@gaelleoeuvrard yes. @nobody knows, mail a@example.org, `x < y`'),
    comment(3, 2, 5, 8, 'arr @[0], @[Gaelle_Oeuvrard], @[00000000-0000-4000-8000-000000000000]'),
    comment(4, 11, 1, 8, 'on a wiki page'),
    comment(5, 404, 1, 8, 'on nothing'),
    comment(6, 10, 1, 20, 'on a post that was too long'),
    { Id: 7, PostId: 1, CreationDate: day(9), Text: 'from the past', UserDisplayName: 'user99' },
    comment(8, 1, 1, 9, '   '),
  ],
  votes: [
    vote(1, 2, 1, 6),
    vote(2, 1, 2, 5),
    vote(3, 1, 2, 5),
    vote(4, 1, 3, 5),
    vote(5, 2, 2, 6),
    vote(6, 3, 3, 30),
    vote(7, 5, 1, 11),
    vote(8, 13, 3, 16),
    vote(9, 404, 2, 16),
    vote(10, 1, 5, 20, { UserId: 4 }),
    vote(11, 1, 5, 21, { UserId: 4 }),
    vote(12, 2, 5, 21, { UserId: 4 }),
    vote(13, 1, 12, 21),
    vote(14, 1, 99, 21),
    vote(15, 3, 1, 21),
  ],
};

function question(id: number, user: number | null, at: number, more: XmlRow = {}): XmlRow {
  return {
    Id: id,
    PostTypeId: 1,
    CreationDate: day(at),
    Title: `Question ${id}`,
    Body: `<p>About ${id}</p>`,
    ...(user !== null && { OwnerUserId: user }),
    ...more,
  };
}

function answer(id: number, user: number | null, parent: number, at: number, more: XmlRow = {}): XmlRow {
  return {
    Id: id,
    PostTypeId: 2,
    ParentId: parent,
    CreationDate: day(at),
    Body: `<p>Answer ${id}</p>`,
    ...(user !== null && { OwnerUserId: user }),
    ...more,
  };
}

function comment(id: number, post: number, user: number, at: number, text: string): XmlRow {
  return { Id: id, PostId: post, UserId: user, CreationDate: day(at), Text: text };
}

function vote(id: number, post: number, type: number, at: number, more: XmlRow = {}): XmlRow {
  return { Id: id, PostId: post, VoteTypeId: type, CreationDate: day(at, '00:00:00.000'), ...more };
}
