import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@nimo/testing';
import { randomUUID } from 'node:crypto';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newMember, newSpace } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { listenTo } from '../../../../../test/servers/listener.js';
import { RequestErasure } from '../erasure/commands/request-erasure.js';

let app: TestApp;
beforeAll(async () => {
  app = await bootApp();
});
afterAll(() => app.close());

/** A space that students ask to join, with two moderators, one of them a member, and a plain member. */
async function newSpaceWithModerators() {
  // A name belongs to one space only.
  const spaceName = `Robotics ${randomUUID().slice(0, 8)}`;
  const community = await newCommunity(app, 2, { name: spaceName, entry: 'REQUEST' });
  const { spaceId } = community;
  const [first, member] = community.members.map((student) => new Participant(app, student, community));
  if (!first || !member) throw new Error('missing members');
  const second = await newcomer();
  for (const { student } of [first, second]) await app.grantRole(student.studentId, 'MODERATOR', spaceId);

  async function newcomer() {
    return new Participant(app, await app.signUp(), community);
  }
  const notifications = async (who: Participant) => {
    const { docs } = await who.query<{ docs: readonly { type: string }[] }>(
      `getPaginatedNotifications(space: "${spaceId}") { docs { _id type title body isNew payload {
        __typename ... on EntryRequestNotification { student { _id userName } text space spaceName } } } }`,
    );
    return docs.filter(({ type }) => type === 'ENTRY_REQUESTED');
  };
  const count = (who: Participant) => who.query<number>(`getNewNotificationCount(space: "${spaceId}")`);
  const request = (who: Participant, text = '') =>
    who.perform(`requestEntry(spaceId: "${spaceId}", text: "${text}") { _id }`);
  const withdraw = (who: Participant) => who.perform(`withdrawEntryRequest(spaceId: "${spaceId}") { _id }`);
  const answer = ({ student }: Participant, isAccepted: boolean) =>
    `answerEntryRequest(space: "${spaceId}", studentId: "${student.studentId}", isAccepted: ${isAccepted}) { flag }`;
  return {
    community,
    spaceId,
    spaceName,
    first,
    second,
    member,
    newcomer,
    notifications,
    count,
    request,
    withdraw,
    answer,
  };
}

