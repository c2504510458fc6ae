import { useEffect, useRef } from 'react';
import { timings } from '../../lib/timings';
import { pressedKey } from './pressed-key';
import { shortcutOf, type ShortcutId } from './shortcut-list';
import { areShortcutsOn } from './shortcut-preference';

type Actions = Partial<Record<ShortcutId, () => void>>;

/** Who answers, the innermost last: a screen goes before the layout around it. */
const registered: Array<{ readonly current: Actions }> = [];

/** Gives shortcuts their meaning while the component is on the screen. */
export function useShortcuts(actions: Actions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    registered.push(latest);
    return () => void registered.splice(registered.indexOf(latest), 1);
  }, []);
}

function actionOf(id: ShortcutId): (() => void) | undefined {
  return registered.findLast(({ current }) => current[id] !== undefined)?.current[id];
}

/** Somebody on the page gives the shortcut a meaning. */
export const isMeant = (id: ShortcutId): boolean => actionOf(id) !== undefined;

type Pressed = { readonly keys: readonly string[]; readonly at: number };

/** The shortcut that a key completes, with what of it counts for the next key. */
function complete(key: string, at: number, before: Pressed): { id?: ShortcutId; pressed: Pressed } {
  const isInTime = at - before.at < timings.shortcutSequence;
  const found =
    (isInTime ? shortcutOf([...before.keys, key], isMeant) : undefined) ?? shortcutOf([key], isMeant);
  if (found === 'begun') return { pressed: { keys: [key], at } };
  return { ...(found === undefined ? {} : { id: found }), pressed: { keys: [], at } };
}

/** Listens to the keys; once for the whole product. */
export function useShortcutKeys(): void {
  useEffect(() => {
    let pressed: Pressed = { keys: [], at: 0 };
    let id: ShortcutId | undefined;
    // Looked at before anybody else: the key that closes a dialog was meant for the dialog.
    const look = (event: KeyboardEvent) => {
      const key = areShortcutsOn() ? pressedKey(event) : undefined;
      ({ id, pressed } = {
        id: undefined,
        ...(key === undefined ? { pressed } : complete(key, event.timeStamp, pressed)),
      });
    };
    const act = (event: KeyboardEvent) => {
      const action = id === undefined || event.defaultPrevented ? undefined : actionOf(id);
      if (!action) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', look, { capture: true });
    window.addEventListener('keydown', act);
    return () => {
      window.removeEventListener('keydown', look, { capture: true });
      window.removeEventListener('keydown', act);
    };
  }, []);
}
