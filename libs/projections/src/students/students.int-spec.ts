import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventHistory } from '../testing/event-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import {
  findAuthorsByIds,
  findStudentByEmail,
  findStudentById,
  findStudentByPhone,
  findStudentByUserName,
  searchMembers,
} from './students.queries.js';

let side: ReadSide;
beforeAll(async () => {
  side = await openReadSide();
});
afterAll(() => side.close());

const past = new EventHistory();
const stream = (studentId: string) => `student-${studentId}`;
const nameOf = (studentId: string) => `user_${studentId.slice(0, 8)}`;

describe('a student', () => {
  it('exists from sign-up on and completes the first login by joining a space', async () => {
    const studentId = past.newStudent({ userName: 'Grace_Hopper', firstName: 'Grace', lastName: 'Hopper' });
    await side.record(past);
    const before = await findStudentById(side.pool, studentId);
    expect(before).toMatchObject({
      userName: 'Grace_Hopper',
      phone: '919876543210',
      email: null,
      isRegistered: true,
      isPhoneVerified: true,
      isEmailConfirmed: false,
      isFirstTimeLogin: true,
      accountStatus: 'ACTIVE',
      registrationType: 'SELF',
      roles: [],
      spaceIds: [],
      countQuestions: 0,
    });
    const spaceId = past.newSpace();
    past.join(studentId, spaceId);
    past.leave(studentId, spaceId);
    past.append(stream(studentId), { type: 'StudentEmailConfirmed', data: { studentId } });
    await side.record(past);
    expect(await findStudentById(side.pool, studentId)).toMatchObject({
      isFirstTimeLogin: false,
      isEmailConfirmed: true,
      spaceIds: [],
    });
  });

  it('is found by user name and e-mail in any case, and by phone', async () => {
    const studentId = past.newStudent({ userName: 'MixedCase_1' });
    const byMail = 'b4a7f7c0-0000-4000-8000-00000000000a';
    past.append(stream(byMail), {
      type: 'StudentSignedUp',
      data: { studentId: byMail, phone: '910000000001', email: 'Some@Example.org', registrationType: 'SELF' },
    });
    await side.record(past);
    expect((await findStudentByUserName(side.pool, 'mixedcase_1'))?._id).toBe(studentId);
    expect((await findStudentByEmail(side.pool, 'sOME@example.ORG'))?._id).toBe(byMail);
    expect((await findStudentByPhone(side.pool, '910000000001'))?._id).toBe(byMail);
    expect(await findStudentByUserName(side.pool, 'mixedcase%')).toBeNull();
  });

  it('can be blocked and unblocked, and holds roles until they are revoked', async () => {
    const studentId = past.newStudent();
    const spaceId = past.newSpace();
    past.append(
      stream(studentId),
      { type: 'StudentBlocked', data: { studentId, reason: 'Spam', rank: 'MAINTAINER' } },
      { type: 'RoleGranted', data: { studentId, role: 'MODERATOR', spaceId } },
      { type: 'RoleGranted', data: { studentId, role: 'MAINTAINER', spaceId: null } },
    );
    await side.record(past);
    const roles = [
      { role: 'MAINTAINER', space: null },
      { role: 'MODERATOR', space: spaceId },
    ];
    expect(await findStudentById(side.pool, studentId)).toMatchObject({ accountStatus: 'BLOCKED', roles });
    past.append(
      stream(studentId),
      { type: 'StudentUnblocked', data: { studentId } },
      { type: 'RoleRevoked', data: { studentId, role: 'MODERATOR', spaceId } },
    );
    await side.record(past);
    expect(await findStudentById(side.pool, studentId)).toMatchObject({
      isBlocked: false,
      roles: [roles[0]],
    });
  });

  it('stays anonymous once erased, even after late events', async () => {
    const studentId = past.newStudent({ userName: 'gone_girl' });
    const profile = {
      userName: 'back',
      firstName: 'B',
      lastName: 'A',
      profileDesc: 'x',
      realProfilePicUrl: null,
    };
    past.append(
      stream(studentId),
      { type: 'StudentErased', data: { studentId, withWords: false } },
      { type: 'StudentProfileChanged', data: { studentId, ...profile } },
      { type: 'StudentRegistered', data: { studentId, ...profile } },
    );
    await side.record(past);
    expect(await findStudentById(side.pool, studentId)).toMatchObject({
      isErased: true,
      userName: null,
      firstName: null,
      phone: null,
      profileDesc: null,
    });
    expect(await findStudentByUserName(side.pool, 'gone_girl')).toBeNull();
    const [author, unknown] = await findAuthorsByIds(side.pool, [studentId, 'unknown']);
    expect(author).toMatchObject({ _id: studentId, userName: '', profileDesc: '' });
    expect(unknown).toBeNull();
  });
});

describe('the mention list', () => {
  const search = async (spaceId: string, text: string, skip = 0, limit = 10) =>
    (await searchMembers(side.pool, { spaceId, search: text, skip, limit })).map(({ _id }) => _id);

  it('finds members by any part of their names, user name prefixes first', async () => {
    const spaceId = past.newSpace();
    const [late, prefix, first, infix] = [
      past.newStudent({ userName: 'zed', firstName: 'Mo', lastName: 'Marieke' }),
      past.newStudent({ userName: 'marie_c', firstName: 'Ada', lastName: 'B' }),
      past.newStudent({ userName: 'abc', firstName: 'Maria', lastName: 'B' }),
      past.newStudent({ userName: 'a_annemarie', firstName: 'A', lastName: 'B' }),
    ];
    for (const studentId of [late, prefix, first, infix]) past.join(studentId, spaceId);
    await side.record(past);
    expect(await search(spaceId, 'mari')).toEqual([prefix, infix, first, late]);
    expect(await search(spaceId, ' MARI ', 1, 2)).toEqual([infix, first]);
    expect(await search(spaceId, 'm')).toEqual([prefix, first, late]);
    expect(await search(spaceId, '')).toEqual([infix, first, prefix, late]);
    expect(await search(spaceId, 'a_annemarie')).toEqual([infix]);
    expect(await search(spaceId, '%')).toEqual([]);
    expect(await search(spaceId, '_c')).toEqual([]);
    expect(await search(past.newSpace(), 'mari')).toEqual([]);
  });

  it('excludes stand-ins, non-members, and blocked, erased and unregistered students', async () => {
    const spaceId = past.newSpace();
    const [member, blocked, erased, left] = Array.from({ length: 4 }, () => past.newStudent());
    const [standIn, outsider] = [past.newStandIn(), past.newStudent()];
    for (const studentId of [member, blocked, erased, left, standIn]) past.join(studentId ?? '', spaceId);
    const unregistered = 'b4a7f7c0-0000-4000-8000-00000000000b';
    past.append(stream(unregistered), {
      type: 'StudentSignedUp',
      data: { studentId: unregistered, phone: '910000000002', email: null, registrationType: 'SELF' },
    });
    past.join(unregistered, spaceId);
    past.append(stream(blocked ?? ''), {
      type: 'StudentBlocked',
      data: { studentId: blocked ?? '', reason: 'Spam', rank: 'MAINTAINER' },
    });
    past.append(stream(erased ?? ''), {
      type: 'StudentErased',
      data: { studentId: erased ?? '', withWords: false },
    });
    past.leave(left ?? '', spaceId);
    await side.record(past);
    expect(await search(spaceId, '')).toEqual([member]);
    expect(await search(spaceId, 'user_')).toEqual([member]);
    expect(await search(spaceId, nameOf(outsider))).toEqual([]);
    expect(await search(spaceId, 'voter')).toEqual([]);
  });
});
