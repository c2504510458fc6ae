import { expect, type Locator, type Page } from '@playwright/test';

const MAX_STEPS = 120;

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement);

async function walkTo(page: Page, key: 'Tab' | 'ArrowDown' | 'ArrowRight', target: Locator): Promise<void> {
  // A chip shows its label; the focused checkbox is invisible.
  await expect(target).toBeAttached();
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (await hasFocus(target)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`The ${key} key does not reach ${String(target)}`);
}

/** Presses Tab until the element has the focus. */
export const tabTo = (page: Page, target: Locator): Promise<void> => walkTo(page, 'Tab', target);

/** Tabs to the element and presses Enter. */
export async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** Opens the menu of a button and selects an item. */
export async function choose(page: Page, menu: Locator, item: string): Promise<void> {
  await press(page, menu);
  await walkTo(page, 'ArrowDown', page.getByRole('menuitem', { name: item }));
  await page.keyboard.press('Enter');
}

/** Opens the list of a combobox and selects the named option. */
export async function pick(page: Page, field: Locator, name: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('ArrowDown');
  const option = page.getByRole('option', { name, exact: true });
  await expect(option).toBeVisible();
  const id = (await option.getAttribute('id')) ?? '';
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if ((await field.getAttribute('aria-activedescendant')) === id) return page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`The keyboard does not reach ${name} in the list`);
}

/** Tabs to the toolbar and presses the named button, reached with the arrow keys. */
export async function pressInToolbar(page: Page, toolbar: Locator, name: string): Promise<void> {
  await tabTo(page, toolbar.locator('[tabindex="0"]').first());
  await walkTo(page, 'ArrowRight', toolbar.getByRole('button', { name, exact: true }));
  await page.keyboard.press('Enter');
}

/**
 * Compares the styles of the focused element, its close ancestors and its siblings with and without focus. Blurs the element to compare, then
 * refocuses it as the Tab key does.
 */
const SHOWS_FOCUS = `(async function probe() {
  const element = document.activeElement;
  if (!element || element === document.body) return { name: '', isShown: true, isCovered: false };
  const name = (element.ariaLabel || element.labels?.[0]?.textContent || element.textContent || element.name || element.tagName).trim().slice(0, 40);
  const near = [element, element.parentElement, element.parentElement?.parentElement, ...(element.parentElement?.querySelectorAll('*') ?? [])]
    .filter((part) => part && part !== document.body).slice(0, 40);
  const look = () => near.flatMap((part) => [undefined, '::before', '::after'].map((pseudo) => {
    const style = getComputedStyle(part, pseudo);
    const outline = style.outlineStyle === 'none' || parseFloat(style.outlineWidth) === 0 ? '' : style.outline;
    return [outline, style.boxShadow, style.borderColor, style.backgroundColor, style.transform, style.opacity].join('|');
  })).join('\\n');
  const frame = () => new Promise(requestAnimationFrame);
  // Even with reduced motion, colour transitions take a millisecond.
  const atRest = async () => {
    await frame();
    while (document.getAnimations().some(({ playState }) => playState === 'running')) await frame();
    return look();
  };
  const focused = await atRest();
  // A placeholder field may have passed the focus to the editor.
  if (document.activeElement !== element) return probe();
  const box = element.getBoundingClientRect();
  const over = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  const isCovered = over === null || over.closest('header, nav:not(:has(:focus))') !== null && !over.closest('header')?.contains(element);
  element.blur();
  const plain = await atRest();
  element.focus({ preventScroll: true, focusVisible: true });
  return { name, isShown: focused !== plain, isCovered };
})()`;

/** Expects visible focus at every stop of the key, not covered by header or menu. Checks at most `stops` stops. */
export async function expectFocusShown(
  page: Page,
  where: string,
  { stops = 40, key = 'Tab' } = {},
): Promise<void> {
  const unseen: string[] = [];
  for (let stop = 0; stop < stops; stop += 1) {
    await page.keyboard.press(key);
    const { name, isShown, isCovered } = await page.evaluate<{
      name: string;
      isShown: boolean;
      isCovered: boolean;
    }>(SHOWS_FOCUS);
    if (name === '') break;
    if (!isShown || isCovered) unseen.push(name);
  }
  expect(unseen, `tab stops without visible focus on ${where}`).toEqual([]);
}

const MOVES = `[...document.querySelectorAll('*')].flatMap((part) => {
  const { transitionDuration, animationDuration, animationName } = getComputedStyle(part);
  const longest = (durations) => Math.max(...durations.split(',').map((text) => parseFloat(text)));
  const moves = longest(transitionDuration) > 0.001 || (animationName !== 'none' && longest(animationDuration) > 0.001);
  return moves ? [part.outerHTML.slice(0, 80)] : [];
})`;

/** Expects no animations; journeys run with reduced motion. */
export async function expectNoMotion(page: Page, where: string): Promise<void> {
  expect(await page.evaluate<string[]>(MOVES), `moving elements on ${where}`).toEqual([]);
}
