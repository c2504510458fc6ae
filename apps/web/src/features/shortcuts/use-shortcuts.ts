import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { timings } from '../../lib/timings';
import { alternativeKeys, areShortcutsOn, type ShortcutId, shortcutOf, shortcuts } from './shortcut-list';
import { paths } from '../../lib/paths';
import { useCurrentSpace } from '../../lib/auth-storage';

/** Returns a function that checks whether the URL has changed while the next screen is still loading. */
function useHasLeft(): () => boolean {
  const { pathname } = useLocation();
  const shown = useRef<string>(undefined);
  useEffect(() => {
    shown.current = window.location.pathname;
  }, [pathname]);
  return () => shown.current !== undefined && shown.current !== window.location.pathname;
}

type Actions = Partial<Record<ShortcutId, () => void>>;

interface Registered {
  readonly actions: Actions;
  /** The screen is still shown but no longer handles keys. */
  readonly hasLeft: () => boolean;
}

/** Registered handlers, innermost last: a screen takes precedence over its layout. */
const registered: Array<{ readonly current: Registered }> = [];

/**
 * Handles shortcuts while the component is mounted.
 *
 * @param options.stays the component belongs to the layout and stays mounted on the next screen
 */
export function useShortcuts(actions: Actions, { stays = false } = {}): void {
  const hasScreenLeft = useHasLeft();
  const hasLeft = stays ? () => false : hasScreenLeft;
  const latest = useRef({ actions, hasLeft });
  useEffect(() => {
    latest.current = { actions, hasLeft };
  });
  useEffect(() => {
    // Effects of children run first, so a layout goes to the front.
    if (stays) registered.unshift(latest);
    else registered.push(latest);
    return () => void registered.splice(registered.indexOf(latest), 1);
  }, [stays]);
}

function actionOf(id: ShortcutId): (() => void) | undefined {
  const answers = ({ current: { actions, hasLeft } }: { readonly current: Registered }) =>
    actions[id] !== undefined && !hasLeft();
  return registered.findLast(answers)?.current.actions[id];
}

/** Whether a component on the page handles the shortcut. */
export const isHandled = (id: ShortcutId): boolean => actionOf(id) !== undefined;

type Pressed = { readonly keys: readonly string[]; readonly at: number };

/** The shortcut completed by a key, and the keys pressed so far. */
function complete(key: string, at: number, before: Pressed): { id?: ShortcutId; pressed: Pressed } {
  const isInTime = at - before.at < timings.shortcutSequence;
  const found =
    (isInTime ? shortcutOf([...before.keys, key], isHandled) : undefined) ?? shortcutOf([key], isHandled);
  if (found === 'begun') return { pressed: { keys: [key], at } };
  return { ...(found === undefined ? {} : { id: found }), pressed: { keys: [], at } };
}

/** Listens for keys; used once in the whole app. */
function useShortcutKeys(): void {
  useEffect(() => {
    let pressed: Pressed = { keys: [], at: 0 };
    let id: ShortcutId | undefined;
    // In the capture phase, because a key that closes a dialog is not a shortcut.
    const recordKey = (event: KeyboardEvent) => {
      const key = areShortcutsOn() ? pressedKey(event) : undefined;
      ({ id, pressed } = {
        id: undefined,
        ...(key === undefined ? { pressed } : complete(key, event.timeStamp, pressed)),
      });
    };
    const runAction = (event: KeyboardEvent) => {
      const action = id === undefined || event.defaultPrevented ? undefined : actionOf(id);
      if (!action) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', recordKey, { capture: true });
    window.addEventListener('keydown', runAction);
    return () => {
      window.removeEventListener('keydown', recordKey, { capture: true });
      window.removeEventListener('keydown', runAction);
    };
  }, []);
}

const fields = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';
/** Keys between the fields of a form are accidental. */
const forms = 'form';
/** Widgets with type-ahead. */
const lists = '[role="menu"], [role="listbox"]';
const controls =
  'a, button, summary, [role="button"], [role="tab"], [role="option"], [role="checkbox"], [role="radio"]';
const dialogs = '[role="dialog"], [role="alertdialog"]';

/** Key name as in `shortcuts`. Non-Latin layouts are read by the position of the key. */
function nameOf({ key, code }: KeyboardEvent): string {
  if (/^\p{Script=Latin}$/u.test(key)) return key.toLowerCase();
  if (/^\p{L}$/u.test(key) && code.startsWith('Key')) return code.slice('Key'.length).toLowerCase();
  return key;
}

/** Whether Enter belongs to the focused control. A link to the current item does not need it. */
function keepsEnter(target: Element): boolean {
  return target.closest(controls) !== null && target.closest('a[aria-current="true"]') === null;
}

/** The pressed key, unless it is for a form, a list, a dialog or the browser. */
function pressedKey(event: KeyboardEvent): string | undefined {
  const { target, key } = event;
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (!(target instanceof Element) || target.closest(`${fields}, ${forms}, ${lists}`) !== null)
    return undefined;
  if (document.querySelector(dialogs) !== null) return undefined;
  if (key === 'Enter' && keepsEnter(target)) return undefined;
  const isLetter = /^\p{L}$/u.test(key);
  if (isLetter && event.shiftKey) return undefined;
  const alternative = shortcuts.find(({ id }) => alternativeKeys[id] === key);
  return alternative ? alternative.keys[0] : nameOf(event);
}

/** Shortcuts that work on every screen. */
export function useGlobalShortcuts(showHelp: () => void): void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const isInSpace = useCurrentSpace() !== null;
  const hasLeft = useHasLeft();
  const goTo = (path: string) => {
    if (path !== pathname || hasLeft()) void navigate(path);
  };
  useShortcutKeys();
  const inSpace = {
    search: () => goTo(paths.search),
    ask: () => goTo(paths.ask),
    toDashboard: () => goTo(paths.dashboard),
    toLeaderboard: () => goTo(paths.leaderboard),
    toProfile: () => goTo(paths.profile),
  };
  useShortcuts(
    { help: showHelp, toSpaces: () => goTo(paths.spaces), ...(isInSpace && inSpace) },
    { stays: true },
  );
}
