/**
 * Every shortcut of the product, in the order of the help sheet. A screen gives those of its own their meaning by
 * `useShortcuts`; two keys are pressed one after the other.
 */
export const shortcuts = [
  { id: 'search', keys: ['/'], group: 'anywhere' },
  { id: 'ask', keys: ['c'], group: 'anywhere' },
  { id: 'help', keys: ['?'], group: 'anywhere' },
  { id: 'next', keys: ['j'], group: 'lists' },
  { id: 'previous', keys: ['k'], group: 'lists' },
  { id: 'open', keys: ['o'], group: 'lists' },
  { id: 'back', keys: ['u'], group: 'lists' },
  { id: 'close', keys: ['Escape'], group: 'lists' },
  { id: 'toDashboard', keys: ['g', 'd'], group: 'going' },
  { id: 'toLeaderboard', keys: ['g', 'l'], group: 'going' },
  { id: 'toProfile', keys: ['g', 'p'], group: 'going' },
  { id: 'toSpaces', keys: ['g', 's'], group: 'going' },
] as const satisfies readonly Shortcut[];

interface Shortcut {
  id: string;
  keys: readonly [string] | readonly [string, string];
  group: 'anywhere' | 'lists' | 'going';
}

export type ShortcutId = (typeof shortcuts)[number]['id'];

export const shortcutGroups = ['anywhere', 'lists', 'going'] as const;

/** Keys that do the same where nothing else on the page wants them. */
export const alternativeKeys: Readonly<Partial<Record<ShortcutId, string>>> = { open: 'Enter' };

/** The shortcut of the keys pressed, or whether they begin one. */
export function shortcutOf(pressed: readonly string[]): ShortcutId | 'begun' | undefined {
  const begun = shortcuts.filter(({ keys }) => pressed.every((key, index) => keys[index] === key));
  return (
    begun.find(({ keys }) => keys.length === pressed.length)?.id ?? (begun.length > 0 ? 'begun' : undefined)
  );
}
