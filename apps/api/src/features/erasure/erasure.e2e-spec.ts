import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventStore } from '@nimo/event-store';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { holdErasure, isDone } from '../../../../../test/erasure.js';
import { eventually } from '@nimo/testing';
import { newParticipants, type Participant } from '../../../../../test/participant.js';
import { RevokeRole } from '../students/commands/roles.js';
import { EVENT_STORE, LOGGER } from '../../platform/config/tokens.js';
import { RequestErasure, WithdrawErasure } from './commands/request-erasure.js';
import { type Counts, ErasureSteps, RetryLaterError } from './erasure-steps.js';
import { Erasures } from './erasures.js';
import { eventsWith, filesWith, rowsWithout as othersRows, tablesWith } from './testing/places.fixture.js';
import { Tombstones } from './tombstones.js';

const PROFILE = `mutation($id: ID!) { updateStudent(id: $id, firstName: "Xanthippe", lastName: "Quagmirova", profileDesc: "Zymurgy, mostly") { _id } }`;
/** Unique words. */
const WORDS = ['Brobdingnag', 'lilliputian', 'houyhnhnm', 'struldbrugg'];

let app: TestApp;
beforeAll(async () => {
  app = await bootApp({}, { writesLogs: true });
});
afterAll(() => app.close());

const worker = () => {
  if (!app.worker) throw new Error('no worker');
  return app.worker;
};
const noted = (studentId: string) =>
  eventually(
    () => worker().get(Erasures).find(studentId),
    (found) => found !== undefined,
  );
const ask = (studentId: string, withWords: boolean, atOnce = true) =>
  app.execute(
    new RequestErasure(app.operator(), studentId, { withWords, reason: 'Asked by letter', atOnce }),
  );

/** Ann posts and votes; Ben answers and comments. */
async function createContent(ann: Participant, ben: Participant) {
  const { token, studentId } = ann.student;
  await app.graphql(PROFILE, { id: studentId }, token);
  const own = await ann.ask({ title: `Is ${WORDS[0]} a set?`, body: `<p>So ${WORDS[1]}.</p>` });
  const bens = await ben.ask({ title: 'Is this a group?' });
  const answer = await ann.answer(bens, `<p>As ${WORDS[2]} says.</p>`);
  await ann.commentOnQuestion(bens, `Ask ${WORDS[3]}`);
  const bensAnswer = await ben.answer(own);
  await ben.commentOnAnswer(answer, 'Thanks');
  await ann.perform(`createUpvoteForQuestion(questionId: "${bens}") { _id }`).catch(() => undefined);
  return { own, bens, answer, bensAnswer };
}

const rowsWithout = (studentId: string) => othersRows(app.pool, studentId);

/** Tables, events and files that contain the value. */
async function placesOf(value: string): Promise<readonly string[]> {
  return [
    ...(await tablesWith(app.pool, value)),
    ...(await eventsWith(worker().get<EventStore>(EVENT_STORE), value)),
    ...(await filesWith(app.dataDir, value)),
  ];
}

/** Fails once after each step, before its completion is stored. */
function killedAfterEachStep(steps: ErasureSteps): {
  readonly steps: ErasureSteps;
  readonly kills: string[];
} {
  const kills: string[] = [];
  const all = Object.fromEntries(
    Object.entries(steps.all).map(([name, step]) => [
      name,
      async (studentId: string): Promise<Counts> => {
        const counts = await step(studentId);
        if (kills.includes(name)) return counts;
        kills.push(name);
        throw new RetryLaterError(`killed after ${name}`);
      },
    ]),
  );
  return { steps: { all } as unknown as ErasureSteps, kills };
}

