import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AVATARS_STREAM, BUILT_IN_AVATARS, type AvatarEvent } from '@nimo/domain';
import { randomUUID } from 'node:crypto';
import { EventHistory } from '../testing/event-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { findAvatarById, listAvatars } from './avatars.queries.js';

let side: ReadSide;
beforeAll(async () => {
  side = await openReadSide();
});
afterAll(() => side.close());

const past = new EventHistory();
const record = async (...events: AvatarEvent[]) => {
  past.append(AVATARS_STREAM, ...events);
  await side.record(past);
};
const newOwl = () => ({
  avatarId: randomUUID(),
  group: 'birds',
  label: `owl ${randomUUID()}`,
  imageUrl: `/media/${randomUUID()}.webp`,
});

describe('avatars', () => {
  it('are the built-in ones until someone changes them', async () => {
    const listed = await listAvatars(side.pool);
    expect(listed.map(({ _id }) => _id)).toEqual(BUILT_IN_AVATARS.map(({ avatarId }) => avatarId));
    expect(listed.every(({ isBuiltIn, isRetired }) => isBuiltIn && !isRetired)).toBe(true);
  });

  it('can be added, changed, retired and restored, and survive a rebuild', async () => {
    const [owl, crow] = [newOwl(), newOwl()];
    await record({ type: 'AvatarAdded', data: owl }, { type: 'AvatarAdded', data: crow });
    expect((await listAvatars(side.pool)).slice(-2).map(({ _id }) => _id)).toEqual([
      owl.avatarId,
      crow.avatarId,
    ]);
    await record({ type: 'AvatarRetired', data: owl });
    expect(await findAvatarById(side.pool, owl.avatarId)).toMatchObject({
      isRetired: true,
      isBuiltIn: false,
    });
    await record({ type: 'AvatarChanged', data: { ...owl, label: 'tawny owl' } });
    expect(await findAvatarById(side.pool, owl.avatarId)).toMatchObject({
      label: 'tawny owl',
      isRetired: true,
    });
    await record({ type: 'AvatarRestored', data: { ...owl, label: 'tawny owl' } });
    await record({ type: 'AvatarChanged', data: { ...owl, label: 'barn owl' } });
    const live = await listAvatars(side.pool);
    expect(live.find(({ _id }) => _id === owl.avatarId)).toMatchObject({
      label: 'barn owl',
      isRetired: false,
    });
    await side.rebuild('avatars');
    expect(await listAvatars(side.pool)).toEqual(live);
  });

  it('keep their place when a built-in one is retired or changed', async () => {
    const [first] = BUILT_IN_AVATARS;
    if (!first) throw new Error('no built-in avatars');
    await record({ type: 'AvatarRetired', data: first });
    expect((await listAvatars(side.pool))[0]).toMatchObject({
      _id: first.avatarId,
      isBuiltIn: true,
      isRetired: true,
    });
    await record({ type: 'AvatarChanged', data: { ...first, label: 'renamed' } });
    expect((await listAvatars(side.pool))[0]).toMatchObject({ label: 'renamed', isRetired: true });
    expect(await findAvatarById(side.pool, 'unknown')).toBeNull();
  });
});
