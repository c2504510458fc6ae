import type { Columns, Handler, Projected, Projection, RowOf, Table } from '../projection.js';

const COLUMNS = {
  avatar_id: { type: 'text' },
  group_name: { type: 'text' },
  label: { type: 'text' },
  image_url: { type: 'text' },
  is_retired: { type: 'boolean' },
  /** Ordinal of its first event: new ones come last. */
  since: { type: 'bigint' },
} as const satisfies Columns;

/** An avatar that somebody added or changed. The built-in ones have a row only once they were changed or retired. */
export type AvatarRow = RowOf<typeof COLUMNS>;

/** Each event tells all of an avatar. */
const told = (
  isRetired: (row: AvatarRow | undefined) => boolean,
): Handler<AvatarRow, Projected<'AvatarAdded' | 'AvatarChanged' | 'AvatarRetired' | 'AvatarRestored'>> => ({
  keys: ({ data }) => [[data.avatarId]],
  fold: (row, { data: { avatarId, group, label, imageUrl }, ordinal }) => ({
    avatar_id: avatarId,
    group_name: group,
    label,
    image_url: imageUrl,
    is_retired: isRetired(row),
    since: row?.since ?? ordinal,
  }),
});

const avatars: Table<AvatarRow> = {
  name: 'avatars',
  columns: COLUMNS,
  key: ['avatar_id'],
  on: {
    AvatarAdded: told(() => false),
    AvatarChanged: told((row) => row?.is_retired ?? false),
    AvatarRetired: told(() => true),
    AvatarRestored: told(() => false),
  },
};

/** What students may pick as their picture, as far as it differs from what the product comes with. */
export const avatarsProjection = {
  name: 'avatars',
  purpose: 'Avatars that can be chosen',
  version: 1,
  tables: [avatars],
} as const satisfies Projection;
