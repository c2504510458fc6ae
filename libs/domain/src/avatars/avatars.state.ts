import type { AvatarAdded, AvatarChanged, AvatarData, AvatarRestored, AvatarRetired } from '../events.js';
import { BUILT_IN_AVATARS } from './built-in-avatars.js';

export type AvatarEvent = AvatarAdded | AvatarChanged | AvatarRetired | AvatarRestored;
export type Avatar = AvatarData & { readonly isRetired: boolean };
export type AvatarsState = ReadonlyMap<string, Avatar>;

export const initialAvatars: AvatarsState = new Map(
  BUILT_IN_AVATARS.map((avatar) => [avatar.avatarId, { ...avatar, isRetired: false }]),
);

export const evolveAvatars = (state: AvatarsState, { type, data }: AvatarEvent): AvatarsState => {
  const isRetired =
    type === 'AvatarRetired' || (type === 'AvatarChanged' && (state.get(data.avatarId)?.isRetired ?? false));
  return new Map(state).set(data.avatarId, { ...data, isRetired });
};
