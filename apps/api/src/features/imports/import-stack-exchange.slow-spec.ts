import { appendFile, copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainError, MAX_SPACE_NAME_LENGTH } from '@nimo/domain';
import { findManagedSpace, listSpaces } from '@nimo/projections';
import { type CliResult, expectCliError, resultOf, startNimo } from '../../../../../test/command-line.js';
import type { TestDatabase } from '@nimo/testing';
import { operatorContext, withProjections, withSession } from '../../cli/cli-session.js';
import { loadSettings } from '../../platform/config/load-settings.js';
import { Erasures } from '../erasure/erasures.js';
import { withImportLock } from './import-order.js';
import type { ImportReport } from './import-tally.js';
import { COMMUNITY, writeDump, type XmlRow } from './testing/dump.fixture.js';
import { waitForQueries } from '@nimo/event-store/testing';
import {
  catchUp,
  environmentOf,
  importInto,
  Installations,
  readSide,
  removeFrom,
} from './testing/import-session.fixture.js';
import { ImportError } from './dump-row.js';

const LOCK_STATISTICS = `begin; select 1 from read.projection_generations where name = 'statistics' for update`;
const LAGGING = `select name from read.projection_generations where status = 'live'
  and position is distinct from (select max(position) from read.projection_generations)`;
const IN_USE = new ImportError('This import is running or being removed. Try again once that has finished.');
interface ImportedPost {
  readonly id: string;
  readonly author: string;
  readonly text: string;
}

const installations = new Installations();
const folders: string[] = [];

async function newDump(...parameters: Parameters<typeof writeDump>): Promise<string> {
  const folder = await writeDump(...parameters);
  folders.push(folder);
  return folder;
}

afterAll(async () => {
  await installations.drop();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
});

