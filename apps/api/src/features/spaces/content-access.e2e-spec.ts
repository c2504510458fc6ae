import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newSpace, type Community } from '../../../../../test/community.js';

let app: TestApp;
let community: Community;
const tokens: Record<string, string | undefined> = {};
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 1);
  const [elsewhere, everywhere, expired, maintainer] = await Promise.all(
    Array.from({ length: 4 }, () => app.signUp()),
  );
  if (!elsewhere || !everywhere || !expired || !maintainer) throw new Error('not enough sign-ups');
  await app.grantRole(elsewhere.studentId, 'MODERATOR', await newSpace(app));
  await app.grantRole(everywhere.studentId, 'MODERATOR');
  await app.grantRole(expired.studentId, 'MAINTAINER');
  await app.grantRole(maintainer.studentId, 'MAINTAINER');
  await app.pool.query(
    `update state.session set expires_at = now() - interval '1 minute' where student_id = $1`,
    [expired.studentId],
  );
  Object.assign(tokens, {
    student: community.members[0]?.token,
    elsewhere: elsewhere.token,
    everywhere: everywhere.token,
    expired: expired.token,
    maintainer: maintainer.token,
  });
});

const memberId = () => community.members[0]?.studentId ?? '';
const OPERATIONS: Readonly<Record<string, () => string>> = {
  getManagedSpaces: () => '{ getManagedSpaces { _id } }',
  getManagedSpace: () => `{ getManagedSpace(id: "${community.spaceId}") { _id } }`,
  getManagedSubjects: () => `{ getManagedSubjects(space: "${community.spaceId}") { _id } }`,
  getManagedTopics: () => `{ getManagedTopics(subject: "${community.subjectId}") { page } }`,
  getManagedAvatars: () => '{ getManagedAvatars { _id } }',
  getManagedStudents: () => '{ getManagedStudents { page } }',
  getManagedNews: () => '{ getManagedNews { page } }',
  getRoleHolders: () => '{ getRoleHolders { _id } }',
  createSpace: () => 'mutation { createSpace(details: { name: "", color: "000000" }) { act } }',
  changeSpace: () => `mutation { changeSpace(id: "${randomUUID()}", change: {}) { act } }`,
  archiveSpace: () => `mutation { archiveSpace(id: "${randomUUID()}") { act } }`,
  unarchiveSpace: () => `mutation { unarchiveSpace(id: "${randomUUID()}") { act } }`,
  deleteSpace: () => `mutation { deleteSpace(id: "${randomUUID()}", name: "") { act } }`,
  addSubject: () => `mutation { addSubject(space: "${randomUUID()}", subjectName: "x", color: "0") { act } }`,
  changeSubject: () => `mutation { changeSubject(id: "${randomUUID()}", change: {}) { act } }`,
  addTopic: () => `mutation { addTopic(subject: "${randomUUID()}", topicName: "x") { act } }`,
  changeTopic: () => `mutation { changeTopic(id: "${randomUUID()}", change: {}) { act } }`,
  addAvatar: () => 'mutation { addAvatar(group: "", label: "", imageUrl: "") { act } }',
  changeAvatar: () => 'mutation { changeAvatar(id: "none", change: {}) { act } }',
  retireAvatar: () => 'mutation { retireAvatar(id: "none") { act } }',
  restoreAvatar: () => 'mutation { restoreAvatar(id: "none") { act } }',
  grantRole: () => `mutation { grantRole(studentId: "${randomUUID()}", role: MODERATOR) { act } }`,
  revokeRole: () => `mutation { revokeRole(studentId: "${randomUUID()}", role: MODERATOR) { act } }`,
  blockAccount: () => `mutation { blockAccount(studentId: "${memberId()}", reason: "") { act } }`,
  unblockAccount: () => `mutation { unblockAccount(studentId: "${memberId()}") { act } }`,
};

describe.each(Object.entries(OPERATIONS))('%s', (_, operation) => {
  it.each([
    ['anonymous', 'UNAUTHENTICATED'],
    ['expired', 'UNAUTHENTICATED'],
    ['student', 'FORBIDDEN'],
    ['elsewhere', 'FORBIDDEN'],
    ['everywhere', 'FORBIDDEN'],
  ])('rejects %s', async (who, code) => {
    const { errors } = await app.graphql(operation(), {}, tokens[who]);
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual([code]);
  });

  it('allows a maintainer', async () => {
    const { errors = [] } = await app.graphql(operation(), {}, tokens['maintainer']);
    expect(errors.map(({ extensions }) => extensions.code)).not.toContain('FORBIDDEN');
    expect(errors.map(({ extensions }) => extensions.code)).not.toContain('UNAUTHENTICATED');
    expect(errors.map(({ extensions }) => extensions.code)).not.toContain('INTERNAL');
  });
});
