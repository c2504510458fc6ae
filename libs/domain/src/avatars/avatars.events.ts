import { act } from '../audit.js';
import { slice } from '../vocabulary.js';

// In the streams `avatars`.

/** The whole avatar in each event: the built-in ones have no event of their own before somebody changes them. */
export type AvatarData = {
  /** `<group>/<name>` of a built-in one, a UUID otherwise. */
  readonly avatarId: string;
  readonly group: string;
  readonly label: string;
  readonly imageUrl: string;
};
export type AvatarAdded = { readonly type: 'AvatarAdded'; readonly data: AvatarData };
export type AvatarChanged = { readonly type: 'AvatarChanged'; readonly data: AvatarData };
/** Not offered any more; whoever wears it goes on. */
export type AvatarRetired = { readonly type: 'AvatarRetired'; readonly data: AvatarData };
export type AvatarRestored = { readonly type: 'AvatarRestored'; readonly data: AvatarData };
export type AvatarEvent = AvatarAdded | AvatarChanged | AvatarRetired | AvatarRestored;

const avatar = { avatarId: 'avatar-1', group: 'animals', label: 'owl', imageUrl: '/media/o.webp' };

const ofAvatar = act(({ label }: AvatarData) => ({ about: label }));

export const avatarEvents = slice<AvatarEvent>()({
  streams: ['avatars'],
  events: {
    AvatarAdded: {
      example: avatar,
      audit: ofAvatar,
    },
    AvatarChanged: {
      example: avatar,
      audit: ofAvatar,
    },
    AvatarRetired: {
      example: avatar,
      audit: ofAvatar,
    },
    AvatarRestored: {
      example: avatar,
      audit: ofAvatar,
    },
  },
});