describe('Stack Exchange import', () => {
  let folder: string;
  let database: TestDatabase;
  let report: ImportReport;

  const rows = async (statement: string): Promise<Record<string, unknown>[]> =>
    (await database.pool().query<Record<string, unknown>>(statement)).rows;

  beforeAll(async () => {
    folder = await newDump(COMMUNITY);
    database = await installations.create();
    report = await importInto(database, folder);
  });

  it('accounts for every row as imported or skipped', () => {
    const skippedOf = (file: string): unknown =>
      Object.fromEntries(
        (report.files.find((one) => one.file === file)?.skipped ?? []).map(({ reason, rows: count }) => [
          reason,
          count,
        ]),
      );
    for (const { rows: all, imported, skipped } of report.files)
      expect(imported + skipped.reduce((sum, { rows: count }) => sum + count, 0)).toBe(all);
    expect(report.isComplete).toBe(true);
    expect(skippedOf('users')).toEqual({ 'a duplicate ID': 1 });
    expect(skippedOf('posts')).toEqual({
      'a wiki page or other type of post': 1,
      'its question is missing from the dump or was skipped': 1,
      'rejected by Nimo: Please add your answer': 1,
      'rejected by Nimo: Text can’t be longer than 64 KB.': 1,
    });
    expect(skippedOf('comments')).toEqual({
      'its post is missing from the dump or was skipped': 3,
      'rejected by Nimo: Comment should not be empty!': 1,
    });
    expect(skippedOf('votes')).toEqual({
      'its post is missing from the dump or was skipped': 1,
      'a duplicate bookmark': 1,
      'a bookmark of an answer': 1,
      'a spam flag': 1,
      'an unknown vote type': 1,
      'accepted by its own author': 1,
      'not, or no longer, the accepted answer': 1,
    });
  });

  it('assigns unique user names and keeps display names', async () => {
    const students = await rows(
      'select user_name, first_name, phone from read.students where not is_stand_in order by 2',
    );
    expect(students).toEqual(
      expect.arrayContaining([
        { user_name: 'Gaelle_Oeuvrard', first_name: 'Gaëlle Œuvrard', phone: null },
        { user_name: 'gaelle_oeuvrard_2', first_name: 'gaelle oeuvrard', phone: null },
        { user_name: 'user_2020', first_name: '2020', phone: null },
        { user_name: 'user_4', first_name: '日本', phone: null },
        { user_name: 'Elodie_b', first_name: 'Élodie <b>', phone: null },
        { user_name: 'user99', first_name: 'user99', phone: null },
      ]),
    );
    expect(students).toHaveLength(7);
  });

  it('keeps dates, but dates nothing before its parent', async () => {
    const [first] = await rows(`select created_at from read.questions where title = 'Question 1'`);
    expect(first).toEqual({ created_at: new Date('2020-01-06T12:00:00.000Z') });
    const early = await rows(`
      select a.answer_id from read.answers a join read.questions q using (question_id) where a.created_at < q.created_at
      union all
      select f.post_id from read.score_facts f join read.questions q on q.question_id = f.post_id where f.occurred_at < q.created_at
      union all
      select f.post_id from read.score_facts f join read.answers a on a.answer_id = f.post_id where f.occurred_at < a.created_at`);
    expect(early).toEqual([]);
  });

  it('sanitises bodies, resolves unambiguous mentions and keeps other text', async () => {
    const [question] = await rows(`select body from read.questions where title = 'Question 6'`);
    expect(question).toEqual({ body: '<p>Hi</p>' });
    const comments = await rows(`
      select c.body, coalesce(s.first_name, '') as mentioned from read.comments c
      left join read.students s on c.body like '%' || s.student_id || '%' order by c.created_at, c.body`);
    expect(comments).toContainEqual({
      body: expect.stringMatching(/^Do you mean this, @\[[0-9a-f-]{36}\]\?$/),
      mentioned: 'Gaëlle Œuvrard',
    });
    expect(comments).toContainEqual({
      body: expect.stringMatching(/^@\[[0-9a-f-]{36}\] yes\. @nobody knows, mail a@example\.org, `x < y`$/),
      mentioned: 'gaelle oeuvrard',
    });
    expect(comments).toContainEqual({
      body: 'arr @[0], @[Gaelle_Oeuvrard], @[00000000-0000-4000-8000-000000000000]',
      mentioned: '',
    });
  });

  it('casts votes through stand-ins, which are not ranked', async () => {
    expect(report.items).toMatchObject({ 'stand-in': 3, up: 3, down: 3 });
    expect(await rows(`select count(*)::int as votes from read.students where is_stand_in`)).toEqual([
      { votes: 3 },
    ]);
    expect(
      await rows(
        'select l.student_id from read.leaderboard l join read.students s using (student_id) where s.is_stand_in',
      ),
    ).toEqual([]);
  });

  it('imports accepted answers with or without a date, except self-accepted ones', async () => {
    expect(
      await rows(`select title from read.questions where accepted_answer_id is not null order by title`),
    ).toEqual([{ title: 'Question 1' }, { title: `${'x'.repeat(299)}…` }]);
  });

  it('is idempotent', async () => {
    const before = await readSide(database.pool());
    const events = await rows('select count(*)::int from log.events');
    const again = await importInto(database, folder);
    expect({ ...again, seconds: 0 }).toEqual({
      ...report,
      seconds: 0,
      state: 'complete',
      existing: report.items,
    });
    expect(await rows('select count(*)::int from log.events')).toEqual(events);
    expect(await readSide(database.pool())).toEqual(before);
  });

  it('rejects the name of an existing space regardless of case', async () => {
    const other = await newDump({ ...COMMUNITY, votes: [] });
    await expect(importInto(database, other, { spaceName: 'IMPORTED' })).rejects.toThrow(
      new ImportError(
        'A space named "IMPORTED" already exists and was not imported from this dump. Choose another name with --space, or pass the --origin of its import.',
      ),
    );
  });

  it('rejects a name that differs only in invisible characters', async () => {
    const other = await newDump({ ...COMMUNITY, votes: [] });
    await expect(importInto(database, other, { spaceName: 'Imported\u200b' })).rejects.toThrow(
      /A space named "Imported" already exists and was not imported from this dump/,
    );
  });

  it('rejects a name that is too long, even in a dry run', async () => {
    const spaceName = 'x'.repeat(MAX_SPACE_NAME_LENGTH + 1);
    for (const isDryRun of [true, false])
      await expect(importInto(database, folder, { spaceName, isDryRun })).rejects.toThrow(
        new DomainError('SPACE_NAME_TOO_LONG', { max: MAX_SPACE_NAME_LENGTH }),
      );
  });

  it('imports the same dump under another name, keeping user names unique', async () => {
    await importInto(database, folder, { spaceName: 'Second' });
    const [counted] =
      await rows(`select count(*)::int as students, count(distinct lower(user_name))::int as names
      from read.students where not is_stand_in`);
    expect(counted).toEqual({ students: 14, names: 14 });
  });

  it('waits for every projection, even a delayed one', async () => {
    const target = await installations.create();
    const pool = target.pool();
    const holder = await pool.connect();
    let held: Promise<unknown> = Promise.resolve();
    let released: Promise<unknown> = Promise.resolve();
    await importInto(target, folder, {
      onProgress({ phase, done }) {
        if (phase === 'importing' && done === 1) held = holder.query(LOCK_STATISTICS);
        if (phase === 'following')
          released = held.then(() => waitForQueries(pool)).then(() => holder.query('rollback'));
      },
    });
    const { rows: behind } = await pool.query(LAGGING);
    await released;
    holder.release();
    expect(behind).toEqual([]);
  });

  it.each([1, 4, 9, 17, 27])(
    'gives the same result after two interruptions, the first after %i steps',
    async (steps) => {
      const target = await installations.create();
      for (const stopAfter of [steps, steps + 6]) {
        const stopping = new AbortController();
        const outcome = await importInto(target, folder, {
          signal: stopping.signal,
          onProgress: ({ phase, done }) => phase === 'importing' && done === stopAfter && stopping.abort(),
        });
        expect(outcome.isComplete).toBe(false);
      }
      await importInto(target, folder);
      const reference = await installations.create();
      await importInto(reference, folder);
      expect(await readSide(target.pool())).toEqual(await readSide(reference.pool()));
    },
  );
});