describe('an open request to join', () => {
  it('notifies every moderator of the space', async () => {
    const { spaceId, spaceName, first, second, newcomer, notifications, count, request } =
      await newSpaceWithModerators();
    const eve = await newcomer();
    const { studentId, userName } = eve.student;
    await request(eve, 'I am in 7b');
    for (const moderator of [first, second]) {
      expect(await notifications(moderator)).toEqual([
        {
          _id: `ENTRY_REQUESTED:${studentId}:${spaceId}`,
          type: 'ENTRY_REQUESTED',
          title: `${userName} asks to join ${spaceName}`,
          body: 'I am in 7b',
          isNew: true,
          payload: {
            __typename: 'EntryRequestNotification',
            student: { _id: studentId, userName },
            text: 'I am in 7b',
            space: spaceId,
            spaceName,
          },
        },
      ]);
      expect(await count(moderator)).toBe(1);
    }
    await first.perform(`markNotificationsSeen(space: "${spaceId}")`);
    expect([await count(first), await count(second)]).toEqual([0, 1]);
    expect(await notifications(first)).toMatchObject([{ isNew: false }]);
  });

  it('notifies neither members, nor moderators of another space, nor maintainers', async () => {
    const { community, spaceId, member, newcomer, notifications, count, request } =
      await newSpaceWithModerators();
    const [elsewhere, maintainer] = [
      new Participant(app, await newMember(app, spaceId), community),
      new Participant(app, await newMember(app, spaceId), community),
    ];
    await app.grantRole(elsewhere.student.studentId, 'MODERATOR', await newSpace(app));
    await app.grantRole(maintainer.student.studentId, 'MAINTAINER');
    await request(await newcomer());
    for (const who of [member, elsewhere, maintainer]) {
      expect(await notifications(who)).toEqual([]);
      expect(await count(who)).toBe(0);
    }
    const stranger = await newcomer();
    expect(
      await stranger.refusal(`{ getPaginatedNotifications(space: "${spaceId}") { page } }`),
    ).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is gone for all moderators once one answers, and cannot be answered again', async () => {
    const { first, second, newcomer, notifications, count, request, answer } = await newSpaceWithModerators();
    for (const isAccepted of [true, false]) {
      const eve = await newcomer();
      await request(eve);
      await first.perform(answer(eve, isAccepted));
      for (const moderator of [first, second]) {
        expect(await notifications(moderator)).toEqual([]);
        expect(await count(moderator)).toBe(0);
      }
      expect(await second.refusal(`mutation { ${answer(eve, !isAccepted)} }`)).toEqual({
        message: 'This student has no open request. It was answered or withdrawn.',
        code: 'CONFLICT',
      });
    }
  });

  it('is gone once withdrawn, and appears again if repeated', async () => {
    const { first, newcomer, notifications, request, withdraw } = await newSpaceWithModerators();
    const eve = await newcomer();
    await request(eve, 'Once');
    await withdraw(eve);
    expect(await notifications(first)).toEqual([]);
    await request(eve, 'Again');
    expect(await notifications(first)).toMatchObject([{ body: 'Again' }]);
  });

  it('is gone once the student is erased', async () => {
    const { first, newcomer, notifications, count, request } = await newSpaceWithModerators();
    const eve = await newcomer();
    await request(eve);
    expect(await count(first)).toBe(1);
    const erasure = { withWords: false, reason: 'Asked by letter', atOnce: true };
    await app.execute(new RequestErasure(app.operator(), eve.student.studentId, erasure));
    await eventually(
      () => count(first),
      (length) => length === 0,
    );
    expect(await notifications(first)).toEqual([]);
  });

  it('notifies no one who is no longer a moderator', async () => {
    const { spaceId, first, newcomer, notifications, request } = await newSpaceWithModerators();
    const maintainer = await newcomer();
    await app.grantRole(maintainer.student.studentId, 'MAINTAINER');
    await request(await newcomer());
    expect(await notifications(first)).toHaveLength(1);
    await maintainer.perform(
      `revokeRole(studentId: "${first.student.studentId}", role: MODERATOR, space: "${spaceId}") { act }`,
    );
    expect(await notifications(first)).toEqual([]);
  });
});

describe('notificationArrived', () => {
  it('signals to moderators when a request is made, withdrawn or answered', async () => {
    const { spaceId, first, second, member, newcomer, count, request, withdraw, answer } =
      await newSpaceWithModerators();
    const listeners = [first, second, member].map(({ student }) =>
      listenTo(app, `notificationArrived(space: "${spaceId}") { space }`, student.token),
    );
    const heard = () => listeners.map((listener) => listener.heard.length);
    const untilHeard = (...counts: number[]) =>
      eventually(
        () => Promise.resolve(heard()),
        (now) => now.every((length, index) => length >= (counts[index] ?? 0)),
      );
    try {
      await untilHeard(1, 1, 1);
      const eve = await newcomer();
      await request(eve);
      await untilHeard(2, 2);
      // Signalled only once it can be read.
      expect(await count(second)).toBe(1);
      await withdraw(eve);
      await untilHeard(3, 3);
      expect(await count(second)).toBe(0);
      await request(eve);
      await untilHeard(4, 4);
      await first.perform(answer(eve, false));
      await untilHeard(5, 5);
      expect(await count(second)).toBe(0);
      // The question signals to the member; the requests before it did not.
      await first.ask();
      await untilHeard(5, 6, 2);
      expect(heard()).toEqual([5, expect.any(Number), 2]);
    } finally {
      for (const listener of listeners) await listener.close();
    }
  });
});
