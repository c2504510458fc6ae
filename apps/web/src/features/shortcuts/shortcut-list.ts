import { useSyncExternalStore } from 'react';
import { newListeners } from '../../lib/listeners';

/**
 * All shortcuts, in the order of the help sheet. Screens handle them with `useShortcuts`. Two keys are pressed in sequence.
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
  // Only in the moderators' area, where they take precedence over the same keys above.
  { id: 'uphold', keys: ['u'], group: 'moderation' },
  { id: 'dismiss', keys: ['d'], group: 'moderation' },
  { id: 'handOver', keys: ['h'], group: 'moderation' },
  { id: 'reverse', keys: ['r'], group: 'moderation' },
  { id: 'block', keys: ['b'], group: 'moderation' },
  { id: 'warn', keys: ['w'], group: 'moderation' },
  { id: 'suspend', keys: ['s'], group: 'moderation' },
  { id: 'toDashboard', keys: ['g', 'd'], group: 'goTo' },
  { id: 'toLeaderboard', keys: ['g', 'l'], group: 'goTo' },
  { id: 'toProfile', keys: ['g', 'p'], group: 'goTo' },
  { id: 'toSpaces', keys: ['g', 's'], group: 'goTo' },
] as const satisfies readonly Shortcut[];

interface Shortcut {
  id: string;
  keys: readonly [string] | readonly [string, string];
  group: 'anywhere' | 'lists' | 'moderation' | 'goTo';
}

export type ShortcutId = (typeof shortcuts)[number]['id'];

export const shortcutGroups = ['anywhere', 'lists', 'moderation', 'goTo'] as const;

/** Alternative keys, if nothing else on the page handles them. */
export const alternativeKeys: Readonly<Partial<Record<ShortcutId, string>>> = { open: 'Enter' };

/**
 * The shortcut for the pressed keys, or `begun` if they are the start of one.
 * @param isPreferred chooses among shortcuts with the same keys
 */
export function shortcutOf(
  pressed: readonly string[],
  isPreferred: (id: ShortcutId) => boolean = () => false,
): ShortcutId | 'begun' | undefined {
  const candidates = shortcuts.filter(({ keys }) => pressed.every((key, index) => keys[index] === key));
  const complete = candidates.filter(({ keys }) => keys.length === pressed.length);
  const found = complete.find(({ id }) => isPreferred(id)) ?? complete[0];
  return found?.id ?? (candidates.length > 0 ? 'begun' : undefined);
}

/** Speech input and tremor trigger single keys by accident, so they can be turned off per device. */
const key = 'singleKeyShortcuts';
const off = 'off';

const { subscribe, notify } = newListeners();

export function areShortcutsOn(): boolean {
  return localStorage.getItem(key) !== off;
}

export function setShortcutsOn(on: boolean): void {
  if (on) localStorage.removeItem(key);
  else localStorage.setItem(key, off);
  notify();
}

export function useShortcutsOn(): boolean {
  return useSyncExternalStore(subscribe, areShortcutsOn);
}
