import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventStore } from '@nimo/event-store';
import sharp from 'sharp';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { type ErasureStep, holdErasure, runErasureSteps } from '../../../../../test/erasure.js';
import { eventually } from '@nimo/testing';
import { newParticipants, type Participant } from '../../../../../test/participant.js';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import { RequestErasure } from './commands/request-erasure.js';
import { eventPlaces, filePlaces, findValues, tablePlaces } from './testing/places.fixture.js';
import { Tombstones } from './tombstones.js';

let app: TestApp;
let ann: Participant;
let staff: Participant;
let word: string;
let picture: string;
beforeAll(async () => {
  app = await bootApp();
  [staff] = (await newParticipants(app, 1)).people;
  await app.grantRole(staff.student.studentId, 'MAINTAINER');
});
afterAll(() => app.close());

const worker = () => {
  if (!app.worker) throw new Error('no worker');
  return app.worker;
};

/** Creates a student whose name and posts contain a unique word. Only the test erases them. */
async function createStudent(): Promise<void> {
  [ann] = (await newParticipants(app, 1)).people;
  word = `w${randomUUID().slice(0, 13).replace('-', '')}`;
  const { studentId, password } = ann.student;
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#c33' } })
    .png()
    .toBuffer();
  const slot = await ann.query<{ url: string; key: string }>(
    `getPresignedS3Url(contentType: "image/png", contentLength: ${png.length}) { url key }`,
  );
  picture = slot.key;
  await app.http().put(slot.url).set('content-type', 'image/png').send(png).expect(200);
  await ann.perform(
    `updateStudent(id: "${studentId}", firstName: "${word}", realProfilePicUrl: "/media/${picture}") { _id }`,
  );
  await ann.ask({ title: `Is ${word} a set?`, body: `<p>So ${word}.</p>` });
  await ann.perform(
    `startContactChange(kind: EMAIL, value: "${randomUUID()}@example.org", password: "${password}") { _id }`,
  );
  // Wait for the message to the account's own phone.
  await eventually(() =>
    app.pool
      .query('select from state.outbox where recipient = $1', [`+${ann.student.phone}`])
      .then(({ rowCount }) => rowCount),
  );
  // Wait for the worker: it would recreate the picture's files after the erasure.
  await eventually(
    () => app.http().get(`/media/${picture}`),
    ({ status }) => status === 200,
  );
  await holdErasure(app, studentId);
  await app.caughtUp();
}

async function erasedWithout(...left: readonly ErasureStep[]): Promise<void> {
  const { studentId } = ann.student;
  const asked = { withWords: true, reason: 'Asked by letter', atOnce: true };
  await app.execute(new RequestErasure(app.operator(), studentId, asked));
  await runErasureSteps(app, studentId, left);
  await app.caughtUp();
}

/** Places that contain the word, the phone or the picture. Ignores finished jobs, which are kept for a minute. */
const places = async (): Promise<readonly string[]> => {
  const all = [
    ...(await tablePlaces(app.pool)),
    ...(await eventPlaces(worker().get<EventStore>(EVENT_STORE))),
    ...(await filePlaces(app.dataDir)),
  ];
  const found = Object.values(findValues(all, { word, phone: ann.student.phone, picture })).flat();
  return found.filter((place) => !place.startsWith('bullmq.'));
};

const liveGenerations = async (): Promise<readonly number[]> => {
  const { rows } = await app.pool.query<{ generation: number }>(
    `select generation::int from read.projection_generations
     where name in ('students', 'questions') and status = 'live' order by name`,
  );
  return rows.map(({ generation }) => generation);
};

describe('an erasure', () => {
  it('leaves nothing after all its steps', async () => {
    await createStudent();
    expect((await places()).length).toBeGreaterThan(5);
    await erasedWithout();
    expect(await places()).toEqual([]);
  });

  const SEEN: Readonly<Partial<Record<ErasureStep, RegExp>>> = {
    student: /^read\.students/,
    claims: /^state\.outbox$/,
    words: /^read\.questions/,
    keys: /^event StudentProfileChanged$/,
    pictures: /media/,
  };
  it.each(Object.entries(SEEN))('leaves data behind without the step %s', async (step, place) => {
    await createStudent();
    await erasedWithout(step as ErasureStep);
    expect((await places()).filter((found) => place.test(found))).not.toEqual([]);
  });

  it('leaves no tombstone for restored backups without the step tombstone', async () => {
    await createStudent();
    await erasedWithout('tombstone');
    expect((await worker().get(Tombstones).read()).map(({ studentId }) => studentId)).not.toContain(
      ann.student.studentId,
    );
  });

  it('leaves sessions without the steps access and leftovers, which both end them', async () => {
    await createStudent();
    await erasedWithout('access', 'leftovers');
    const { rowCount } = await app.pool.query('select from state.session where student_id = $1', [
      ann.student.studentId,
    ]);
    expect(rowCount).toBeGreaterThan(0);
  });

  it('reaches building and retired generations, which keep the name without their step', async () => {
    for (const left of [['generations'], []] as const) {
      await createStudent();
      const former = await liveGenerations();
      await staff.perform(`rebuildProjections(names: ["students", "questions"]) { name }`);
      await eventually(liveGenerations, (live) => live.every((number, at) => number !== former[at]));
      // A second rebuild, still running when the erasure starts.
      await staff.perform(`rebuildProjections(names: ["questions"], hold: true) { name }`);
      await erasedWithout(...left);
      const found = Object.values(findValues(await tablePlaces(app.pool), { word })).flat();
      if (left.length === 0) expect(found).toEqual([]);
      else expect(found.filter((name) => name.startsWith('read.'))).not.toEqual([]);
      await staff.perform(`cancelRebuild(name: "questions") { name }`);
    }
  });

  it('rejects a second erasure and an export of an erased student', async () => {
    await createStudent();
    await erasedWithout();
    const { studentId, token } = ann.student;
    const asked = { withWords: true, reason: 'Once more', atOnce: true };
    await expect(app.execute(new RequestErasure(app.operator(), studentId, asked))).rejects.toThrow(
      'already been deleted',
    );
    const { errors } = await app.graphql(
      'mutation { requestOwnExport(language: "en") { status } }',
      {},
      token,
    );
    expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });
});
