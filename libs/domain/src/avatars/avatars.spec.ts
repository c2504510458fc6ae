import { describe, expect, it } from '@jest/globals';
import { OPERATOR } from '../authority.js';
import type {
  AvatarAdded,
  AvatarChanged,
  AvatarData,
  AvatarEvent,
  AvatarRestored,
  AvatarRetired,
} from '../events.js';
import { MAX_AVATARS } from '../limits.js';
import { newActor, newId, newMaintainer } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import {
  addAvatar,
  avatarsDecider,
  BUILT_IN_AVATARS,
  changeAvatar,
  restoreAvatar,
  retireAvatar,
} from './avatars.decide.js';

const by = newMaintainer();
const owl: AvatarData = { avatarId: newId(), group: 'animals', label: 'owl', imageUrl: '/media/owl.webp' };
const added: AvatarAdded = { type: 'AvatarAdded', data: owl };
const renamed: AvatarChanged = { type: 'AvatarChanged', data: { ...owl, label: 'eagle owl' } };
const retired: AvatarRetired = { type: 'AvatarRetired', data: owl };
const restored: AvatarRestored = { type: 'AvatarRestored', data: owl };
const bear: AvatarData = {
  avatarId: 'animals/bear',
  group: 'animals',
  label: 'bear',
  imageUrl: '/avatars/animals/bear.svg',
};

describe('addAvatar', () => {
  const adding = (changes: Partial<AvatarData> = {}, ...history: AvatarEvent[]) =>
    given(avatarsDecider, ...history).when((s) => addAvatar({ by, ...owl, ...changes }, s));

  it('adds an avatar once', () => {
    adding().then(added);
    adding({}, added).thenNothingHappens();
  });
  it('trims its texts', () => adding({ group: ' animals ', label: ' owl ' }).then(added));
  it.each([
    [{ group: ' ' }, 'AVATAR_GROUP_REQUIRED'],
    [{ label: '' }, 'AVATAR_LABEL_REQUIRED'],
    [{ label: 'x'.repeat(61) }, 'AVATAR_TEXT_TOO_LONG'],
    [{ imageUrl: '' }, 'AVATAR_IMAGE_REQUIRED'],
    [{ label: 'Bear' }, 'AVATAR_EXISTS'],
  ] as const)('refuses %j', (changes, code) => adding(changes).thenRefused(code));
  it('accepts a name used in another group', () =>
    adding({ label: 'moon' }).then({ type: 'AvatarAdded', data: { ...owl, label: 'moon' } }));
  it('requires a maintainer', () =>
    given(avatarsDecider)
      .when((s) => addAvatar({ ...owl, by: newActor() }, s))
      .thenRefused('FORBIDDEN'));
  it('limits the number of avatars', () => {
    const many = Array.from({ length: MAX_AVATARS }, (_, index): AvatarAdded => {
      const label = String(index);
      return { type: 'AvatarAdded', data: { ...owl, avatarId: label, label } };
    });
    adding({}, ...many).thenRefused('TOO_MANY_AVATARS');
    adding({}, ...many.slice(1)).then(added);
  });
});

describe('changeAvatar', () => {
  const changing = (change: Partial<AvatarData>, ...history: AvatarEvent[]) =>
    given(avatarsDecider, added, ...history).when((s) =>
      changeAvatar({ by, avatarId: owl.avatarId, change, seen: { label: 'owl' } }, s),
    );

  it('changes the given fields', () => changing({ label: 'eagle owl' }).then(renamed));
  it('records nothing if nothing changes', () =>
    changing({ label: 'eagle owl' }, renamed).thenNothingHappens());
  it('rejects a change based on an outdated value', () =>
    changing({ label: 'barn owl' }, renamed).thenRefused('CHANGED_MEANWHILE'));
  it('changes a built-in avatar', () =>
    given(avatarsDecider)
      .when((s) => changeAvatar({ by, avatarId: bear.avatarId, change: { label: 'Bär' } }, s))
      .then({ type: 'AvatarChanged', data: { ...bear, label: 'Bär' } }));
  it('refuses an unknown avatar', () =>
    given(avatarsDecider)
      .when((s) => changeAvatar({ by, avatarId: newId(), change: { label: 'x' } }, s))
      .thenRefused('AVATAR_NOT_FOUND'));
  it('requires a maintainer', () =>
    given(avatarsDecider, added)
      .when((s) => changeAvatar({ by: newActor(), avatarId: owl.avatarId, change: {} }, s))
      .thenRefused('FORBIDDEN'));
});

describe('retireAvatar and restoreAvatar', () => {
  const { avatarId } = owl;
  it('retires once', () => {
    given(avatarsDecider, added)
      .when((s) => retireAvatar({ by, avatarId }, s))
      .then(retired);
    given(avatarsDecider, added, retired)
      .when((s) => retireAvatar({ by, avatarId }, s))
      .thenNothingHappens();
  });
  it('restores once', () => {
    given(avatarsDecider, added, retired)
      .when((s) => restoreAvatar({ by, avatarId }, s))
      .then(restored);
    given(avatarsDecider, added, retired, restored)
      .when((s) => restoreAvatar({ by, avatarId }, s))
      .thenNothingHappens();
  });
  it('retires a built-in avatar', () =>
    given(avatarsDecider)
      .when((s) => retireAvatar({ by: OPERATOR, avatarId: bear.avatarId }, s))
      .then({ type: 'AvatarRetired', data: bear }));
  it('keeps an avatar retired after a change', () =>
    expect(given(avatarsDecider, added, retired, renamed).state().get(avatarId)).toMatchObject({
      label: 'eagle owl',
      isRetired: true,
    }));
  it('requires a maintainer', () => {
    for (const decide of [retireAvatar, restoreAvatar])
      given(avatarsDecider, added)
        .when((s) => decide({ by: newActor(), avatarId }, s))
        .thenRefused('FORBIDDEN');
  });
});

it('built-in avatars have unique IDs', () => {
  const ids = new Set(BUILT_IN_AVATARS.map(({ avatarId }) => avatarId));
  expect(ids.size).toBe(24);
  expect(avatarsDecider.initial.size).toBe(24);
});
