import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandBus } from '@nestjs/cqrs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { ZipFile } from 'yazl';
import type { TestDatabase } from '../../../../../../test/postgres.js';
import { unzipped } from '../../../../../../test/unzipped.js';
import type { FileStore } from '../../../platform/adapters/files/file-store.js';
import { FolderFiles } from '../../../platform/adapters/files/folder-files.js';
import { type CliSession, inSession, operatorContext, withProjections } from '../../../cli/cli-session.js';
import { loadSettings } from '../../../platform/config/load-settings.js';
import type { ArchivedFile } from '../../space-archive/archive-format.js';
import { makeArchive, type MadeArchive } from '../../space-archive/archive-maker.js';
import { Claims } from '../../accounts/claims.js';
import { readRows } from '../dump-reader.js';
import { type NumberedRow, DUMP_FILES, FILE_NAMES, ImportError } from '../dump-row.js';
import { FileCheck } from '../file-check.js';
import { follow } from '../import-order.js';
import { environmentOf, Installations } from '../testing/import-session.fixture.js';
import { removeImport } from '../remove-import.js';
import { type ArchiveImport, type ArchiveReport, importArchive } from './import-archive.js';
import { busySpace, type BusySpace, KEY } from './testing/busy-space.fixture.js';

const installations = new Installations();
let folder: string;
let source: Installation;
let busy: BusySpace;
let made: MadeArchive;
let archive: string;
let picture: Buffer;

const filesOf = (installation: string): FileStore => new FolderFiles(join(folder, installation));
const nothing = (): void => undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'space-archive-'));
  archive = join(folder, 'space.zip');
  picture = await sharp({ create: { width: 9, height: 7, channels: 3, background: '#2563eb' } })
    .webp()
    .toBuffer();
  for (const place of ['pictures', 'thumbnails'])
    await filesOf('source').put(`${place}/${KEY}`, picture, 'image/webp');
  source = await installed('source');
  busy = busySpace();
  const { runtime } = source.session;
  for (const append of busy.past.appends) await runtime.store.append([append]);
  await busy.erase(runtime);
  made = await exported(source, busy.spaceId, archive);
});
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
  await installations.drop();
  await rm(folder, { recursive: true, force: true });
});

interface Installation {
  readonly name: string;
  readonly database: TestDatabase;
  readonly session: CliSession;
}

const closing: (() => Promise<unknown>)[] = [];

/** A database of its own with the command line at work in it, until all tests are over. */
async function installed(name: string): Promise<Installation> {
  const database = await installations.create();
  let end: () => void = nothing;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return new Promise((resolve, reject) => {
    const closed = inSession(
      (session) =>
        withProjections(session.runtime, () => {
          resolve({ name, database, session });
          return ended;
        }),
      loadSettings(environmentOf(database.url)),
    );
    closed.catch(reject);
    closing.push(() => (end(), closed));
  });
}

const exported = async (
  { name, session: { runtime } }: Installation,
  id: string,
  to: string,
): Promise<MadeArchive> => {
  await follow(runtime, new AbortController().signal, nothing);
  return makeArchive({
    ...{ store: runtime.store, pool: runtime.pool, waiter: runtime.waiter, files: filesOf(name), to },
    space: { id, name: 'French' },
    onProgress: nothing,
  });
};

const importInto = (
  { name, session: { container, runtime } }: Installation,
  file: string,
  changes: Partial<ArchiveImport> = {},
): Promise<ArchiveReport> =>
  importArchive({
    ...{ runtime, commands: container.get(CommandBus, { strict: false }), files: filesOf(name) },
    ...{ file, spaceName: 'French', otherRules: false, operator: 'ada' },
    signal: new AbortController().signal,
    onProgress: nothing,
    ...changes,
  });

