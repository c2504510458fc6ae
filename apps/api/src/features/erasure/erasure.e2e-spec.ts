import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { entryOf, EVENT_TYPES, type EventType } from '@nimo/domain';
import { eventually } from '@nimo/testing';
import type { TestApp } from '../../../../../test/app.js';
import { isDone } from '../../../../../test/erasure.js';
import type { OpenIdProvider } from '../../../../../test/servers/open-id-provider.js';
import { LOGGER } from '../../platform/config/tokens.js';
import { RequestErasure, WithdrawErasure } from './commands/request-erasure.js';
import { type Counts, ErasureSteps } from './erasure-steps.js';
import { Erasures } from './erasures.js';
import { RetryLaterError } from './post-words.js';
import { profile, signUpByEmail } from './testing/account-history.fixture.js';
import {
  bootWithProvider,
  erase,
  type ErasedPerson,
  findRestored,
  rebuildAll,
  storeOf,
  valuesOf,
  withFolder,
  workerOf,
} from './testing/erased.fixture.js';
import { liveFully, newSurroundings } from './testing/full-history.fixture.js';
import { Person, type Surroundings } from './testing/person.fixture.js';
import { readWholeLog } from './testing/places.fixture.js';
import { posts } from './testing/post-history.fixture.js';
import { currentName, MUTATIONS_WITHOUT_PERSON } from './testing/without-person.fixture.js';
import { Tombstones } from './tombstones.js';

/** Event types with personal data that the history does not have, with the reason. */
const EVENTS_ELSEWHERE: Partial<Record<EventType, string>> = {
  SignUpAbandoned: 'only without an account: carried-values.int-spec',
  StudentImported: 'only in imports; the source id is erased with the profile: personal-data.codec.int-spec',
};

let app: TestApp;
let provider: OpenIdProvider;
let surroundings: Surroundings;
let person: Person;
/** Signed up by email. */
let author: Person;
let erased: ErasedPerson;
let kills: readonly string[];
let restored: unknown;
beforeAll(async () => {
  ({ app, provider } = await bootWithProvider());
  surroundings = await newSurroundings(app);
  author = new Person(surroundings);
  await signUpByEmail(author);
  await author.does('joinSpace', { spaceId: surroundings.community.spaceId });
  await profile(author);
  await posts(author);
  person = new Person(surroundings);
  await liveFully(person, provider, 'PHONE');
  await withFolder(async (folder) => {
    const killed = killedAfterEachStep(worker().get(ErasureSteps));
    kills = killed.kills;
    const finish = async (studentId: string) => {
      const erasures = new Erasures(app.pool, killed.steps, worker().get(LOGGER));
      await eventually(() => isDone(erasures.finish(studentId)));
    };
    erased = await erase(person, { withWords: true, finish, backup: join(folder, 'saved') });
    restored = await findRestored(person, folder, true);
  });
});
afterAll(async () => {
  await app.close();
  await provider.stop();
});

const worker = () => workerOf(app);
const noted = (studentId: string) =>
  eventually(
    () => worker().get(Erasures).find(studentId),
    (found) => found !== undefined,
  );
const ask = (studentId: string, withWords: boolean, atOnce = true) =>
  app.execute(
    new RequestErasure(app.operator(), studentId, { withWords, reason: 'Asked by letter', atOnce }),
  );

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

