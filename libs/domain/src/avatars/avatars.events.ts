import { auditedAction } from '../audit.js';
import { slice } from '../vocabulary.js';

// Stream: `avatars`.

/** The whole avatar, in every event, because built-in avatars have no event before their first change. */
export type AvatarData = {
  /** `<group>/<name>` for built-in avatars, otherwise a UUID. */
  readonly avatarId: string;
  readonly group: string;
  readonly label: string;
  readonly imageUrl: string;
};
export type AvatarAdded = { readonly type: 'AvatarAdded'; readonly data: AvatarData };
export type AvatarChanged = { readonly type: 'AvatarChanged'; readonly data: AvatarData };
/** No longer offered; students who have it keep it. */
export type AvatarRetired = { readonly type: 'AvatarRetired'; readonly data: AvatarData };
export type AvatarRestored = { readonly type: 'AvatarRestored'; readonly data: AvatarData };
export type AvatarEvent = AvatarAdded | AvatarChanged | AvatarRetired | AvatarRestored;

const avatar = { avatarId: 'avatar-1', group: 'animals', label: 'owl', imageUrl: '/media/o.webp' };

const avatarAudit = auditedAction(({ label }: AvatarData) => ({ about: label }));

export const avatarEvents = slice<AvatarEvent>()({
  streams: ['avatars'],
  errors: {
    AVATAR_NOT_FOUND: { category: 'NOT_FOUND', message: 'Avatar not found.' },
    AVATAR_GROUP_REQUIRED: { category: 'VALIDATION', field: 'group', message: 'Please add a group.' },
    AVATAR_LABEL_REQUIRED: { category: 'VALIDATION', field: 'label', message: 'Please add a name.' },
    AVATAR_TEXT_TOO_LONG: {
      category: 'VALIDATION',
      field: 'label',
      message: 'Groups and names can’t be longer than {max} characters.',
    },
    AVATAR_IMAGE_REQUIRED: { category: 'VALIDATION', field: 'imageUrl', message: 'Please choose a picture.' },
    AVATAR_EXISTS: {
      category: 'CONFLICT',
      field: 'label',
      message: 'This group already has an avatar with this name.',
    },
    TOO_MANY_AVATARS: { category: 'CONFLICT', message: 'You can have at most {max} avatars.' },
  },
  events: {
    AvatarAdded: {
      example: avatar,
      audit: avatarAudit,
    },
    AvatarChanged: {
      example: avatar,
      audit: avatarAudit,
    },
    AvatarRetired: {
      example: avatar,
      audit: avatarAudit,
    },
    AvatarRestored: {
      example: avatar,
      audit: avatarAudit,
    },
  },
});
