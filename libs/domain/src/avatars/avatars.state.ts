import type { Decider } from '../decider.js';
import type { AvatarData, AvatarEvent } from '../events.js';
import { BUILT_IN_AVATARS } from './built-in-avatars.js';
import { AVATARS_STREAM } from '../stream-ids.js';

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