describe('unfinished Stack Exchange import', () => {
  const eventsIn = async (database: TestDatabase): Promise<number> =>
    (await database.pool().query('select from log.events')).rowCount ?? 0;

  const spaceIdIn = async (database: TestDatabase): Promise<string> => {
    const { rows } = await database
      .pool()
      .query<{ id: string }>(`select data ->> 'spaceId' as id from log.events where type = 'SpaceCreated'`);
    return rows[0]?.id ?? '';
  };
  const importHalf = (database: TestDatabase, folder: string): Promise<ImportReport> => {
    const stopping = new AbortController();
    return importInto(database, folder, {
      signal: stopping.signal,
      onProgress: ({ phase, done }) => phase === 'importing' && done === 20 && stopping.abort(),
    });
  };

  it('is predicted by a dry run that writes nothing', async () => {
    const folder = await newDump(COMMUNITY);
    const database = await installations.create();
    const before = await eventsIn(database);
    const dry = await importInto(database, folder, { isDryRun: true });
    expect(dry).toMatchObject({ isDryRun: true, state: 'new', existing: {} });
    expect(await eventsIn(database)).toBe(before);
    const real = await importInto(database, folder);
    expect(dry.items).toEqual(real.items);
    expect(dry.files).toEqual(real.files);
    const again = await importInto(database, folder, { isDryRun: true });
    expect(again).toMatchObject({ state: 'complete', existing: real.items, items: real.items });
  });

  it('drops invalid tags and names, as the dry run predicts', async () => {
    const longer = '\u0958'.repeat(60);
    const { users = [], posts = [] } = COMMUNITY;
    const odd: Readonly<Record<number, XmlRow>> = {
      1: { Tags: `<${'x'.repeat(101)}>` },
      4: { Tags: '<grammar><\u200b>' },
      7: { OwnerDisplayName: longer },
    };
    const folder = await newDump({
      ...COMMUNITY,
      users: users.map((user) =>
        user['DisplayName'] === 'Élodie <b>' ? { ...user, DisplayName: longer } : user,
      ),
      posts: posts.map((post) => ({ ...post, ...odd[Number(post['Id'])] })),
    });
    const database = await installations.create();
    const dry = await importInto(database, folder, { isDryRun: true });
    const real = await importInto(database, folder);
    expect(real.isComplete).toBe(true);
    expect({ files: real.files, items: real.items }).toEqual({ files: dry.files, items: dry.items });
    expect(real.files.find(({ file }) => file === 'posts')?.changed).toContainEqual({
      what: 'tags dropped',
      count: 2,
    });
    expect(real.items).toMatchObject({ topic: 2, accept: 2 });
  });

  it('hides the space until it is complete', async () => {
    const folder = await newDump(COMMUNITY);
    const database = await installations.create();
    const half = await importHalf(database, folder);
    await catchUp(database);
    const pool = database.pool();
    expect(half.isComplete).toBe(false);
    expect((await findManagedSpace(pool, half.spaceId))?.entry).toBe('IMPORTING');
    expect(await listSpaces(pool, null)).toEqual([]);
    const dry = await importInto(database, folder, { isDryRun: true });
    expect(dry.state).toBe('unfinished');
    expect(dry.existing['person']).toBeGreaterThan(0);
    expect(await importInto(database, folder)).toMatchObject({ state: 'unfinished', isComplete: true });
    expect(await listSpaces(pool, null)).toMatchObject([{ _id: half.spaceId, entry: 'OPEN' }]);
  });

  it('can be removed with its accounts and imported again', async () => {
    const folder = await newDump(COMMUNITY);
    const database = await installations.create();
    const half = await importHalf(database, folder);
    const pool = database.pool();
    const namesOf = async (spaceId: string): Promise<readonly string[]> => {
      const { rows } = await pool.query<{ user_name: string }>(
        'select user_name from read.students where $1 = any(space_ids) and not is_stand_in order by 1',
        [spaceId],
      );
      return rows.map(({ user_name }) => user_name);
    };
    const accounts = await removeFrom(database, half.spaceId);
    const asked = await pool.query(`select from log.events where type = 'ErasureAsked'`);
    expect(accounts).toBeGreaterThan(0);
    expect(asked.rowCount).toBe(accounts);
    expect(await importInto(database, folder, { isDryRun: true })).toMatchObject({ state: 'new' });
    const whole = await importInto(database, folder);
    expect(whole).toMatchObject({ state: 'new', isComplete: true });
    expect((await listSpaces(pool, null)).map(({ _id }) => _id)).toEqual([whole.spaceId]);
    expect(await namesOf(whole.spaceId)).toEqual([
      'Community',
      'Elodie_b',
      'Gaelle_Oeuvrard',
      'gaelle_oeuvrard_2',
      'user99',
      'user_2020',
      'user_4',
    ]);
    await expect(removeFrom(database, whole.spaceId)).rejects.toThrow(ImportError);
    expect((await pool.query(`select from log.events where type = 'ErasureAsked'`)).rowCount).toBe(accounts);
  });

  it('completes after the erasure of one of its accounts, without the name and texts', async () => {
    const folder = await newDump(COMMUNITY);
    const [reference, database] = [await installations.create(), await installations.create()];
    const postsIn = async (from: TestDatabase): Promise<readonly ImportedPost[]> => {
      const { rows } = await from.pool().query<ImportedPost>(
        `select question_id as id, author_id as author, title || body as text from read.questions
         union all select answer_id, author_id, body from read.answers
         union all select comment_id, author_id, body from read.comments order by id`,
      );
      return rows;
    };
    await importInto(reference, folder);
    await importHalf(database, folder);
    await catchUp(database);
    const before = new Set((await postsIn(database)).map(({ id }) => id));
    const expected = await postsIn(reference);
    const { rows: imported } = await database
      .pool()
      .query<{ id: string }>('select student_id as id from read.students where not is_stand_in');
    // Someone with posts before and after the erasure.
    const erased = imported.find(({ id }) =>
      [true, false].every((isBefore) =>
        expected.some((post) => post.author === id && before.has(post.id) === isBefore),
      ),
    )?.id;
    if (erased === undefined) throw new Error('no author has posts in both halves');
    await withSession(
      ({ container, runtime }) =>
        withProjections(runtime, () =>
          container.get(Erasures, { strict: false }).eraseRestored([{ studentId: erased, withWords: true }]),
        ),
      loadSettings({ ...environmentOf(database.url), NIMO_DATA_DIR: folder }),
    );
    expect(await importInto(database, folder)).toMatchObject({ state: 'unfinished', isComplete: true });
    expect(await postsIn(database)).toEqual(
      expected.map((post) => (post.author === erased ? { ...post, text: '' } : post)),
    );
    const { rows } = await database
      .pool()
      .query('select user_name, first_name, is_erased from read.students where student_id = $1', [erased]);
    expect(rows).toEqual([{ user_name: null, first_name: null, is_erased: true }]);
  });

  it('holds the lock until it is complete', async () => {
    const database = await installations.create();
    const settings = loadSettings(environmentOf(database.url));
    const holder = await database.pool().connect();
    let held: Promise<unknown> = Promise.resolve();
    let other: Promise<unknown> | undefined;
    const entered = async (): Promise<unknown> => {
      await held;
      const spaceId = await spaceIdIn(database);
      const lock = withImportLock({ settings }, spaceId, () => Promise.resolve('acquired'));
      const outcome: unknown = await lock.catch((error: unknown) => error);
      await holder.query('rollback');
      return outcome;
    };
    const report = await importInto(database, await newDump(COMMUNITY), {
      onProgress({ phase, done }) {
        if (phase === 'importing' && done === 1) held = holder.query(LOCK_STATISTICS);
        if (phase !== 'following') return;
        other ??= entered();
      },
    });
    holder.release();
    expect(await other).toEqual(IN_USE);
    expect(report.isComplete).toBe(true);
  });

  it('is neither resumed nor removed while another process holds the lock', async () => {
    const folder = await newDump(COMMUNITY);
    const database = await installations.create();
    const { spaceId } = await importHalf(database, folder);
    const before = await eventsIn(database);
    const settings = loadSettings(environmentOf(database.url));
    await withImportLock({ settings }, spaceId, () =>
      Promise.all([
        expect(importInto(database, folder)).rejects.toThrow(IN_USE),
        expect(removeFrom(database, spaceId)).rejects.toThrow(IN_USE),
        expect(importInto(database, folder, { isDryRun: true })).resolves.toMatchObject({
          state: 'unfinished',
        }),
      ]),
    );
    expect(await eventsIn(database)).toBe(before);
  });

  it('is not resumed after an interrupted removal, which can be repeated', async () => {
    const folder = await newDump(COMMUNITY);
    const database = await installations.create();
    const { spaceId } = await importHalf(database, folder);
    const countOf = async (type: string): Promise<number> =>
      (await database.pool().query('select from log.events where type = $1', [type])).rowCount ?? 0;
    const people = await countOf('StudentImported');
    let commands = 0;
    const killed = removeFrom(database, spaceId, () => {
      if (++commands === 4) throw new Error('killed');
      return operatorContext('ada');
    });
    await expect(killed).rejects.toThrow('killed');
    expect(await countOf('ErasureAsked')).toBe(2);
    const whole = await importInto(database, folder);
    expect(whole).toMatchObject({ state: 'new', isComplete: true });
    expect(whole.spaceId).not.toBe(spaceId);

    const remove = (named: string): Promise<CliResult> =>
      startNimo(environmentOf(database.url), 'import', 'remove', named, '--yes', '--json').ended;
    expect(resultOf(await remove('imported'))).toEqual({ space: spaceId, accounts: people - 2 });
    expect(await countOf('ErasureAsked')).toBe(people);
    expectCliError(await remove(spaceId), 1, /No space has the name or ID/);
  });

  it('keeps its accounts when the space of a complete import was deleted', async () => {
    const database = await installations.create();
    const { spaceId } = await importInto(database, await newDump(COMMUNITY));
    const nimo = (...args: string[]): Promise<CliResult> =>
      startNimo(environmentOf(database.url), ...args).ended;
    resultOf(await nimo('space', 'archive', spaceId, '--yes', '--json'));
    resultOf(await nimo('space', 'delete', spaceId, '--confirm', 'Imported', '--json'));
    for (const named of [spaceId, 'Imported'])
      expectCliError(await nimo('import', 'remove', named, '--yes'), 1, /No space has the name or ID/);
    await expect(removeFrom(database, spaceId)).rejects.toThrow(ImportError);
    const asked = await database.pool().query(`select from log.events where type = 'ErasureAsked'`);
    expect(asked.rowCount).toBe(0);
  });

  it('counts dropped characters and resolved links', async () => {
    const folder = await newDump(COMMUNITY);
    const file = join(folder, 'Posts.xml');
    const text = await readFile(file, 'utf8');
    await writeFile(
      file,
      text
        .replace('About 1&#60;', 'Ab&#x0E;out\u0001 &#60;a href="/tour"&#62;1&#60;/a&#62;&#60;')
        .replaceAll('"/tour"', '&#34;/tour&#34;'),
    );
    const database = await installations.create();
    const { files } = await importInto(database, folder, { origin: 'https://french.example/' });
    expect(files.find((one) => one.file === 'posts')?.changed).toEqual([
      { what: 'relative links made absolute', count: 1 },
      { what: 'titles cut', count: 1 },
      { what: 'control characters dropped', count: 2 },
    ]);
    const { rows } = await database
      .pool()
      .query<{ body: string }>(`select body from read.questions where title = 'Question 1'`);
    expect(rows[0]?.body).toContain('About <a href="https://french.example/tour"');
  });
});

