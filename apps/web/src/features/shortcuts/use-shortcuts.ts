import { useEffect, useRef } from 'react';
import { timings } from '../../lib/timings';
import { useIsLeft } from '../../lib/use-is-left';
import { pressedKey } from './pressed-key';
import { shortcutOf, type ShortcutId } from './shortcut-list';
import { areShortcutsOn } from './shortcut-preference';

type Actions = Partial<Record<ShortcutId, () => void>>;

interface Registered {
  readonly actions: Actions;
  /** A screen that is left answers no key, though it shows until the next one is there. */
  readonly isLeft: () => boolean;
}

/** Who answers, the innermost last: a screen goes before the layout around it. */
const registered: Array<{ readonly current: Registered }> = [];

/**
 * Gives shortcuts their meaning while the component is on the screen.
 *
 * @param options.stays it belongs to the layout, which is there on the next screen, too
 */
export function useShortcuts(actions: Actions, { stays = false } = {}): void {
  const isScreenLeft = useIsLeft();
  const isLeft = stays ? () => false : isScreenLeft;
  const latest = useRef({ actions, isLeft });
  useEffect(() => {
    latest.current = { actions, isLeft };
  });
  useEffect(() => {
    // What is inside tells before what is around it when both come at once.
    if (stays) registered.unshift(latest);
    else registered.push(latest);
    return () => void registered.splice(registered.indexOf(latest), 1);
  }, [stays]);
}

function actionOf(id: ShortcutId): (() => void) | undefined {
  const answers = ({ current: { actions, isLeft } }: { readonly current: Registered }) =>
    actions[id] !== undefined && !isLeft();
  return registered.findLast(answers)?.current.actions[id];
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
