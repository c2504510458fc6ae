import { BUILT_IN_AVATARS } from '@nimo/domain';
import type { Queryable } from '../queryable.js';

export interface AvatarView {
  readonly _id: string;
  readonly group: string;
  readonly label: string;
  readonly imageUrl: string;
  readonly isRetired: boolean;
  readonly isBuiltIn: boolean;
}

const BUILT_IN: readonly AvatarView[] = BUILT_IN_AVATARS.map(({ avatarId, ...avatar }) => ({
  _id: avatarId,
  ...avatar,
  isRetired: false,
  isBuiltIn: true,
}));
const BUILT_IN_IDS: ReadonlySet<string> = new Set(BUILT_IN.map(({ _id }) => _id));

/** All avatars, including retired ones: first the built-in ones, then the others in the order they were added. */
export async function listAvatars(db: Queryable): Promise<AvatarView[]> {
  const { rows } = await db.query<Omit<AvatarView, 'isBuiltIn'>>({
    name: 'avatars',
    text: `select avatar_id as "_id", group_name as "group", label, image_url as "imageUrl", is_retired as "isRetired"
           from read.avatars order by since`,
  });
  const changed = new Map(rows.map((row) => [row._id, row]));
  return [
    ...BUILT_IN.map((avatar) => ({ ...avatar, ...changed.get(avatar._id) })),
    ...rows.filter(({ _id }) => !BUILT_IN_IDS.has(_id)).map((row) => ({ ...row, isBuiltIn: false })),
  ];
}

export async function findAvatarById(db: Queryable, avatarId: string): Promise<AvatarView | null> {
  return (await listAvatars(db)).find(({ _id }) => _id === avatarId) ?? null;
}