const rowsOf = async (
  { database }: Installation,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> =>
  (await database.pool().query<Record<string, unknown>>(text, values)).rows;

/** What is compared: by titles, texts and names, as ids are others. Words of what is deleted for good stay behind. */
const VIEWS: Readonly<Record<string, string>> = {
  space: `select description, color, entry, has_public_pages, is_hidden_from_search_engines from read.spaces where space_id = $1`,
  questions: `
    select case when q.is_deleted then '' else q.title end as title, q.is_deleted or q.tags = '{Accents}' as tagged,
      case when q.is_deleted then '' else regexp_replace(q.body, '/media/[^"]+', 'a picture') end as body, q.created_at, q.edited_at, q.answer_count, q.comments_count, q.is_removed, q.is_upheld,
      (select count(*)::int from unnest(q.image_urls) url where url like '/media/%') as pictures, s.first_name, s.is_erased, accepted.body as accepted
    from read.questions q left join read.students s on s.student_id = q.author_id
    left join read.answers accepted on accepted.answer_id = q.accepted_answer_id
    where q.space_id = $1 order by q.created_at`,
  answers: `
    select a.body, a.created_at, a.edited_at, a.comments_count, a.is_removed, s.first_name, q.title
    from read.answers a left join read.students s on s.student_id = a.author_id join read.questions q using (question_id)
    where a.space_id = $1 order by a.created_at`,
  comments: `
    select c.created_at, c.is_removed, s.first_name, mentioned.first_name as mentioned
    from read.comments c left join read.students s on s.student_id = c.author_id
    left join read.students mentioned on c.body like '%@[' || mentioned.student_id || ']%'
    where c.space_id = $1 order by c.created_at`,
  votes: `
    select coalesce(q.title, a.body) as post, s.first_name, s.is_erased, v.direction, v.is_held, cardinality(v.invalid_in) as invalid
    from read.votes v left join read.questions q on q.question_id = v.post_id left join read.answers a on a.answer_id = v.post_id
    join read.students s on s.student_id = v.voter_id where coalesce(q.space_id, a.space_id) = $1 order by 1, 2, 4`,
  leaderboard: `
    select s.first_name, s.is_erased, l.merit, l.impact, l.score, l.questions_asked, l.questions_answered, l.answers_accepted
    from read.leaderboard l join read.students s using (student_id) where l.space_id = $1
    order by l.score desc, l.last_ordinal, s.first_name`,
  facts: `
    select s.first_name, f.kind, f.held, f.standing, cardinality(f.invalidated_by) as invalid, f.round, f.occurred_at
    from read.score_facts f join read.students s using (student_id) where f.space_id = $1 order by f.ordinal, 1, 2`,
  members: `
    select s.first_name, s.is_erased, m.joined_at, m.left_at from read.memberships m join read.students s using (student_id)
    where m.space_id = $1 order by m.joined_at, 1`,
  bookmarks: `
    select s.first_name, q.title, b.saved_at from read.bookmarks b join read.students s using (student_id)
    join read.questions q using (question_id) where b.space_id = $1 order by 1, 2`,
  reports: `
    select s.first_name, r.post_type, r.reason from read.post_reports r join read.students s on s.student_id = r.reporter_id
    where r.space_id = $1 order by 1, 2`,
};

const seenIn = async (installation: Installation, spaceId: string): Promise<Record<string, unknown>> => {
  const seen: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(VIEWS)) seen[name] = await rowsOf(installation, text, [spaceId]);
  return seen;
};

/** All that an import could leave behind. */
const traces = async (installation: Installation): Promise<unknown> =>
  rowsOf(
    installation,
    `select (select count(*)::int from log.events) as events, (select count(distinct stream_id)::int from log.events) as streams,
       (select count(*)::int from state.upload) as uploads, (select count(*)::int from state.student_key) as keys,
       (select count(*)::int from read.spaces) as spaces, (select count(*)::int from read.students) as students`,
  );

type Files = Map<string, Buffer>;
/** The archive with other files in it, as whoever has a ZIP program can make it. */
async function changed(change: (files: Files) => void): Promise<string> {
  const files: Files = new Map(await unzipped(await readFile(archive)));
  change(files);
  const zip = new ZipFile();
  for (const [name, bytes] of files) zip.addBuffer(bytes, name);
  zip.end();
  const pieces: Buffer[] = [];
  for await (const piece of zip.outputStream as AsyncIterable<Buffer>) pieces.push(piece);
  const path = join(
    folder,
    `changed-${createHash('sha256').update(Buffer.concat(pieces)).digest('hex')}.zip`,
  );
  await writeFile(path, Buffer.concat(pieces));
  return path;
}

