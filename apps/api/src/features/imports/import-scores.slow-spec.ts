import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { findDump } from './dump-reader.js';
import { ImportIds } from './import-ids.js';
import { writeDump } from './testing/dump.fixture.js';
import { importInto, Installations } from './testing/import-session.fixture.js';
import { randomCommunity } from './testing/random-dump.fixture.js';

const REAL = join(import.meta.dirname, '../../../../../../shared/data/stackexchange-french-meta');
const installations = new Installations();

afterAll(() => installations.drop());

type Row = Record<string, string>;
interface Fact {
  readonly at: number;
  readonly rank: number;
  readonly id: number;
  readonly student: string;
  readonly merit: number;
  readonly impact: number;
}

const decoded = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));

async function rowsOf(folder: string, file: string): Promise<Row[]> {
  const xml = await readFile(join(folder, file), 'utf8');
  return [...xml.matchAll(/<row (.*?)\/>/gs)].map(([, text = '']) =>
    Object.fromEntries(
      [...text.matchAll(/([A-Za-z]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, decoded(value)]),
    ),
  );
}

/** Independent implementation of section 9 of the specification over the dump files. */
async function expectedScores(folder: string): Promise<Map<string, { merit: number; impact: number }>> {
  const posts = await rowsOf(folder, 'Posts.xml');
  const ownerOf = (row: Row): string => row['OwnerUserId'] ?? `~${row['OwnerDisplayName'] ?? 'deleted user'}`;
  const timeOf = (row: Row): number => Date.parse(`${row['CreationDate']}Z`);
  const place = new Map<string, { at: number; owner: string; isQuestion: boolean; question: Row }>();
  const facts: Fact[] = [];
  const earn = (
    at: number,
    rank: number,
    id: string | undefined,
    student: string,
    merit: number,
    impact: number,
  ): void => void facts.push({ at, rank, id: Number(id), student, merit, impact });

  for (const row of posts.filter(({ PostTypeId }) => PostTypeId === '1'))
    place.set(row['Id'] ?? '', { at: timeOf(row), owner: ownerOf(row), isQuestion: true, question: row });
  for (const row of posts.filter(({ PostTypeId }) => PostTypeId === '2')) {
    const question = place.get(row['ParentId'] ?? '');
    if (question?.isQuestion)
      place.set(row['Id'] ?? '', {
        at: Math.max(timeOf(row), question.at),
        owner: ownerOf(row),
        isQuestion: false,
        question: question.question,
      });
  }
  for (const [id, { at, owner, isQuestion }] of place) earn(at, isQuestion ? 3 : 4, id, owner, 0, 10);
  for (const row of await rowsOf(folder, 'Comments.xml')) {
    const post = place.get(row['PostId'] ?? '');
    const author = row['UserId'] ?? `~${row['UserDisplayName'] ?? 'deleted user'}`;
    if (post) earn(Math.max(timeOf(row), post.at), 5, row['Id'], author, 0, 2);
  }
  const accepted = new Map<string, number>();
  for (const row of await rowsOf(folder, 'Votes.xml')) {
    const [postId = '', type] = [row['PostId'], row['VoteTypeId']];
    const post = place.get(postId);
    if (!post) continue;
    const at = Math.max(timeOf(row), post.at);
    if (type === '2') earn(at, 6, row['Id'], post.owner, post.isQuestion ? 50 : 70, 0);
    if (type === '3') earn(at, 6, row['Id'], post.owner, -50, 0);
    if (type === '1') accepted.set(postId, Math.min(at, accepted.get(postId) ?? Infinity));
  }
  for (const [id, { at, owner, isQuestion, question }] of place) {
    if (isQuestion || question['AcceptedAnswerId'] !== id || owner === ownerOf(question)) continue;
    const when = accepted.get(id) ?? at;
    earn(when, 7, id, owner, 100, 0);
    earn(when, 7, id, ownerOf(question), 15, 0);
  }
  const scores = new Map<string, { merit: number; impact: number }>();
  const ofPeople = facts.filter(({ student }) => student !== '-1');
  for (const { student, merit, impact } of ofPeople.sort(
    (a, b) => a.at - b.at || a.rank - b.rank || a.id - b.id,
  )) {
    const before = scores.get(student) ?? { merit: 1, impact: 0 };
    scores.set(student, { merit: Math.max(1, before.merit + merit), impact: before.impact + impact });
  }
  return scores;
}

async function compare(folder: string): Promise<Readonly<Record<string, number>>> {
  const database = await installations.create();
  const { items, spaceId, files } = await importInto(database, folder);
  for (const { rows, imported, skipped } of files)
    expect(imported + skipped.reduce((sum, reason) => sum + reason.rows, 0)).toBe(rows);
  const ids = new ImportIds((await findDump(folder)).identity, 'Imported');
  const expected = Array.from(await expectedScores(folder), ([author, { merit, impact }]) => ({
    student: ids.student(author),
    merit,
    impact,
    score: merit + impact,
  }));
  const { rows } = await database
    .pool()
    .query<(typeof expected)[number]>(
      `select student_id as student, merit::int, impact::int, score::int from read.leaderboard where space_id = $1 order by 1`,
      [spaceId],
    );
  expect(rows.length).toBeGreaterThan(10);
  expect(rows).toEqual(expected.sort((a, b) => (a.student < b.student ? -1 : 1)));
  return items;
}

describe('leaderboard of an imported community', () => {
  it('matches the scores computed from a generated dump', async () => {
    const folder = await writeDump(randomCommunity(120));
    try {
      await compare(folder);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('matches the scores computed from a real dump, if available', async () => {
    if (!existsSync(REAL)) {
      process.stderr.write(`NOT TESTED: the real dump is not available (${REAL}).\n`);
      return;
    }
    expect(await compare(REAL)).toMatchObject({ question: 274, answer: 487, comment: 1305, accept: 76 });
  });
});
