import { randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventStore } from '@nimo/event-store';
import { OWN_SECTION_NAMES } from '@nimo/projections';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { holdErasure, runErasureSteps } from '../../../../../test/erasure.js';
import { eventually } from '@nimo/testing';
import { Participant } from '../../../../../test/participant.js';
import { unzipped } from '../../../../../test/unzipped.js';
import type { JobQueues } from '../../platform/adapters/jobs/job-queues.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { sealText } from '../../platform/personal-data/sealed-values.js';
import { EVENT_STORE, SETTINGS } from '../../platform/config/tokens.js';
import { RequestErasure } from '../erasure/commands/request-erasure.js';
import { Accounts } from '../accounts/accounts.js';
import { HIDDEN_TYPES, ownEventOf } from './own-events.js';
import { OwnExportBuilder } from './own-export-builder.js';
import { discardExports, OwnExports } from './own-exports.js';
import { OWN_STATE_NAMES } from './own-parts.js';
import { FILES, JOBS } from '../../platform/adapters/tokens.js';
import type { FileStore } from '../../platform/adapters/files/file-store.js';

const REQUEST =
  'mutation($language: String) { requestOwnExport(language: $language) { status percent expiresAt kilobytes } }';
const STATUS = '{ getOwnExport { status percent expiresAt kilobytes } }';

type Copy = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
let questionId: string;
let moderatorId: string;

beforeAll(async () => {
  app = await bootApp();
  community = await newCommunity(app, 2);
  [ada, bob] = community.members.map((student) => new Participant(app, student, community)) as [
    Participant,
    Participant,
  ];
  await createActivity();
});
afterAll(() => app.close());

/** A little of everything a student does, and of what others do to them. */
async function createActivity(): Promise<void> {
  questionId = await ada.ask({ title: 'Mine, with words of my own', body: '<p>A body of mine</p>' });
  const answerId = await bob.answer(questionId, '<p>An answer of Bob</p>');
  const others = await bob.ask({ title: 'A question of Bob' });
  const own = await ada.answer(others, '<p>An answer of mine</p>');
  await ada.commentOnAnswer(answerId, `Thanks @[${bob.student.studentId}]`);
  await bob.commentOnAnswer(own, 'A comment of Bob');
  for (const operation of [
    `upvoteQuestion(questionId: "${others}") { _id }`,
    `saveQuestion(questionId: "${others}") { _id }`,
    `acceptAnswer(questionId: "${questionId}", answerId: "${answerId}") { _id }`,
  ])
    expect((await ada.mutate(operation)).errors).toBeUndefined();
  for (const operation of [
    `upvoteQuestion(questionId: "${questionId}") { _id }`,
    `downvoteAnswer(answerId: "${own}") { _id }`,
    `reportPost(postId: "${own}", postType: ANSWER, reason: "Its spam") { _id }`,
  ])
    expect((await bob.mutate(operation)).errors).toBeUndefined();
  expect(
    (await ada.mutate(`reportPost(postId: "${answerId}", postType: ANSWER, reason: "Its spam") { _id }`))
      .errors,
  ).toBeUndefined();
  const moderator = await app.signUp();
  await app.grantRole(moderator.studentId, 'MODERATOR', community.spaceId);
  const warning = `warnMember(studentId: "${ada.student.studentId}", space: "${community.spaceId}", text: "No adverts") { flag }`;
  await new Participant(app, moderator, community).perform(warning);
  moderatorId = moderator.studentId;
  // Exports also read projections that no command waits for.
  await app.caughtUp();
}

const requestExport = (who: Participant, language = 'en') =>
  app.graphql<{ requestOwnExport: { status: string } }>(REQUEST, { language }, who.student.token);
const statusOf = async (who: Participant) =>
  (
    await app.graphql<{ getOwnExport: { status: string; percent: number; expiresAt: string } | null }>(
      STATUS,
      {},
      who.student.token,
    )
  ).data.getOwnExport;
