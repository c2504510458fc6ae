import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandBus } from '@nestjs/cqrs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { ZipFile } from 'yazl';
import type { TestDatabase } from '@nimo/testing';
import { unzipped } from '../../../../../../test/unzipped.js';
import type { FileStore } from '../../../platform/adapters/files/file-store.js';
import { FolderFiles } from '../../../platform/adapters/files/folder-files.js';
import { type CliSession, withSession, operatorContext, withProjections } from '../../../cli/cli-session.js';
import { loadSettings } from '../../../platform/config/load-settings.js';
import type { ArchivedFile } from '../../space-archive/archive-format.js';
import { writeArchive, type WrittenArchive } from '../../space-archive/archive-writer.js';
import { Claims } from '../../accounts/claims.js';
import { readRows } from '../dump-reader.js';
import { type NumberedRow, DUMP_FILES, DUMP_FILE_NAMES, ImportError } from '../dump-row.js';
import { FileCheck } from '../file-check.js';
import { waitForProjections } from '../import-order.js';
import { environmentOf, Installations } from '../testing/import-session.fixture.js';
import { removeImport } from '../remove-import.js';
import { type ArchiveImportOptions, type ArchiveReport, importArchive } from './import-archive.js';
import { busySpace, type BusySpace, PICTURE_KEY } from './testing/busy-space.fixture.js';

const installations = new Installations();
let folder: string;
let source: Installation;
let busy: BusySpace;
let made: WrittenArchive;
let archive: string;
let picture: Buffer;

const filesOf = (installation: string): FileStore => new FolderFiles(join(folder, installation));
const noop = (): void => undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'space-archive-'));
  archive = join(folder, 'space.zip');
  picture = await sharp({ create: { width: 9, height: 7, channels: 3, background: '#2563eb' } })
    .webp()
    .toBuffer();
  for (const place of ['pictures', 'thumbnails'])
    await filesOf('source').put(`${place}/${PICTURE_KEY}`, picture, 'image/webp');
  source = await newInstallation('source');
  busy = busySpace();
  const { runtime } = source.session;
  for (const append of busy.past.appends) await runtime.store.append([append]);
  await busy.erase(runtime);
  made = await exportSpace(source, busy.spaceId, archive);
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

