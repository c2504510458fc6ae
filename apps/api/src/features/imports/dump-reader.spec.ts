import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readRows } from './dump-reader.js';
import { FileCheck, invalidDump } from './file-check.js';
import type { DumpFile } from './dump-row.js';

const NOW = new Date('2026-05-05T12:00:00.000Z');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nimo-reader-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Read {
  readonly rows: number;
  readonly problems: readonly string[];
  readonly dropped: object;
}

async function read(file: DumpFile, content: string | Buffer): Promise<Read> {
  const path = join(folder, 'dump.xml');
  await writeFile(path, content);
  const check = new FileCheck(file, NOW);
  let rows = 0;
  for await (const batch of readRows(path, check)) {
    for (const row of batch) check.checkRow(row);
    rows += batch.length;
  }
  const problems = check.problems();
  const [, ...lines] = problems.length > 0 ? invalidDump(problems).message.split('\n') : [];
  return {
    rows,
    problems: lines.map((line) => line.trim()),
    dropped: Object.fromEntries(check.droppedCharacters),
  };
}

const VOTE = '<row Id="1" PostId="2" VoteTypeId="2" CreationDate="2020-01-01T00:00:00.000" />';
const votes = (...rows: readonly string[]): string => `<votes>\n${rows.join('\n')}\n</votes>`;
const vote = (changes: Readonly<Record<string, string>>): string =>
  Object.entries(changes).reduce(
    (row, [name, value]) => row.replace(new RegExp(` ${name}="[^"]*"|(?= />)`), ` ${name}="${value}"`),
    VOTE,
  );

