/** Files of the web app under `/avatars/<category>/<name>.svg`. */
const CATALOGUE = {
  animals: ['bear', 'cat', 'fox', 'frog', 'owl', 'panda', 'penguin', 'rabbit'],
  nature: ['cactus', 'cloud', 'flower', 'leaf', 'moon', 'mountain', 'sun', 'wave'],
  people: ['amber', 'blue', 'coral', 'green', 'indigo', 'pink', 'teal', 'violet'],
  science: ['atom', 'comet', 'flask', 'magnet', 'planet', 'robot', 'rocket', 'telescope'],
} as const;

export const AVATAR_GROUPS = Object.entries(CATALOGUE).map(([category, names]) => ({
  category,
  urls: names.map((name) => `/avatars/${category}/${name}.svg`),
}));

const AVATAR_URLS: ReadonlySet<string> = new Set(AVATAR_GROUPS.flatMap(({ urls }) => urls));

export const isAvatarUrl = (url: string): boolean => AVATAR_URLS.has(url);
