import type { AvatarData } from '../events.js';

/** Drawn for the product, there before anybody has added one: `/avatars/<group>/<name>.svg`. */
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
