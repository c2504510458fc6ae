import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { timings } from '../../lib/timings';
import { alternativeKeys, areShortcutsOn, type ShortcutId, shortcutOf, shortcuts } from './shortcut-list';
import { paths } from '../../lib/paths';
import { useCurrentSpace } from '../../lib/auth-storage';

/**
 * The address goes ahead of the screen while the next screen is loaded, and what still shows has been left already.
 *
 * @returns whether that is so at the moment of the call
 */
function useIsLeft(): () => boolean {
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
function useShortcutKeys(): void {
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

const fields = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';
/** A key beside the fields of a form is a slip of the hand. */
const forms = 'form';
/** Where letters choose among what is listed. */
const lists = '[role="menu"], [role="listbox"]';
const controls =
  'a, button, summary, [role="button"], [role="tab"], [role="option"], [role="checkbox"], [role="radio"]';
const dialogs = '[role="dialog"], [role="alertdialog"]';

/** The key as the list of shortcuts names it. Alphabets without Latin letters are read by the place of the key. */
function nameOf({ key, code }: KeyboardEvent): string {
  if (/^\p{Script=Latin}$/u.test(key)) return key.toLowerCase();
  if (/^\p{L}$/u.test(key) && code.startsWith('Key')) return code.slice('Key'.length).toLowerCase();
  return key;
}

/** A link to what is chosen already leads nowhere new, so that Enter is free on it. */
function keepsEnter(target: Element): boolean {
  return target.closest(controls) !== null && target.closest('a[aria-current="true"]') === null;
}

/** The key that was pressed for the product itself, and for neither a form, a list of choices, a dialog nor the browser. */
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

/** The shortcuts that mean the same on every screen. */
export function useGlobalShortcuts(showHelp: () => void): void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const isInSpace = useCurrentSpace() !== null;
  const isLeft = useIsLeft();
  const goTo = (path: string) => {
    if (path !== pathname || isLeft()) void navigate(path);
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