describe('the history of a student', () => {
  it('has every mutation, or says why it stores nothing personal', () => {
    const { done, schema } = surroundings.mutations;
    const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
    const names = new Set(fields.map(({ name, description }) => currentName(name, description)));
    const covered = [...done, ...Object.keys(MUTATIONS_WITHOUT_PERSON)];
    expect(covered.sort()).toEqual([...names].sort());
  });

  it('has every event type with personal data', async () => {
    const events = await readWholeLog(storeOf(app));
    const happened = new Set(
      events.filter(({ data }) => JSON.stringify(data).includes(person.studentId)).map(({ type }) => type),
    );
    const isPersonal = (type: EventType) => (entryOf(type)?.sealed ?? []).length > 0;
    // The erasure unlinks claims from the student.
    const isClaim = (type: EventType) => type.startsWith('Claim');
    expect(
      EVENT_TYPES.filter(
        (type) => isPersonal(type) && !isClaim(type) && !happened.has(type) && !(type in EVENTS_ELSEWHERE),
      ),
    ).toEqual([]);
  });

  it('is stored where the erasure looks for it', () => {
    const { hidden } = person;
    const expected = Object.keys(valuesOf(person, true)).filter((label) => !(label in hidden));
    expect(expected.filter((label) => !(label in erased.before))).toEqual([]);
  });
});

describe('an erasure with content', () => {
  it('leaves no value anywhere, even if killed once after every step', () => {
    expect(kills).toEqual(Object.keys(worker().get(ErasureSteps).all));
    expect(erased.after).toEqual({});
  });

  it('leaves no value in a restored older backup', () => {
    expect(restored).toEqual({});
  });

  it('changes nothing of other users', () => {
    for (const [kind, { before, after }] of Object.entries(erased.others))
      expect({ kind, rows: after }).toEqual({ kind, rows: before });
  });

  it('leaves nothing in the log that links a phone number, address or name to the student', () => {
    expect(erased.linkedClaims).toEqual([]);
  });

  it('rebuilds to the same rows', async () => {
    const { live, rebuilt } = await rebuildAll(person);
    expect(rebuilt).toEqual(live);
  });

  it('is recorded, frees the phone, and happens once', async () => {
    const { studentId, token } = person;
    const erasure = await worker().get(Erasures).find(studentId);
    expect(erasure?.finishedAt).not.toBeNull();
    expect(erasure?.report).toMatchObject({ posts: expect.any(Number) });
    expect(await worker().get(Tombstones).read()).toContainEqual({ studentId, withWords: true });
    const logged = await readFile(join(app.dataDir, 'logs', 'worker.log'), 'utf8');
    expect(logged.split('\n').filter((line) => line.includes('permission denied'))).toEqual([]);
    const { errors } = await app.graphql('{ getOwnStudent: getMe { _id } }', {}, token);
    expect(errors).toBeDefined();
    const phone = person.valueOf('phone');
    expect((await app.signUp({ phone })).studentId).not.toBe(studentId);
    await expect(ask(studentId, true)).rejects.toThrow('already been deleted');
  });

  it('keeps threads, without title, body and author', async () => {
    const { rows } = await app.pool.query<{ id: string }>(
      'select question_id as id from read.questions where author_id = $1 and not is_deleted',
      [person.studentId],
    );
    for (const { id } of rows)
      expect(
        await surroundings.ben.query(
          `getQuestionById(questionId: "${id}") { title body author { userName } }`,
        ),
      ).toEqual({ title: '', body: '', author: { userName: '' } });
    expect(rows).not.toEqual([]);
  });
});

describe('an erasure without content', () => {
  it('keeps posts without the author’s name and changes nothing of other users', async () => {
    const { after, others, linkedClaims } = await erase(author, { withWords: false });
    expect(after).toEqual({});
    expect(linkedClaims).toEqual([]);
    for (const [kind, rows] of Object.entries(others))
      expect({ kind, ...rows }).toEqual({ kind, before: rows.before, after: rows.before });
    const { rows } = await app.pool.query<{ id: string }>(
      'select question_id as id from read.questions where author_id = $1 and not is_deleted',
      [author.studentId],
    );
    for (const { id } of rows)
      expect(
        await surroundings.ben.query(`getQuestionById(questionId: "${id}") { title author { userName } }`),
      ).toEqual({ title: `Is ${author.words['edited title'] ?? ''} a group?`, author: { userName: '' } });
    expect(rows).toHaveLength(1);
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
