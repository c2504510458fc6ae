import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import type { Community } from '../../../../../test/community.js';
import { newParticipants, Participant } from '../../../../../test/participant.js';

interface Held {
  readonly role: string;
  readonly space: { readonly _id: string } | null;
}
interface Holder {
  readonly _id: string;
  readonly roles: readonly Held[];
}

let app: TestApp;
let community: Community;
let mai: Participant;
let ada: Participant;
beforeAll(async () => {
  app = await sharedApp();
  const met = await newParticipants(app, 2);
  community = met.community;
  [mai, ada] = met.people;
  await app.grantRole(mai.student.studentId, 'MAINTAINER');
});

const idOf = ({ student }: Participant): string => student.studentId;
const change = (name: 'grantRole' | 'revokeRole', of: Participant, role: string, space?: string): string =>
  `${name}(studentId: "${idOf(of)}", role: ${role}${space === undefined ? '' : `, space: "${space}"`}) { student { _id roles { role space { _id } } } }`;
const news = () => `publishNewspost(title: "T", body: "<p>b</p>", space: "${community.spaceId}") { _id }`;
const ownRoles = (of: Participant) => of.query<{ roles: unknown[] }>('getStudent { roles { role space } }');

describe('roles', () => {
  it('take effect and end with the next request', async () => {
    const { spaceId } = community;
    expect(await ada.refusal(`mutation { ${news()} }`)).toMatchObject({ code: 'FORBIDDEN' });
    await mai.perform(change('grantRole', ada, 'MODERATOR', spaceId));
    expect((await ownRoles(ada)).roles).toEqual([{ role: 'MODERATOR', space: spaceId }]);
    await ada.perform(news());
    const holders = await mai.query<Holder[]>('getRoleHolders { _id roles { role space { _id } } }');
    expect(holders.find(({ _id }) => _id === idOf(ada))?.roles).toEqual([
      { role: 'MODERATOR', space: { _id: spaceId } },
    ]);
    await mai.perform(change('revokeRole', ada, 'MODERATOR', spaceId));
    expect((await ownRoles(ada)).roles).toEqual([]);
    expect(await ada.refusal(`mutation { ${news()} }`)).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('of a maintainer can be removed only by another maintainer', async () => {
    await mai.perform(change('grantRole', ada, 'MAINTAINER'));
    expect(await mai.refusal(`mutation { ${change('revokeRole', mai, 'MAINTAINER')} }`)).toEqual({
      message: 'You can’t remove your own maintainer role. Ask another maintainer or use the command line.',
      code: 'FORBIDDEN',
    });
    await mai.perform(change('revokeRole', ada, 'MAINTAINER'));
    expect(await ada.refusal('{ getRoleHolders { _id } }')).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('require an existing student and space', async () => {
    const nowhere = randomUUID();
    expect(await mai.refusal(`mutation { ${change('grantRole', ada, 'MODERATOR', nowhere)} }`)).toEqual({
      message: 'Space not found.',
      code: 'NOT_FOUND',
    });
    expect(
      await mai.refusal(`mutation { grantRole(studentId: "${nowhere}", role: MODERATOR) { act } }`),
    ).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('students', () => {
  interface Page {
    readonly docs: readonly { readonly _id: string; readonly isBlocked: boolean }[];
  }
  const find = async (search: string, more = '') =>
    (
      await mai.query<Page>(
        `getManagedStudents(search: "${search}"${more}) { docs { _id isBlocked } hasNext }`,
      )
    ).docs.map(({ _id }) => _id);

  it('are found by user name, phone and id', async () => {
    const eve = await app.signUp();
    for (const search of [
      eve.userName.slice(0, -1).toUpperCase(),
      eve.phone,
      `+${eve.phone}`,
      eve.phone.slice(2),
      eve.studentId,
    ])
      expect(await find(search)).toEqual([eve.studentId]);
    expect(await find(`${eve.userName.slice(0, -1)}%`)).toEqual([]);
  });

  it('can be blocked with a reason, which ends their sessions, and unblocked', async () => {
    const eve = new Participant(app, await app.signUp(), community);
    const block = (reason: string) =>
      `blockAccount(studentId: "${idOf(eve)}", reason: "${reason}") { student { isBlocked } }`;
    expect(await mai.refusal(`mutation { ${block(' ')} }`)).toMatchObject({ field: 'reason' });
    await mai.perform(block('Spam'));
    expect(await eve.refusal('{ getStudentSpaces { _id } }')).toMatchObject({ code: 'UNAUTHENTICATED' });
    const blocked = () => find(eve.student.userName, ', isBlocked: true');
    expect(await blocked()).toEqual([idOf(eve)]);
    await mai.perform(`unblockAccount(studentId: "${idOf(eve)}") { student { isBlocked } }`);
    expect(await blocked()).toEqual([]);
    expect(
      await mai.refusal(`mutation { blockAccount(studentId: "${idOf(mai)}", reason: "x") { act } }`),
    ).toMatchObject({ code: 'FORBIDDEN' });
  });
});