/** Starts a separate installation that runs until all tests are over. */
async function newInstallation(name: string): Promise<Installation> {
  const database = await installations.create();
  let end: () => void = noop;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return new Promise((resolve, reject) => {
    const closed = withSession(
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

const exportSpace = async (
  { name, session: { runtime } }: Installation,
  id: string,
  to: string,
): Promise<WrittenArchive> => {
  await waitForProjections(runtime, new AbortController().signal, noop);
  return writeArchive({
    ...{ store: runtime.store, pool: runtime.pool, waiter: runtime.waiter, files: filesOf(name), to },
    space: { id, name: 'French' },
    onProgress: noop,
  });
};

const importInto = (
  { name, session: { container, runtime } }: Installation,
  file: string,
  changes: Partial<ArchiveImportOptions> = {},
): Promise<ArchiveReport> =>
  importArchive({
    ...{ runtime, commands: container.get(CommandBus, { strict: false }), files: filesOf(name) },
    ...{ file, spaceName: 'French', otherRules: false, operator: 'ada' },
    signal: new AbortController().signal,
    onProgress: noop,
    ...changes,
  });

const rowsOf = async (
  { database }: Installation,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> =>
  (await database.pool().query<Record<string, unknown>>(text, values)).rows;

/** Queries to compare by titles, texts and names, because IDs differ. Texts of deleted posts are not exported. */
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

const readViews = async (installation: Installation, spaceId: string): Promise<Record<string, unknown>> => {
  const seen: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(VIEWS)) seen[name] = await rowsOf(installation, text, [spaceId]);
  return seen;
};

/** Everything that a rejected import could leave behind. */
const readTraces = async (installation: Installation): Promise<unknown> =>
  rowsOf(
    installation,
    `select (select count(*)::int from log.events) as events, (select count(distinct stream_id)::int from log.events) as streams,
       (select count(*)::int from state.upload) as uploads, (select count(*)::int from state.student_key) as keys,
       (select count(*)::int from read.spaces) as spaces, (select count(*)::int from read.students) as students`,
  );

type Files = Map<string, Buffer>;
/** Repacks the archive with changed files. */
async function repack(change: (files: Files) => void): Promise<string> {
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

const required = (files: Files, name: string): Buffer => {
  const bytes = files.get(name);
  if (!bytes) throw new Error(`the archive lacks ${name}`);
  return bytes;
};

/** Changes a file and updates its hash in the manifest. */
function rewrite(files: Files, name: string, change: (text: string) => string): void {
  const bytes = Buffer.from(change(required(files, name).toString('utf8')));
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
  const manifest = JSON.parse(required(files, 'manifest.json').toString('utf8')) as Record<string, unknown>;
  files.set('manifest.json', Buffer.from(JSON.stringify(change(manifest))));
}

describe('exported and imported space', () => {
  let target: Installation;
  let report: ArchiveReport;

  beforeAll(async () => {
    target = await newInstallation('target');
    report = await importInto(target, archive, { fingerprint: made.fingerprint });
  });

  it('has the same questions, votes, scores and leaderboard', async () => {
    const [there, here] = [await readViews(source, busy.spaceId), await readViews(target, report.spaceId)];
    for (const name of Object.keys(VIEWS)) {
      expect({ [name]: here[name] }).toEqual({ [name]: there[name] });
      expect({ [name]: (here[name] as unknown[]).length }).not.toEqual({ [name]: 0 });
    }
    expect(
      await rowsOf(target, 'select user_name from read.students where user_name in ($1, $2)', ['ann', 'bob']),
    ).toHaveLength(2);
    expect(report).toMatchObject({ isComplete: true, space: 'French', fingerprint: made.fingerprint });
  });

  it('has its pictures under new keys', async () => {
    const [question] = await rowsOf(
      target,
      `select image_urls, body from read.questions where space_id = $1 and cardinality(image_urls) > 0`,
      [report.spaceId],
    );
    const [location = ''] = question?.['image_urls'] as string[];
    const key = location.slice('/media/'.length);
    expect(key).not.toBe(PICTURE_KEY);
    expect(question?.['body']).toContain(`src="${location}"`);
    expect(await filesOf('target').get(`pictures/${key}`)).toEqual(picture);
    expect(await rowsOf(target, 'select key, status from state.upload')).toEqual([{ key, status: 'ready' }]);
  });

  it('keeps erased students nameless', async () => {
    expect(
      await rowsOf(
        target,
        'select user_name, first_name, last_name, profile_desc, is_erased from read.students where is_erased',
      ),
    ).toEqual([{ user_name: null, first_name: null, last_name: null, profile_desc: null, is_erased: true }]);
    for (const [name, bytes] of await unzipped(await readFile(archive)))
      expect({ name, names: bytes.includes(busy.erasedName) }).toEqual({ name, names: false });
  });

  it('excludes contacts, roles and staff notes', async () => {
    const text = Buffer.concat([...(await unzipped(await readFile(archive))).values()]).toString('utf8');
    for (const hidden of busy.hidden) expect(text).not.toContain(hidden);
    expect(await rowsOf(target, 'select phone, email from read.students where phone is not null')).toEqual(
      [],
    );
    expect(await rowsOf(target, 'select * from read.student_roles')).toEqual([]);
  });

  it('is imported once', async () => {
    const before = await readTraces(target);
    expect(await importInto(target, archive)).toMatchObject({ spaceId: report.spaceId, isComplete: true });
    expect(await readTraces(target)).toEqual(before);
  });

  it('can be exported again without loss', async () => {
    const again = join(folder, 'again.zip');
    await exportSpace(target, report.spaceId, again);
    const third = await newInstallation('third');
    const { spaceId } = await importInto(third, again);
    expect((await readViews(third, spaceId))['leaderboard']).toEqual(
      (await readViews(source, busy.spaceId))['leaderboard'],
    );
  });

  it('contains a valid Stack Exchange dump', async () => {
    const files = await unzipped(await readFile(archive));
    const rows: Record<string, Readonly<Record<string, string>>[]> = {};
    for (const file of DUMP_FILES) {
      const path = join(folder, DUMP_FILE_NAMES[file]);
      await writeFile(path, files.get(DUMP_FILE_NAMES[file]) ?? '');
      const check = new FileCheck(file, new Date());
      const found: NumberedRow[] = [];
      for await (const batch of readRows(path, check)) found.push(...batch);
      for (const row of found) check.checkRow(row);
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

describe('rejected import', () => {
  let target: Installation;
  let before: unknown;

  beforeAll(async () => {
    target = await newInstallation('refusing');
    // Create what every import needs before taking the reference.
    await importInto(target, await minimal(), { spaceName: 'Before' });
    before = await readTraces(target);
  });

  const minimal = async (): Promise<string> => {
    const to = join(folder, 'minimal.zip');
    await exportSpace(source, busy.otherSpaceId, to);
    return to;
  };

  const expectRejection = async (
    file: string,
    words: RegExp,
    changes: Partial<ArchiveImportOptions> = {},
  ): Promise<void> => {
    const error: unknown = await importInto(target, file, changes).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ImportError);
    expect((error as ImportError).message).toMatch(words);
    expect(await readTraces(target)).toEqual(before);
    expect(await readdir(join(folder, 'refusing')).catch(() => [])).toEqual([]);
  };

  it('reports an altered byte', async () => {
    const bytes = await readFile(archive);
    const name = bytes.indexOf('events.jsonl');
    const altered = Buffer.from(bytes);
    altered.writeUInt8((altered.readUInt8(name + 200) + 1) % 256, name + 200);
    await writeFile(join(folder, 'altered.zip'), altered);
    await expectRejection(
      join(folder, 'altered.zip'),
      /events\.jsonl in altered\.zip differs from the export/,
    );
    const path = await repack((files) => {
      const events = Buffer.from(required(files, 'events.jsonl'));
      events.writeUInt8(events.readUInt8(events.length - 20) ^ 1, events.length - 20);
      files.set('events.jsonl', events);
    });
    await expectRejection(path, /events\.jsonl .* differs from the export: it was altered or damaged/);
  });

  it('reports a file that is truncated, missing or not a ZIP', async () => {
    const bytes = await readFile(archive);
    await writeFile(join(folder, 'half.zip'), bytes.subarray(0, bytes.length / 2));
    await expectRejection(
      join(folder, 'half.zip'),
      /half\.zip cannot be read as a ZIP .* truncated or damaged/,
    );
    await writeFile(join(folder, 'text.zip'), 'not a ZIP at all, but long enough to be looked at');
    await expectRejection(join(folder, 'text.zip'), /cannot be read as a ZIP/);
    await expectRejection(join(folder, 'nowhere.zip'), /nowhere\.zip cannot be read as a ZIP .* missing/);
  });

  it('reports missing and unlisted files', async () => {
    await expectRejection(await repack((files) => files.delete('people.jsonl')), /lacks people\.jsonl/);
    await expectRejection(await repack((files) => files.delete(`media/${PICTURE_KEY}`)), /lacks media\//);
    await expectRejection(await repack((files) => files.delete('manifest.json')), /has no manifest\.json/);
    await expectRejection(
      await repack((files) => files.set('more.txt', Buffer.from('more'))),
      /does not list: more\.txt/,
    );
  });

  it('reports an unknown format or version', async () => {
    await expectRejection(
      await repack((files) => inManifest(files, (manifest) => ({ ...manifest, version: 2 }))),
      /has format version 2; this version of Nimo reads format version 1/,
    );
    await expectRejection(
      await repack((files) => inManifest(files, (manifest) => ({ ...manifest, format: 'other' }))),
      /is not a space export/,
    );
    await expectRejection(
      await repack((files) =>
        rewrite(files, 'events.jsonl', (text) => text.replace('"version":1', '"version":9')),
      ),
      /version 9 of SpaceCreated is unknown/,
    );
  });

  it('detects tampering with updated hashes, by the fingerprint or by invalid content', async () => {
    const raised = await repack((files) =>
      rewrite(files, 'events.jsonl', (text) => text.replace('"direction":"DOWN"', '"direction":"UP"')),
    );
    await expectRejection(raised, /The fingerprint of the file is/, { fingerprint: made.fingerprint });
    for (const [change, words] of [
      [(text: string) => text.slice(0, text.indexOf('\n') + 1), /lines, but manifest\.json says|has 1 lines/],
      [(text: string) => text.replaceAll('"VoteWithdrawn"', '"RoleGranted"'), /not an event of a space/],
      [
        (text: string) => text.replace(/"stream":"question-[^"]+"/, '"stream":"scoring-rules"'),
        /not a stream of a space/,
      ],
      [(text: string) => text.replace('"direction":"UP"', '"direction":"SIDEWAYS"'), /has an unknown value/],
      [(text: string) => text.replace('"title":"', '"title":7,"was":"'), /is unknown|wrong type/],
      [(text: string) => text.replace('{"type"', '{{"type"'), /events\.jsonl, line 1/],
    ] as const)
      await expectRejection(await repack((files) => rewrite(files, 'events.jsonl', change)), words);
    await expectRejection(
      await repack((files) =>
        rewrite(files, 'people.jsonl', (text) => text.replace(/"userName":"[^"]*"/, '"userName":"no name"')),
      ),
      /people\.jsonl/,
    );
  });

  it('reports a name that another space has', async () => {
    await expectRejection(
      archive,
      /A space named "before" already exists and was not imported from this file/,
      {
        spaceName: 'before',
      },
    );
  });

  it('reports different scoring rules', async () => {
    const path = await repack((files) =>
      inManifest(files, (manifest) => ({ ...manifest, scoringRules: [{ version: 2 }] })),
    );
    await expectRejection(path, /different scoring rules \(version 2,.*--allow-other-rules/);
  });

  it.each(['pictures', 'people'] as const)(
    'leaves an import interrupted in the phase %s removable and repeatable',
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
      await waitForProjections(runtime, new AbortController().signal, noop);
      expect(await rowsOf(target, `select from read.spaces where space_id = $1`, [half.spaceId])).toEqual([]);
      const whole = await importInto(target, archive, { spaceName: half.space });
      expect(whole).toMatchObject({ state: 'new', isComplete: true });
    },
  );

  it('keeps an interrupted import hidden and resumes it', async () => {
    const stopping = new AbortController();
    const half = await importInto(target, archive, {
      signal: stopping.signal,
      onProgress: ({ phase, done, total }) => {
        if (phase === 'importing' && done > total / 2) stopping.abort();
      },
    });
    expect(half.isComplete).toBe(false);
    await waitForProjections(target.session.runtime, new AbortController().signal, noop);
    expect(
      await rowsOf(target, `select entry, has_public_pages from read.spaces where space_id = $1`, [
        half.spaceId,
      ]),
    ).toEqual([{ entry: 'IMPORTING', has_public_pages: false }]);
    const whole = await importInto(target, archive);
    expect(whole).toMatchObject({ spaceId: half.spaceId, isComplete: true });
    expect(await readViews(target, whole.spaceId)).toEqual(await readViews(source, busy.spaceId));
  });
});