describe('invalid dump', () => {
  /** Returns the reported problems and checks that nothing was imported. */
  const problemsOf = async (folder: string): Promise<readonly string[]> => {
    const database = await installations.create();
    const error: unknown = await importInto(database, folder).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ImportError);
    expect((await database.pool().query('select from log.events')).rowCount).toBe(0);
    const [, ...problems] = (error as ImportError).message.split('\n');
    return problems.map((line) => line.trim());
  };

  it('is rejected with all problems in its files', async () => {
    const folder = await newDump(COMMUNITY);
    await rm(join(folder, 'Users.xml'));
    await rm(join(folder, 'Comments.xml'));
    await writeFile(join(folder, 'Votes.xml'), '<!DOCTYPE html>\n<html></html>');
    const posts = await readFile(join(folder, 'Posts.xml'), 'utf8');
    await writeFile(
      join(folder, 'Posts.xml'),
      posts.replace(/CreationDate="2020/, 'Mood="3" CreationDate="2099'),
    );
    expect(await problemsOf(folder)).toEqual([
      `Users.xml: missing in ${folder}`,
      `Comments.xml: missing in ${folder}`,
      'Posts.xml, line 3: unknown column "Mood"',
      'Posts.xml, line 3: CreationDate is in the future',
      'Votes.xml, line 2: the root element is <html>, not <votes>',
    ]);
  });

  it('is rejected if a file has the name of another', async () => {
    const folder = await newDump(COMMUNITY);
    await copyFile(join(folder, 'Users.xml'), join(folder, 'Posts.xml'));
    expect(await problemsOf(folder)).toEqual(['Posts.xml, line 2: the root element is <users>, not <posts>']);
  });

  it('is rejected if its files are from different communities', async () => {
    const { comments = [] } = COMMUNITY;
    const elsewhere = comments.map((comment) => ({ ...comment, PostId: Number(comment['PostId']) + 1000 }));
    const folder = await newDump({ ...COMMUNITY, comments: elsewhere });
    expect(await problemsOf(folder)).toEqual([
      'Comments.xml: 8 of 8 rows have a PostId that is not in Posts.xml: the files are from different dumps',
    ]);
  });

  it('is rejected if it is empty', async () => {
    expect(await problemsOf(await newDump({}))).toEqual(['Users.xml: has no rows', 'Posts.xml: has no rows']);
  });

  it('counts as another dump after a change', async () => {
    const folder = await newDump(COMMUNITY);
    const database = await installations.create();
    await importInto(database, folder);
    await appendFile(join(folder, 'Votes.xml'), '\n');
    await expect(importInto(database, folder)).rejects.toThrow(/was not imported from this dump/);
  });
});
