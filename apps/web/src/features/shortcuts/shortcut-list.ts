import { useSyncExternalStore } from 'react';
import { newListeners } from '../../lib/listeners';

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
  // In the moderators' area alone, where they go before their namesakes above.
  { id: 'uphold', keys: ['u'], group: 'moderation' },
  { id: 'dismiss', keys: ['d'], group: 'moderation' },
  { id: 'handOver', keys: ['h'], group: 'moderation' },
  { id: 'reverse', keys: ['r'], group: 'moderation' },
  { id: 'block', keys: ['b'], group: 'moderation' },
  { id: 'toDashboard', keys: ['g', 'd'], group: 'going' },
  { id: 'toLeaderboard', keys: ['g', 'l'], group: 'going' },
  { id: 'toProfile', keys: ['g', 'p'], group: 'going' },
  { id: 'toSpaces', keys: ['g', 's'], group: 'going' },
] as const satisfies readonly Shortcut[];

interface Shortcut {
  id: string;
  keys: readonly [string] | readonly [string, string];
  group: 'anywhere' | 'lists' | 'moderation' | 'going';
}

export type ShortcutId = (typeof shortcuts)[number]['id'];

export const shortcutGroups = ['anywhere', 'lists', 'moderation', 'going'] as const;

/** Keys that do the same where nothing else on the page wants them. */
export const alternativeKeys: Readonly<Partial<Record<ShortcutId, string>>> = { open: 'Enter' };

/**
 * The shortcut of the keys pressed, or whether they begin one.
 * @param isMeant chooses between shortcuts of the same keys: what somebody on the page gives a meaning to
 */
export function shortcutOf(
  pressed: readonly string[],
  isMeant: (id: ShortcutId) => boolean = () => false,
): ShortcutId | 'begun' | undefined {
  const begun = shortcuts.filter(({ keys }) => pressed.every((key, index) => keys[index] === key));
  const complete = begun.filter(({ keys }) => keys.length === pressed.length);
  const found = complete.find(({ id }) => isMeant(id)) ?? complete[0];
  return found?.id ?? (begun.length > 0 ? 'begun' : undefined);
}

/** Speech input and unsteady hands press single keys by accident, so they can be turned off on this device. */
const key = 'singleKeyShortcuts';
const off = 'off';

const { subscribe, notify } = newListeners();

export function areShortcutsOn(): boolean {
  return localStorage.getItem(key) !== off;
}

export function turnShortcuts(on: boolean): void {
  if (on) localStorage.removeItem(key);
  else localStorage.setItem(key, off);
  notify();
}

export function useAreShortcutsOn(): boolean {
  return useSyncExternalStore(subscribe, areShortcutsOn);
}