const given = (files: Files, name: string): Buffer => {
  const bytes = files.get(name);
  if (!bytes) throw new Error(`the archive lacks ${name}`);
  return bytes;
};

/** Somebody who also wrote the hashes anew. */
function rewrite(files: Files, name: string, change: (text: string) => string): void {
  const bytes = Buffer.from(change(given(files, name).toString('utf8')));
  files.set(name, bytes);
  inManifest(files, (manifest) => ({
    ...manifest,
    files: (manifest['files'] as ArchivedFile[]).map((file) =>
      file.name === name
        ? { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
        : file,
    ),
  }));
}

function inManifest(
  files: Files,
  change: (manifest: Record<string, unknown>) => Record<string, unknown>,
): void {
  const manifest = JSON.parse(given(files, 'manifest.json').toString('utf8')) as Record<string, unknown>;
  files.set('manifest.json', Buffer.from(JSON.stringify(change(manifest))));
}

describe('a space that leaves and arrives', () => {
  let target: Installation;
  let report: ArchiveReport;

  beforeAll(async () => {
    target = await installed('target');
    report = await importInto(target, archive, { fingerprint: made.fingerprint });
  });

  it('has the same questions, votes, scores and leaderboard', async () => {
    const [there, here] = [await seenIn(source, busy.spaceId), await seenIn(target, report.spaceId)];
    for (const name of Object.keys(VIEWS)) {
      expect({ [name]: here[name] }).toEqual({ [name]: there[name] });
      expect({ [name]: (here[name] as unknown[]).length }).not.toEqual({ [name]: 0 });
    }
    expect(
      await rowsOf(target, 'select user_name from read.students where user_name in ($1, $2)', ['ann', 'bob']),
    ).toHaveLength(2);
    expect(report).toMatchObject({ isComplete: true, space: 'French', fingerprint: made.fingerprint });
  });

  it('has its pictures, under keys of its own', async () => {
    const [question] = await rowsOf(
      target,
      `select image_urls, body from read.questions where space_id = $1 and cardinality(image_urls) > 0`,
      [report.spaceId],
    );
    const [location = ''] = question?.['image_urls'] as string[];
    const key = location.slice('/media/'.length);
    expect(key).not.toBe(KEY);
    expect(question?.['body']).toContain(`src="${location}"`);
    expect(await filesOf('target').get(`pictures/${key}`)).toEqual(picture);
    expect(await rowsOf(target, 'select key, status from state.upload')).toEqual([{ key, status: 'ready' }]);
  });

  it('brings whoever was erased without a name, for good', async () => {
    expect(
      await rowsOf(
        target,
        'select user_name, first_name, last_name, profile_desc, is_erased from read.students where is_erased',
      ),
    ).toEqual([{ user_name: null, first_name: null, last_name: null, profile_desc: null, is_erased: true }]);
    for (const [name, bytes] of await unzipped(await readFile(archive)))
      expect({ name, names: bytes.includes(busy.erasedName) }).toEqual({ name, names: false });
  });

  it('leaves accounts, roles and words of the staff where they are', async () => {
    const text = Buffer.concat([...(await unzipped(await readFile(archive))).values()]).toString('utf8');
    for (const hidden of busy.hidden) expect(text).not.toContain(hidden);
    expect(await rowsOf(target, 'select phone, email from read.students where phone is not null')).toEqual(
      [],
    );
    expect(await rowsOf(target, 'select * from read.student_roles')).toEqual([]);
  });

  it('comes in once, however often it is imported', async () => {
    const before = await traces(target);
    expect(await importInto(target, archive)).toMatchObject({ spaceId: report.spaceId, isComplete: true });
    expect(await traces(target)).toEqual(before);
  });

  it('can leave again as it came', async () => {
    const again = join(folder, 'again.zip');
    await exported(target, report.spaceId, again);
    const third = await installed('third');
    const { spaceId } = await importInto(third, again);
    expect((await seenIn(third, spaceId))['leaderboard']).toEqual(
      (await seenIn(source, busy.spaceId))['leaderboard'],
    );
  });

  it('can be read by other programs as a dump of Stack Exchange', async () => {
    const files = await unzipped(await readFile(archive));
    const rows: Record<string, Readonly<Record<string, string>>[]> = {};
    for (const file of DUMP_FILES) {
      const path = join(folder, FILE_NAMES[file]);
      await writeFile(path, files.get(FILE_NAMES[file]) ?? '');
      const check = new FileCheck(file, new Date());
      const found: NumberedRow[] = [];
      for await (const some of readRows(path, check)) found.push(...some);
      for (const row of found) check.row(row);
      expect(check.problems()).toEqual([]);
      rows[file] = found.map(({ attributes }) => attributes);
    }
    expect(rows['posts']?.map(({ PostTypeId }) => PostTypeId)).toEqual(busy.dump.posts);
    expect(rows['users']?.map(({ DisplayName }) => DisplayName)).toContain('Deleted student');
    expect(rows['votes']?.map(({ VoteTypeId }) => VoteTypeId).sort()).toEqual(busy.dump.votes);
    expect(rows['votes']?.filter(({ VoteTypeId }) => VoteTypeId !== '5').every(({ UserId }) => !UserId)).toBe(
      true,
    );
    expect(String(files.get('Tags.xml'))).toMatch(/<row Id="1" TagName="Accents"/);
  });
});

describe('what is not imported, and leaves nothing', () => {
  let target: Installation;
  let before: unknown;

  beforeAll(async () => {
    target = await installed('refusing');
    // Everything that an import needs is there, and nothing of this one.
    await importInto(target, await minimal(), { spaceName: 'Before' });
    before = await traces(target);
  });

  const minimal = async (): Promise<string> => {
    const to = join(folder, 'minimal.zip');
    await exported(source, busy.otherSpaceId, to);
    return to;
  };

  const refused = async (
    file: string,
    words: RegExp,
    changes: Partial<ArchiveImport> = {},
  ): Promise<void> => {
    const error: unknown = await importInto(target, file, changes).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ImportError);
    expect((error as ImportError).message).toMatch(words);
    expect(await traces(target)).toEqual(before);
    expect(await readdir(join(folder, 'refusing')).catch(() => [])).toEqual([]);
  };

  it('a file in which a byte was altered', async () => {
    const bytes = await readFile(archive);
    const name = bytes.indexOf('events.jsonl');
    const altered = Buffer.from(bytes);
    altered.writeUInt8((altered.readUInt8(name + 200) + 1) % 256, name + 200);
    await writeFile(join(folder, 'altered.zip'), altered);
    await refused(join(folder, 'altered.zip'), /events\.jsonl in altered\.zip is not what was exported/);
    const path = await changed((files) => {
      const events = Buffer.from(given(files, 'events.jsonl'));
      events.writeUInt8(events.readUInt8(events.length - 20) ^ 1, events.length - 20);
      files.set('events.jsonl', events);
    });
    await refused(path, /events\.jsonl .* is not what was exported: it was altered or damaged on the way/);
  });

  it('a file that is cut off, is no ZIP, or is not there', async () => {
    const bytes = await readFile(archive);
    await writeFile(join(folder, 'half.zip'), bytes.subarray(0, bytes.length / 2));
    await refused(join(folder, 'half.zip'), /half\.zip cannot be read as a ZIP .* cut off or damaged/);
    await writeFile(join(folder, 'text.zip'), 'not a ZIP at all, but long enough to be looked at');
    await refused(join(folder, 'text.zip'), /cannot be read as a ZIP/);
    await refused(join(folder, 'nowhere.zip'), /nowhere\.zip cannot be read as a ZIP .* missing/);
  });

  it('a file that lacks one, or has one that nobody named', async () => {
    await refused(await changed((files) => files.delete('people.jsonl')), /lacks people\.jsonl/);
    await refused(await changed((files) => files.delete(`media/${KEY}`)), /lacks media\//);
    await refused(await changed((files) => files.delete('manifest.json')), /has no manifest\.json/);
    await refused(
      await changed((files) => files.set('more.txt', Buffer.from('more'))),
      /does not name: more\.txt/,
    );
  });

  it('another format, or a later version of it', async () => {
    await refused(
      await changed((files) => inManifest(files, (manifest) => ({ ...manifest, version: 2 }))),
      /has version 2 of the format; this Nimo reads version 1/,
    );
    await refused(
      await changed((files) => inManifest(files, (manifest) => ({ ...manifest, format: 'other' }))),
      /is no export of a space/,
    );
    await refused(
      await changed((files) =>
        rewrite(files, 'events.jsonl', (text) => text.replace('"version":1', '"version":9')),
      ),
      /version 9 of SpaceCreated is not known here/,
    );
  });

  it('a file whose hashes were written anew: by its fingerprint, and by what cannot be', async () => {
    const raised = await changed((files) =>
      rewrite(files, 'events.jsonl', (text) => text.replace('"direction":"DOWN"', '"direction":"UP"')),
    );
    await refused(raised, /The fingerprint of the file is/, { fingerprint: made.fingerprint });
    for (const [change, words] of [
      [(text: string) => text.slice(0, text.indexOf('\n') + 1), /lines, and manifest\.json says|has 1 lines/],
      [(text: string) => text.replaceAll('"VoteWithdrawn"', '"RoleGranted"'), /no event of a space/],
      [
        (text: string) => text.replace(/"stream":"question-[^"]+"/, '"stream":"scoring-rules"'),
        /no stream of a space/,
      ],
      [
        (text: string) => text.replace('"direction":"UP"', '"direction":"SIDEWAYS"'),
        /none of those there are/,
      ],
      [(text: string) => text.replace('"title":"', '"title":7,"was":"'), /is not known here|wrong kind/],
      [(text: string) => text.replace('{"type"', '{{"type"'), /events\.jsonl, line 1/],
    ] as const)
      await refused(await changed((files) => rewrite(files, 'events.jsonl', change)), words);
    await refused(
      await changed((files) =>
        rewrite(files, 'people.jsonl', (text) => text.replace(/"userName":"[^"]*"/, '"userName":"no name"')),
      ),
      /people\.jsonl/,
    );
  });

  it('under a name that a space has', async () => {
    await refused(archive, /There is a space "before" that does not come from this file/, {
      spaceName: 'before',
    });
  });

  it('from under other scoring rules, unless one asks for it', async () => {
    const path = await changed((files) =>
      inManifest(files, (manifest) => ({ ...manifest, scoringRules: [{ version: 2 }] })),
    );
    await refused(path, /version 2 of other scoring rules.*--other-rules/);
  });

  it.each(['pictures', 'people'] as const)(
    'and what was interrupted among the %s can be removed, and imported again',
    async (last) => {
      const { container, runtime } = target.session;
      const stopping = new AbortController();
      const half = await importInto(target, archive, {
        spaceName: `Interrupted among ${last}`,
        signal: stopping.signal,
        onProgress: ({ phase }) => phase === last && stopping.abort(),
      });
      expect(half.isComplete).toBe(false);
      const accounts = await removeImport({
        ...{ runtime, commands: container.get(CommandBus, { strict: false }) },
        claims: container.get(Claims, { strict: false }),
        ...{ context: () => operatorContext('ada'), spaceId: half.spaceId },
      });
      expect(accounts > 0).toBe(last === 'people');
      await follow(runtime, new AbortController().signal, nothing);
      expect(await rowsOf(target, `select from read.spaces where space_id = $1`, [half.spaceId])).toEqual([]);
      const whole = await importInto(target, archive, { spaceName: half.space });
      expect(whole).toMatchObject({ standing: 'new', isComplete: true });
    },
  );

  it('and what was interrupted is seen by nobody, and goes on', async () => {
    const stopping = new AbortController();
    const half = await importInto(target, archive, {
      signal: stopping.signal,
      onProgress: ({ phase, done, total }) => {
        if (phase === 'importing' && done > total / 2) stopping.abort();
      },
    });
    expect(half.isComplete).toBe(false);
    await follow(target.session.runtime, new AbortController().signal, nothing);
    expect(
      await rowsOf(target, `select entry, has_public_pages from read.spaces where space_id = $1`, [
        half.spaceId,
      ]),
    ).toEqual([{ entry: 'IMPORTING', has_public_pages: false }]);
    const whole = await importInto(target, archive);
    expect(whole).toMatchObject({ spaceId: half.spaceId, isComplete: true });
    expect(await seenIn(target, whole.spaceId)).toEqual(await seenIn(source, busy.spaceId));
  });
});