describe('an erasure with content', () => {
  it('leaves no trace and changes nothing of other users, even if killed once after every step', async () => {
    const { people } = await newParticipants(app, 2);
    const [ann, ben] = people;
    const { own, bens } = await createContent(ann, ben);
    const { studentId, userName, phone, token } = ann.student;
    const values = ['Xanthippe', 'Quagmirova', 'Zymurgy', userName, phone, ...WORDS];
    for (const value of ['Xanthippe', ...WORDS])
      expect({ value, places: await placesOf(value) }).not.toEqual({ value, places: [] });
    await app.caughtUp();
    const before = await rowsWithout(studentId);

    await holdErasure(app, studentId);
    await ask(studentId, true);
    const { steps, kills } = killedAfterEachStep(worker().get(ErasureSteps));
    const erasures = new Erasures(app.pool, steps, worker().get(LOGGER));
    await eventually(() => isDone(erasures.finish(studentId)));
    await app.caughtUp();
    expect(kills).toEqual(Object.keys(worker().get(ErasureSteps).all));
    const erasure = await erasures.find(studentId);
    expect(erasure?.finishedAt).not.toBeNull();
    expect(erasure?.report).toMatchObject({ posts: 3 });

    for (const value of values)
      expect({ value, places: await placesOf(value) }).toEqual({ value, places: [] });
    expect(await rowsWithout(studentId)).toEqual(before);
    expect(await worker().get(Tombstones).read()).toContainEqual({ studentId, withWords: true });
    const logged = await readFile(join(app.dataDir, 'logs', 'worker.log'), 'utf8');
    expect(logged.split('\n').filter((line) => line.includes('permission denied'))).toEqual([]);

    // The thread stays, without title, body and author.
    const shown = await ben.query<{ title: string; body: string; author: { userName: string } }>(
      `getQuestionById(questionId: "${own}") { title body author { userName } }`,
    );
    expect(shown).toEqual({ title: '', body: '', author: { userName: '' } });
    expect(await ben.query(`getQuestionById(questionId: "${bens}") { title answerCount }`)).toEqual({
      title: 'Is this a group?',
      answerCount: 1,
    });
    const { errors } = await app.graphql('{ getOwnStudent: getMe { _id } }', {}, token);
    expect(errors).toBeDefined();
    // The phone is free again.
    expect((await app.signUp({ phone })).studentId).not.toBe(studentId);
    await expect(ask(studentId, true)).rejects.toThrow('already been deleted');
  });
});

describe('an erasure without content', () => {
  it('keeps posts without the author’s name', async () => {
    const { people } = await newParticipants(app, 2);
    const [ann, ben] = people;
    const { own } = await createContent(ann, ben);
    const { studentId, userName, phone } = ann.student;
    await ask(studentId, false);
    await noted(studentId);
    await eventually(
      () =>
        worker()
          .get(Erasures)
          .runDue()
          .then(() => worker().get(Erasures).find(studentId)),
      (erasure) => erasure !== undefined && erasure.finishedAt !== null,
    );
    for (const value of ['Xanthippe', 'Zymurgy', userName, phone])
      expect({ value, places: await placesOf(value) }).toEqual({ value, places: [] });
    expect(await ben.query(`getQuestionById(questionId: "${own}") { title author { userName } }`)).toEqual({
      title: `Is ${WORDS[0]} a set?`,
      author: { userName: '' },
    });
  });
});

describe('a requested erasure', () => {
  it('does not run before it is due, exists once, and can be withdrawn', async () => {
    const { studentId } = await app.signUp();
    await ask(studentId, false, false);
    await noted(studentId);
    await worker().get(Erasures).runDue();
    expect(await worker().get(Erasures).find(studentId)).toMatchObject({ done: [], finishedAt: null });
    await expect(ask(studentId, false)).rejects.toThrow('scheduled for deletion');
    await app.execute(new WithdrawErasure(app.operator(), studentId));
    await eventually(
      () => worker().get(Erasures).find(studentId),
      (found) => found === undefined,
    );
    await expect(app.execute(new WithdrawErasure(app.operator(), studentId))).rejects.toThrow(
      'not scheduled for deletion',
    );
  });

  it.each([
    ['withPosts: true', true],
    ['withWords: true', true],
    ['withPosts: false, withWords: true', false],
    ['', false],
  ])('of one’s own account includes posts only on request: %s', async (choice, isIncluded) => {
    const { token, password } = await app.signUp();
    const asked = await app.graphql(
      `mutation { deleteOwnAccount(password: "${password}" ${choice}) { withPosts withWords } }`,
      {},
      token,
    );
    expect(asked.data).toEqual({ deleteOwnAccount: { withPosts: isIncluded, withWords: isIncluded } });
    expect((await app.graphql('mutation { keepOwnAccount { flag } }', {}, token)).data).toEqual({
      keepOwnAccount: { flag: 1 },
    });
  });

  it('runs in the same pass as many others', async () => {
    const { rows } = await app.pool.query<{ id: string }>(
      `insert into state.erasure (student_id, due_at) select gen_random_uuid()::text, now() from generate_series(1, 45)
       returning student_id as id`,
    );
    const steps = { all: {} } as unknown as ErasureSteps;
    await new Erasures(app.pool, steps, worker().get(LOGGER)).runDue();
    const left = await app.pool.query(
      'select from state.erasure where student_id = any($1) and finished_at is null',
      [rows.map(({ id }) => id)],
    );
    expect(left.rowCount).toBe(0);
  });

  it('is recorded once, however many requests arrive at the same time', async () => {
    const { studentId, token, password } = await app.signUp();
    const request = `mutation { deleteOwnAccount(password: "${password}") { dueAt } }`;
    const answers = await Promise.all([1, 2, 3].map(() => app.graphql(request, {}, token)));
    const refused = answers.flatMap(({ errors }) => errors ?? []);
    expect(refused.map(({ extensions }) => extensions.rule)).toEqual(['ERASURE_ASKED', 'ERASURE_ASKED']);
    const { rows } = await app.pool.query(
      "select from log.events where stream_id = $1 and type = 'ErasureAsked'",
      [`student-${studentId}`],
    );
    expect(rows).toHaveLength(1);
  });

  it('covers every table of the state schema with student rows', async () => {
    const { rows } = await app.pool.query<{ name: string }>(
      `select table_name as name from information_schema.columns where table_schema = 'state' and column_name = 'student_id'`,
    );
    const { rows: source } = await app.pool.query<{ text: string }>(
      `select pg_get_functiondef('state.forget_student(text)'::regprocedure) as text`,
    );
    const forgotten = rows.map(({ name }) => name).filter((name) => source[0]?.text.includes(`'${name}'`));
    // Deleted along with the files, or kept as the record of the erasure.
    expect(
      rows
        .map(({ name }) => name)
        .filter((name) => !forgotten.includes(name))
        .sort(),
    ).toEqual(['data_export', 'erasure', 'upload']);
  });
});