describe('readRows', () => {
  it('yields the rows of a valid file', async () => {
    const text = `\uFEFF<?xml version="1.0" encoding="utf-8"?>\n${votes(VOTE, vote({ Id: '2' }))}\n`;
    expect(await read('votes', text)).toEqual({ rows: 2, problems: [], dropped: {} });
  });

  it('accepts a file without votes or comments, but not without users or posts', async () => {
    expect((await read('votes', votes())).problems).toEqual([]);
    expect((await read('comments', '<comments/>')).problems).toEqual([]);
    expect((await read('users', '<users></users>')).problems).toEqual(['Users.xml: has no rows']);
    expect((await read('posts', '<posts></posts>')).problems).toEqual(['Posts.xml: has no rows']);
  });

  it.each([
    [
      'a web page with a small doctype',
      '<!doctype html><html><br></html>',
      'line 1: not XML with the root element <votes>: incorrect syntax',
    ],
    [
      'a web page',
      '<!DOCTYPE html>\n<html><body>Not found</body></html>',
      'line 2: the root element is <html>, not <votes>',
    ],
    [
      'another file of the dump',
      `<users>\n${VOTE}</users>`,
      'line 1: the root element is <users>, not <votes>',
    ],
    ['cut off', '<votes>\n<row Id="1" PostId="1"', 'line 2: unclosed tag: votes'],
    ['not XML', 'Not found', 'line 1: not XML with the root element <votes>: text data outside of root node'],
    ['empty', '', 'line 1: not XML with the root element <votes>: document must contain a root element'],
    ['with an unknown entity', '<votes>\n\n<row Id="&lol;" /></votes>', 'line 3: undefined entity'],
    ['with other elements', '<votes>\n<vote Id="1" /></votes>', 'line 2: <vote> where only <row> is allowed'],
    [
      'with elements in rows',
      '<votes>\n<row><row/></row></votes>',
      'line 2: <row> where only <row> is allowed',
    ],
  ])('rejects a file: %s', async (_, text, problem) => {
    expect((await read('votes', text)).problems).toEqual([`Votes.xml, ${problem}`]);
  });

  it.each([
    ['UTF-16 with a byte-order mark', Buffer.from(`\uFEFF${votes(VOTE)}`, 'utf16le'), 'UTF-16'],
    ['UTF-16 without one', Buffer.from(votes(VOTE), 'utf16le'), 'UTF-16'],
    ['big-endian UTF-16', Buffer.from(`\uFEFF${votes(VOTE)}`, 'utf16le').swap16(), 'UTF-16'],
    [
      'Latin-1 by its declaration',
      Buffer.from(`<?xml version="1.0" encoding="iso-8859-1"?>${votes(VOTE)}`, 'latin1'),
      'iso-8859-1',
    ],
  ])('rejects %s', async (_, bytes, name) => {
    expect(await read('votes', bytes)).toMatchObject({
      rows: 0,
      problems: [`Votes.xml, line 1: the encoding is ${name}, not UTF-8`],
    });
  });

  const people = (...names: readonly string[]): Buffer =>
    Buffer.from(
      `<?xml version="1.0" encoding="utf-8"?>\n<users>\n${names
        .map((name, at) => `<row Id="${at}" CreationDate="2020-01-01T00:00:00.000" DisplayName="${name}" />`)
        .join('\n')}\n</users>`,
      'latin1',
    );
  const inUtf8 = (name: string): string => Buffer.from(name).toString('latin1');
  const repeat = (count: number, name: string): readonly string[] =>
    Array.from({ length: count }, () => name);

  it.each([
    ['few rows', people('Ada', 'Ren\u00e9e', 'Zo\u00eb', 'Bob'), '2 of 4'],
    [
      'few rows after a byte-order mark',
      Buffer.concat([Buffer.from('\ufeff'), people('Zo\u00eb', 'Zo\u00eb')]),
      '2 of 2',
    ],
    ['many rows', people(...repeat(990, 'Ada'), ...repeat(20, 'Zo\u00eb')), '20 of 1,010'],
    [
      'many rows among those in UTF-8',
      people(...repeat(980, inUtf8('Zo\u00eb')), ...repeat(20, 'Zo\u00eb')),
      '20 of 1,000',
    ],
    ['long rows, each counted once', people(...repeat(3, '\u00eb'.repeat(100_000))), '3 of 3'],
  ])('rejects another encoding declared as UTF-8: %s', async (_, bytes, share) => {
    expect((await read('users', bytes)).problems).toEqual([
      `Users.xml: not UTF-8: ${share} rows have bytes of another encoding; convert the file to UTF-8`,
    ]);
  });

  it.each([
    ['one row', people('Ada', 'Zo\u00eb', 'Bob'), 1],
    ['few rows among those in UTF-8', people(...repeat(60, inUtf8('Zo\u00eb')), ...repeat(9, 'Zo\u00eb')), 9],
    ['one row in a hundred', people(...repeat(990, inUtf8('Zo\u00eb')), ...repeat(10, 'Zo\u00eb')), 10],
  ])('drops invalid UTF-8 in %s', async (_, bytes, count) => {
    expect(await read('users', bytes)).toMatchObject({
      problems: [],
      dropped: { 'bytes that are not UTF-8': count },
    });
  });

  it('reports each violated rule once, with its first line and the number of other rows', async () => {
    const rows = [
      VOTE,
      vote({ Id: 'x' }),
      vote({ CreationDate: '2099-01-01T00:00:00.000' }),
      vote({ CreationDate: '1970-01-01T00:00:00.000' }),
      vote({ CreationDate: 'May' }),
      vote({ VoteTypeId: '', Weight: '2' }),
      vote({ Weight: '2' }),
      VOTE.replace('PostId="2" ', ''),
    ];
    expect((await read('votes', votes(...rows))).problems).toEqual([
      'Votes.xml, line 3: Id is not a whole number',
      'Votes.xml, line 4: CreationDate is in the future',
      'Votes.xml, line 5: CreationDate is before 2000',
      'Votes.xml, line 6: CreationDate is not a date',
      'Votes.xml, line 7: unknown column "Weight" (and in 1 more row)',
      'Votes.xml, line 7: VoteTypeId is not a whole number',
      'Votes.xml, line 9: the column PostId is missing',
    ]);
  });

  it('reports a required column that no row has', async () => {
    const row = '<row Id="1" PostTypeId="1" CreationDate="2020-01-01T00:00:00.000" Body="b" />';
    expect((await read('posts', `<posts>${row}</posts>`)).problems).toEqual([
      'Posts.xml: no row has the column Title',
    ]);
  });

  it('drops and counts characters that XML forbids', async () => {
    const row = '<row Id="1" CreationDate="2020-01-01T00:00:00.000" DisplayName="A&#x0E;d\u0001a" />';
    expect(await read('users', `<users>${row}</users>`)).toEqual({
      rows: 1,
      problems: [],
      dropped: { 'control characters': 2 },
    });
  });
});
