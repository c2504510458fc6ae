import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { holdErasure } from '../../../../../test/erasure.js';
import { RevokeRole } from '../students/commands/roles.js';
import { RequestErasure, WithdrawErasure } from './commands/request-erasure.js';
import { ErasureSteps } from './erasure-steps.js';
import { RetryLaterError } from './post-words.js';
import { workerOf } from './testing/erased.fixture.js';

let app: TestApp;
beforeAll(async () => {
  app = await bootApp();
});
afterAll(() => app.close());

const worker = () => workerOf(app);
const ask = (studentId: string, withWords: boolean, atOnce = true) =>
  app.execute(
    new RequestErasure(app.operator(), studentId, { withWords, reason: 'Asked by letter', atOnce }),
  );

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
