import { alternativeKeys, shortcuts } from './shortcut-list';

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
export function pressedKey(event: KeyboardEvent): string | undefined {
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