describe('the last maintainer', () => {
  const maintainers: string[] = [];
  afterEach(async () => {
    for (const studentId of maintainers.splice(0))
      await app.execute(new RevokeRole(app.operator(), { studentId, role: 'MAINTAINER', spaceId: null }));
  });
  const newMaintainer = async () => {
    const student = await app.signUp();
    await app.grantRole(student.studentId, 'MAINTAINER');
    maintainers.push(student.studentId);
    return student;
  };
  const outcomeOf = async (request: Promise<unknown>): Promise<string> => {
    try {
      await request;
      return 'scheduled';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const LAST = 'This is the last maintainer. Assign another maintainer first.';

  it('cannot be deleted while the others are scheduled for deletion', async () => {
    const [ann, ben] = [await newMaintainer(), await newMaintainer()];
    const ownRequest = ({ password }: typeof ann) =>
      `mutation { deleteOwnAccount(password: "${password}") { dueAt } }`;
    const erasing = (studentId: string) =>
      `mutation { eraseAccount(studentId: "${studentId}", reason: "Left") { student { _id } } }`;
    expect((await app.graphql(ownRequest(ann), {}, ann.token)).errors).toBeUndefined();
    for (const answer of [
      await app.graphql(ownRequest(ben), {}, ben.token),
      await app.graphql(erasing(ben.studentId), {}, ann.token),
    ])
      expect(answer.errors).toMatchObject([{ message: LAST, extensions: { code: 'CONFLICT' } }]);
    // Like the command line.
    expect(await outcomeOf(ask(ben.studentId, false, false))).toBe(LAST);
    expect(await outcomeOf(ask(ben.studentId, false, true))).toBe(LAST);
    await app.execute(new WithdrawErasure(app.operator(), ann.studentId));
    expect(await outcomeOf(ask(ben.studentId, false, false))).toBe('scheduled');
    expect(await outcomeOf(ask(ann.studentId, false, false))).toBe(LAST);
    await newMaintainer();
    expect(await outcomeOf(ask(ann.studentId, false, false))).toBe('scheduled');
  });

  it('stays if all request their deletion at the same moment', async () => {
    const all = await Promise.all([newMaintainer(), newMaintainer()]);
    const answers = await Promise.all(all.map(({ studentId }) => outcomeOf(ask(studentId, false, false))));
    expect(answers).toContain(LAST);
    expect(answers.filter((answer) => answer !== LAST && answer !== 'scheduled')).toEqual([]);
  });

  it('stays if all deletions are due at the same moment', async () => {
    const all = await Promise.all([1, 2].map(() => app.signUp()));
    for (const { studentId } of all) {
      await holdErasure(app, studentId);
      await ask(studentId, false);
    }
    for (const { studentId } of all) {
      await app.grantRole(studentId, 'MAINTAINER');
      maintainers.push(studentId);
    }
    const [first, last] = all.map(
      ({ studentId }) =>
        () =>
          worker().get(ErasureSteps).all.student(studentId),
    );
    await first?.();
    await expect(last?.()).rejects.toThrow(RetryLaterError);
    maintainers.shift();
  });
});