const download = (token?: string) =>
  app
    .http()
    .get('/own-data/export.zip')
    .set(token === undefined ? {} : { authorization: `Bearer ${token}` })
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => done(null, Buffer.concat(chunks)));
    });

async function downloadExport(who: Participant, language = 'en'): Promise<ReadonlyMap<string, Buffer>> {
  await requestExport(who, language);
  await eventually(
    () => statusOf(who),
    (own) => own?.status === 'READY',
  );
  const { status, body, headers } = await download(who.student.token);
  expect(status).toBe(200);
  expect(headers['content-disposition']).toMatch(/^attachment; filename="nimo-data-[\d-]+\.zip"$/);
  return unzipped(body as Buffer);
}
const jsonOf = (files: ReadonlyMap<string, Buffer>): Copy =>
  JSON.parse(String(files.get('data.json'))) as Copy;
const filesOnDisk = (): Promise<string[]> => readdir(join(app.dataDir, 'media', 'exports')).catch(() => []);

describe('a data export', () => {
  it('has every section, with what the person entered, wrote and did', async () => {
    const copy = jsonOf(await downloadExport(ada));
    expect(copy).toMatchObject({ format: 'nimo-own-data', version: 1 });
    for (const name of [...OWN_SECTION_NAMES, ...OWN_STATE_NAMES, 'secondFactors', 'events'])
      expect([name, Array.isArray(copy[name])]).toEqual([name, true]);
    const { userName, phone } = ada.student;
    expect(copy['profile']).toEqual([expect.objectContaining({ userName, phone, lastName: 'Lovelace' })]);
    expect(copy['questions']).toEqual([
      expect.objectContaining({ title: 'Mine, with words of my own', body: '<p>A body of mine</p>' }),
    ]);
    expect(copy['answers']).toEqual([expect.objectContaining({ body: '<p>An answer of mine</p>' })]);
    expect(copy['comments']).toEqual([expect.objectContaining({ body: `Thanks @${bob.student.userName}` })]);
    expect(copy['votes']).toEqual([expect.objectContaining({ direction: 'UP', isInvalid: false })]);
    expect(copy['bookmarks']).toHaveLength(1);
    expect(copy['reports']).toEqual([expect.objectContaining({ reason: 'Its spam' })]);
    expect(copy['warnings']).toEqual([
      {
        ...{ spaceId: community.spaceId, space: expect.any(String), text: 'No adverts', postId: null },
        at: expect.any(String),
      },
    ]);
    expect(copy['events']).toContainEqual(
      expect.objectContaining({
        type: 'MemberWarned',
        isOwnAction: false,
        data: {
          ...{ spaceId: community.spaceId, studentId: ada.student.studentId, postId: null },
          ...{ warningId: expect.any(String), text: 'No adverts' },
        },
      }),
    );
    expect(JSON.stringify(copy)).not.toContain(moderatorId);
    expect(copy['sessions']?.length).toBeGreaterThan(0);
    expect(copy['securityLog']?.length).toBeGreaterThan(0);
    expect(copy['scoreFacts']?.length).toBeGreaterThan(2);
  });

  it('has exactly the events the person may see', async () => {
    const copy = jsonOf(await downloadExport(ada));
    const { studentId } = ada.student;
    const store = app.api.get<EventStore>(EVENT_STORE, { strict: false });
    const log = await store.readAll({ limit: 10_000 });
    const exported = new Set(copy['events']?.map(({ id }) => id));
    const expected = log.filter((event) => ownEventOf(event, studentId));
    expect(copy['events']?.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    // All of the student's own actions are exported. Omitted events that name them are others' actions on their posts, or bookkeeping.
    const done = log.filter(({ type, metadata }) => {
      const actor = metadata['actor'] as { id?: string };
      return actor.id === studentId && !HIDDEN_TYPES.has(type);
    });
    expect(done.filter(({ id }) => !exported.has(id))).toEqual([]);
    const omitted = log.filter(
      ({ id, data }) => !exported.has(id) && JSON.stringify(data).includes(studentId),
    );
    expect([...new Set(omitted.map(({ type }) => type))].sort()).toEqual([
      'AnswerPosted',
      'ClaimConfirmed',
      'ClaimReserved',
      'CommentPosted',
      'PostReported',
      'VoteCast',
    ]);
  });

  it('does not reveal voters, reporters or what others wrote', async () => {
    const files = await downloadExport(ada);
    const copy = jsonOf(files);
    const text = JSON.stringify({ ...copy, notifications: [], comments: [] });
    for (const secret of [bob.student.phone, 'An answer of Bob', 'A comment of Bob'])
      expect([...files.values()].some((file) => file.includes(secret))).toBe(false);
    const aboutPosts = copy['events']?.filter(({ type }) => type === 'VoteCast' || type === 'PostReported');
    expect(JSON.stringify(aboutPosts)).not.toContain(`"voterId":"${bob.student.studentId}"`);
    expect(JSON.stringify(aboutPosts)).not.toContain(`"reporterId":"${bob.student.studentId}"`);
    expect(text).not.toContain('Bob</p>');
  });

  it('opens from disk in the person’s language without scripts', async () => {
    const page = String((await downloadExport(ada, 'de')).get('index.html'));
    expect(page).toContain('<html lang="de">');
    expect(page).toContain('Deine Daten bei Nimo');
    expect(page).toContain('Mine, with words of my own');
    expect(page).toContain('<dd dir="auto"><p dir="auto">A body of mine</p></dd>');
    expect(page).not.toContain('<script');
    expect(page).not.toMatch(/(src|href)="(https?:)?\//);
  });

  it('is private, limited to one at a time, and deleted on request', async () => {
    await downloadExport(ada);
    expect((await download()).status).toBe(401);
    expect((await download(bob.student.token)).status).toBe(404);
    expect(await statusOf(bob)).toBeNull();
    const maintainer = await app.signUp();
    await app.grantRole(maintainer.studentId, 'MAINTAINER');
    expect((await download(maintainer.token)).status).toBe(404);
    // Neither the name of the file nor a guessed one is an address.
    const [file = ''] = await filesOnDisk();
    for (const path of [`/media/exports/${file}`, `/media/${file}`, `/own-data/${file}`])
      for (const { token } of [ada.student, maintainer])
        expect([path, (await app.http().get(path).set('authorization', `Bearer ${token}`)).status]).toEqual([
          path,
          404,
        ]);
    await Promise.all([requestExport(bob), requestExport(bob), requestExport(bob)]);
    await eventually(
      () => statusOf(bob),
      (own) => own?.status === 'READY',
    );
    expect(await filesOnDisk()).toHaveLength(2);
    await app.graphql('mutation { deleteOwnExport { flag } }', {}, bob.student.token);
    expect(await statusOf(bob)).toBeNull();
    expect((await download(bob.student.token)).status).toBe(404);
    expect(await filesOnDisk()).toHaveLength(1);
  });

  it('expires after a day', async () => {
    await downloadExport(ada);
    await app.pool.query('update state.data_export set expires_at = now()');
    expect(await statusOf(ada)).toBeNull();
    expect((await download(ada.student.token)).status).toBe(404);
    const exports = app.worker?.get(OwnExports, { strict: false });
    await exports?.sweep();
    await app.pool.query(`update state.data_export set ended_at = now() - interval '1 hour'`);
    await exports?.sweep();
    expect(await filesOnDisk()).toEqual([]);
    expect((await app.pool.query('select from state.data_export')).rowCount).toBe(0);
  });
});

describe('an export whose worker died', () => {
  const builder = () => app.worker?.get(OwnExportBuilder, { strict: false }) as OwnExportBuilder;
  const exports = () => app.worker?.get(OwnExports, { strict: false }) as OwnExports;

  /** State left by a worker killed after writing its file. */
  async function leaveUnfinishedRun(who: Participant, id: string): Promise<string> {
    await app.pool.query(
      `insert into state.data_export (id, student_id, language, status, sealed)
       select $1, $2, 'en', 'WAITING', 'sealed'`,
      [id, who.student.studentId],
    );
    const run = '11111111-1111-4111-8111-111111111111';
    await app.pool.query(
      `update state.data_export set status = 'WORKING', run = $2, runs = array[$2::uuid], touched_at = now() where id = $1`,
      [id, run],
    );
    await writeFile(join(app.dataDir, 'media', 'exports', `${run}.zip`), 'half a file');
    return run;
  }

  it('is restarted and leaves one file', async () => {
    await downloadExport(bob);
    await app.pool.query(
      `update state.data_export set status = 'WORKING', touched_at = now() where student_id = $1`,
      [bob.student.studentId],
    );
    const { rows } = await app.pool.query<{ id: string; run: string }>(
      'select id, run from state.data_export where student_id = $1',
      [bob.student.studentId],
    );
    const [{ id, run }] = rows as [{ id: string; run: string }];
    // A worker still has it.
    expect(await exports().claim(id)).toBeUndefined();
    await app.pool.query(
      `update state.data_export set touched_at = now() - interval '2 minutes' where id = $1`,
      [id],
    );
    await builder().build(id);
    // The worker's own sweep may have come first.
    await eventually(
      () => statusOf(bob),
      (own) => own?.status === 'READY' && own.percent === 100,
    );
    const files = await unzipped((await download(bob.student.token)).body as Buffer);
    expect(jsonOf(files)['profile']).toHaveLength(1);
    expect(await filesOnDisk()).not.toContain(`${run}.zip`);
  });

  it('leaves no unfinished file on its machine', async () => {
    const folder = join(app.dataDir, 'unfinished-exports');
    await downloadExport(bob);
    const { rows } = await app.pool.query<{ run: string }>(
      `update state.data_export set status = 'WORKING', touched_at = now() where student_id = $1 returning run`,
      [bob.student.studentId],
    );
    const live = `${rows[0]?.run}.zip`;
    for (const name of [live, `${randomUUID()}.zip`]) await writeFile(join(folder, name), 'half a file');
    await builder().sweep();
    expect(await readdir(folder)).toEqual([live]);
    await app.graphql('mutation { deleteOwnExport { flag } }', {}, bob.student.token);
    await builder().sweep();
    expect(await readdir(folder)).toEqual([]);
  });

  it('fails after five attempts', async () => {
    const id = '22222222-2222-4222-8222-222222222222';
    await discardExports(app.pool, app.api.get<FileStore>(FILES, { strict: false }), ada.student.studentId);
    await leaveUnfinishedRun(ada, id);
    await app.pool.query(
      `update state.data_export set starts = 5, touched_at = now() - interval '2 minutes' where id = $1`,
      [id],
    );
    await exports().sweep();
    expect(await statusOf(ada)).toMatchObject({ status: 'FAILED' });
    await app.graphql('mutation { deleteOwnExport { flag } }', {}, ada.student.token);
  });
});

class Gate {
  open = (): void => undefined;
  readonly passed = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

describe('an export in progress while its owner is erased', () => {
  it('ends, leaves nothing behind and is served to no one', async () => {
    const student = await app.signUp();
    const eve = new Participant(app, student, community);
    await eve.perform(`updateStudent(id: "${student.studentId}", firstName: "Xanthippe") { _id }`);
    const worker = app.worker;
    if (!worker) throw new Error('no worker');
    const get = <T>(token: Parameters<typeof worker.get<T>>[0]): T => worker.get<T>(token, { strict: false });
    const store = get<EventStore>(EVENT_STORE);
    const [reachedLog, resume] = [new Gate(), new Gate()];
    // The worker has started its file, and reads the log after the student's data is gone.
    const held = Object.assign(Object.create(store) as EventStore, {
      readAll: async (...options: Parameters<EventStore['readAll']>) => {
        reachedLog.open();
        await resume.passed;
        return store.readAll(...options);
      },
    });
    const files = get<FileStore>(FILES);
    const builder = new OwnExportBuilder(
      app.pool,
      held,
      files,
      get<JobQueues>(JOBS),
      get<Settings>(SETTINGS),
      get(OwnExports),
      get(Accounts),
    );
    const before = await filesOnDisk();
    const id = await insertWaitingExport(student.studentId);
    const built = builder.build(id);
    await reachedLog.passed;
    expect(await statusOf(eve)).toMatchObject({ status: 'WORKING' });

    await holdErasure(app, student.studentId);
    await app.execute(
      new RequestErasure(app.operator(), student.studentId, {
        withWords: true,
        reason: 'Asked',
        atOnce: true,
      }),
    );
    await runErasureSteps(app, student.studentId);
    resume.open();
    await built;

    expect((await filesOnDisk()).filter((name) => !before.includes(name))).toEqual([]);
    expect(await readdir(join(app.dataDir, 'unfinished-exports'))).toEqual([]);
    expect((await download(student.token)).status).toBe(401);
    const { errors } = await app.graphql(STATUS, {}, student.token);
    expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    const { rows } = await app.pool.query(
      'select student_id as owner, status, ended_at is not null as ended from state.data_export where id = $1',
      [id],
    );
    expect(rows).toEqual([{ owner: '', status: 'WORKING', ended: true }]);
    await app.pool.query(`update state.data_export set ended_at = now() - interval '1 hour' where id = $1`, [
      id,
    ]);
    await get(OwnExports).sweep();
    expect((await app.pool.query('select from state.data_export where id = $1', [id])).rowCount).toBe(0);
  });

  /** An export in no queue: only the test works on it. */
  async function insertWaitingExport(studentId: string): Promise<string> {
    const id = randomUUID();
    const settings = app.api.get<Settings>(SETTINGS, { strict: false });
    await app.pool.query(
      `insert into state.data_export (id, student_id, language, status, sealed) values ($1, $2, 'en', 'WAITING', $3)`,
      [id, studentId, sealText(settings.masterKey, '[]', `own-export:${id}`)],
    );
    return id;
  }
});

describe('an export of an account scheduled for deletion', () => {
  it('can be downloaded until the erasure, which deletes its file', async () => {
    const student = await app.signUp();
    const eve = new Participant(app, student, community);
    const before = await filesOnDisk();
    await downloadExport(eve);
    await holdErasure(app, student.studentId);
    const request = { withWords: true, reason: 'Asked', atOnce: true };
    await app.execute(new RequestErasure(app.operator(), student.studentId, request));
    expect((await download(student.token)).status).toBe(200);
    await downloadExport(eve);
    expect(await filesOnDisk()).toHaveLength(before.length + 1);

    await runErasureSteps(app, student.studentId);
    expect(await filesOnDisk()).toEqual(before);
    expect((await download(student.token)).status).toBe(401);
    expect((await requestExport(eve)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });
});

describe('an export of an account erased in the meantime', () => {
  it('leaves no file', async () => {
    const files = app.api.get<FileStore>(FILES, { strict: false });
    const before = await filesOnDisk();
    await requestExport(ada);
    await discardExports(app.pool, files, ada.student.studentId);
    // Exports are built one at a time: once a later one is ready, hers has been attempted.
    await downloadExport(bob);
    await app.graphql('mutation { deleteOwnExport { flag } }', {}, bob.student.token);
    await eventually(
      async () => (await filesOnDisk()).filter((name) => !before.includes(name)),
      (names) => names.length === 0,
    );
    const { rows } = await app.pool.query('select from state.data_export where student_id = $1', [
      ada.student.studentId,
    ]);
    expect(rows).toEqual([]);
  });
});
