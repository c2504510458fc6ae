import type {
  AvatarAdded,
  AvatarChanged,
  AvatarData,
  AvatarEvent,
  AvatarRestored,
  AvatarRetired,
} from '../events.js';
import type { Decider } from '../decider.js';
import { AVATARS_STREAM } from '../stream-ids.js';
import { type Authority, requireMaintainer } from '../authority.js';
import { DomainError } from '../errors.js';
import { MAX_AVATAR_TEXT_LENGTH, MAX_AVATARS } from '../limits.js';
import { requireName } from '../validation/content.js';
import { requireUnchangedSince } from '../validation/seen.js';

/** Built-in avatars by group, at `/avatars/<group>/<name>.svg`. */
const NAMES = {
  animals: ['bear', 'cat', 'fox', 'frog', 'koala', 'panda', 'rabbit', 'wolf'],
  people: ['amber', 'blue', 'coral', 'green', 'indigo', 'pink', 'teal', 'violet'],
  space: ['comet', 'earth', 'jupiter', 'mars', 'moon', 'neptune', 'saturn', 'sun'],
} as const;

export const BUILT_IN_AVATARS: readonly AvatarData[] = Object.entries(NAMES).flatMap(([group, names]) =>
  names.map((name) => ({
    avatarId: `${group}/${name}`,
    group,
    label: name,
    imageUrl: `/avatars/${group}/${name}.svg`,
  })),
);

export type Avatar = AvatarData & { readonly isRetired: boolean };
export type AvatarsState = ReadonlyMap<string, Avatar>;

export const avatarsDecider: Decider<AvatarsState, AvatarEvent, []> = {
  stream: () => AVATARS_STREAM,
  initial: new Map(BUILT_IN_AVATARS.map((avatar) => [avatar.avatarId, { ...avatar, isRetired: false }])),
  evolve: (state, { type, data }) => {
    const isRetired =
      type === 'AvatarRetired' ||
      (type === 'AvatarChanged' && (state.get(data.avatarId)?.isRetired ?? false));
    return new Map(state).set(data.avatarId, { ...data, isRetired });
  },
};

export type AvatarDetails = Omit<AvatarData, 'avatarId'>;
export type AddAvatar = AvatarData & { readonly by: Authority };

export const addAvatar = (
  { by, avatarId, ...details }: AddAvatar,
  state: AvatarsState,
): readonly AvatarAdded[] => {
  requireMaintainer(by);
  const avatar = requireAvatar({ avatarId, ...details }, state);
  if (state.has(avatarId)) return [];
  if (state.size - avatarsDecider.initial.size >= MAX_AVATARS)
    throw new DomainError('TOO_MANY_AVATARS', { max: MAX_AVATARS });
  return [{ type: 'AvatarAdded', data: avatar }];
};

/** Omitted fields stay. `seen` has the values that the form showed for the fields it changes. */
export type ChangeAvatar = {
  readonly by: Authority;
  readonly avatarId: string;
  readonly change: Partial<AvatarDetails>;
  readonly seen?: Partial<AvatarDetails>;
};

export const changeAvatar = (
  { by, avatarId, change, seen }: ChangeAvatar,
  state: AvatarsState,
): readonly AvatarChanged[] => {
  requireMaintainer(by);
  const { isRetired: _, ...before } = requireKnown(avatarId, state);
  const avatar = requireAvatar({ ...before, ...change }, state);
  requireUnchangedSince(seen, before, avatar);
  const unchanged =
    avatar.group === before.group && avatar.label === before.label && avatar.imageUrl === before.imageUrl;
  return unchanged ? [] : [{ type: 'AvatarChanged', data: avatar }];
};

export type RetireAvatar = { readonly by: Authority; readonly avatarId: string };

/** Retired avatars are no longer offered. Students who have one keep it. */
export const retireAvatar = (
  { by, avatarId }: RetireAvatar,
  state: AvatarsState,
): readonly AvatarRetired[] => {
  requireMaintainer(by);
  const { isRetired, ...data } = requireKnown(avatarId, state);
  return isRetired ? [] : [{ type: 'AvatarRetired', data }];
};

export const restoreAvatar = (
  { by, avatarId }: RetireAvatar,
  state: AvatarsState,
): readonly AvatarRestored[] => {
  requireMaintainer(by);
  const { isRetired, ...data } = requireKnown(avatarId, state);
  return isRetired ? [{ type: 'AvatarRestored', data }] : [];
};

const requireKnown = (avatarId: string, state: AvatarsState): Avatar => {
  const avatar = state.get(avatarId);
  if (!avatar) throw new DomainError('AVATAR_NOT_FOUND');
  return avatar;
};

const requireAvatar = ({ avatarId, imageUrl, ...texts }: AvatarData, state: AvatarsState): AvatarData => {
  const [max, tooLong] = [MAX_AVATAR_TEXT_LENGTH, 'AVATAR_TEXT_TOO_LONG'] as const;
  const group = requireName(texts.group, max, 'AVATAR_GROUP_REQUIRED', tooLong);
  const label = requireName(texts.label, max, 'AVATAR_LABEL_REQUIRED', tooLong);
  if (imageUrl.trim() === '') throw new DomainError('AVATAR_IMAGE_REQUIRED');
  const isTaken = [...state.values()].some(
    (other) => other.avatarId !== avatarId && other.group === group && isSameText(other.label, label),
  );
  if (isTaken) throw new DomainError('AVATAR_EXISTS');
  return { avatarId, group, label, imageUrl };
};

const isSameText = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();
