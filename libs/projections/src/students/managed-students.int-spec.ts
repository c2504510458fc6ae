import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { studentStream } from '@nimo/domain';
import { EventHistory } from '../testing/event-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { findManagedStudent, listRoleHolders, pageOfStudents } from './managed-students.queries.js';
import { findStudentById } from './students.queries.js';

let side: ReadSide;
beforeAll(async () => {
  side = await openReadSide();
});
afterAll(() => side.close());

const past = new EventHistory();
const found = async (search: string, options: object = {}) =>
  (await pageOfStudents(side.pool, { search, ...options })).docs.map(({ _id }) => _id);

describe('managed students', () => {
  it('are found by name prefix, phone and id', async () => {
    const [ada, ben] = [past.newStudent(), past.newStudent()];
    past.newStandIn();
    await side.record(past);
    const { userName, phone } = (await findStudentById(side.pool, ada)) ?? {};
    expect(await found(`${userName}`.toUpperCase())).toEqual([ada]);
    expect(await found(ben)).toEqual([ben]);
    expect(await found(phone ?? '')).toContain(ada);
    expect(await found('%')).toEqual([]);
    expect(new Set(await found(''))).toEqual(new Set([ada, ben]));
    const first = await pageOfStudents(side.pool, { limit: 1 });
    expect(first).toMatchObject({ hasNext: true, docs: [expect.anything()] });
    expect(await pageOfStudents(side.pool, { limit: 1, page: 2 })).toMatchObject({ hasNext: false });
  });

  it('can be filtered by blocked status', async () => {
    const ada = past.newStudent();
    past.append(studentStream(ada), {
      type: 'StudentBlocked',
      data: { studentId: ada, reason: 'Spam', rank: 'MAINTAINER' },
    });
    await side.record(past);
    expect(await found('', { isBlocked: true })).toEqual([ada]);
    expect(await found('', { isBlocked: false })).not.toContain(ada);
    expect(await findManagedStudent(side.pool, ada)).toMatchObject({ isBlocked: true });
  });

  it('list roles by space until the last role is revoked', async () => {
    const spaceId = past.newSpace({ name: 'French' });
    const ada = past.newStudent();
    const role = { studentId: ada, role: 'MODERATOR', spaceId } as const;
    past.append(studentStream(ada), { type: 'RoleGranted', data: role });
    past.append(studentStream(ada), { type: 'RoleGranted', data: { ...role, spaceId: null } });
    await side.record(past);
    const holder = (await listRoleHolders(side.pool)).find(({ _id }) => _id === ada);
    expect(holder?.roles).toEqual([
      { role: 'MODERATOR', space: null },
      { role: 'MODERATOR', space: { _id: spaceId, name: 'French' } },
    ]);
    past.append(studentStream(ada), { type: 'RoleRevoked', data: role });
    past.append(studentStream(ada), { type: 'RoleRevoked', data: { ...role, spaceId: null } });
    await side.record(past);
    expect((await listRoleHolders(side.pool)).map(({ _id }) => _id)).not.toContain(ada);
  });

  it('disappear once erased', async () => {
    const ada = past.newStudent();
    past.append(studentStream(ada), { type: 'StudentErased', data: { studentId: ada, withWords: false } });
    await side.record(past);
    expect(await findManagedStudent(side.pool, ada)).toBeNull();
    expect(await found(ada)).toEqual([]);
  });
});
