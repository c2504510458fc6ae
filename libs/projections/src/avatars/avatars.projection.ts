import type { Key, Projection, Table } from '../projection.js';

/** An avatar that somebody added or changed. The built-in ones have a row only once they were changed or retired. */
export type AvatarRow = {
  readonly avatar_id: string;
  readonly group_name: string;
  readonly label: string;
  readonly image_url: string;
  readonly is_retired: boolean;
  /** Ordinal of its first event: new ones come last. */
  readonly since: number;
};

const avatars: Table<AvatarRow> = {
  name: 'avatars',
  columns: {
    avatar_id: { type: 'text' },
    group_name: { type: 'text' },
    label: { type: 'text' },
    image_url: { type: 'text' },
    is_retired: { type: 'boolean' },
    since: { type: 'bigint' },
  },
  key: ['avatar_id'],
  keysOf(event): readonly Key[] {
    switch (event.type) {
      case 'AvatarAdded':
      case 'AvatarChanged':
      case 'AvatarRetired':
      case 'AvatarRestored':
        return [[event.data.avatarId]];
      default:
        return [];
    }
  },
  fold(row, event) {
    switch (event.type) {
      case 'AvatarAdded':
      case 'AvatarChanged':
      case 'AvatarRetired':
      case 'AvatarRestored': {
        const { avatarId, group, label, imageUrl } = event.data;
        const wasRetired = event.type === 'AvatarChanged' && (row?.is_retired ?? false);
        return {
          avatar_id: avatarId,
          group_name: group,
          label,
          image_url: imageUrl,
          is_retired: event.type === 'AvatarRetired' || wasRetired,
          since: row?.since ?? event.ordinal,
        };
      }
      default:
        return row;
    }
  },
};

/** What students may pick as their picture, as far as it differs from what the product comes with. */
export const avatarsProjection = {
  name: 'avatars',
  purpose: 'Avatars that can be chosen',
  version: 1,
  tables: [avatars],
} as const satisfies Projection;
