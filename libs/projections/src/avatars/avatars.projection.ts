import type { Columns, Handler, Projected, Projection, RowOf, Table } from '../projection.js';

const COLUMNS = {
  avatar_id: { type: 'text' },
  group_name: { type: 'text' },
  label: { type: 'text' },
  image_url: { type: 'text' },
  is_retired: { type: 'boolean' },
  /** Ordinal of the first event. Lists put new avatars last. */
  since: { type: 'bigint' },
} as const satisfies Columns;

/** An added or changed avatar. Built-in avatars have a row only after a change. */
export type AvatarRow = RowOf<typeof COLUMNS>;

/** Each event contains the full avatar. */
const recordAvatar = (
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
    AvatarAdded: recordAvatar(() => false),
    AvatarChanged: recordAvatar((row) => row?.is_retired ?? false),
    AvatarRetired: recordAvatar(() => true),
    AvatarRestored: recordAvatar(() => false),
  },
};

/** Avatars students can choose, as far as they differ from the built-in ones. */
export const avatarsProjection = {
  name: 'avatars',
  purpose: 'Avatars to choose from',
  version: 1,
  tables: [avatars],
} as const satisfies Projection;
