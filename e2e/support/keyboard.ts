import { expect, type Locator, type Page } from '@playwright/test';

const MAX_STEPS = 120;

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement);

async function walkTo(page: Page, key: 'Tab' | 'ArrowDown' | 'ArrowRight', target: Locator): Promise<void> {
  // A chip is its label; what has the focus is a box that is not seen.
  await expect(target).toBeAttached();
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (await hasFocus(target)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`The ${key} key does not reach ${String(target)}`);
}

/** Goes on by the Tab key alone until the element has the focus. */
export const tabTo = (page: Page, target: Locator): Promise<void> => walkTo(page, 'Tab', target);

/** Goes to it, and does with it what Enter does. */
export async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** Opens the menu of that button and chooses from it. */
export async function choose(page: Page, menu: Locator, item: string): Promise<void> {
  await press(page, menu);
  await walkTo(page, 'ArrowDown', page.getByRole('menuitem', { name: item }));
  await page.keyboard.press('Enter');
}

/** Opens the list of a field, goes down to what it offers by that name, and takes it. */
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

/** Goes to the toolbar, and on in it by the arrow keys. */
export async function pressInToolbar(page: Page, toolbar: Locator, name: string): Promise<void> {
  await tabTo(page, toolbar.locator('[tabindex="0"]').first());
  await walkTo(page, 'ArrowRight', toolbar.getByRole('button', { name, exact: true }));
  await page.keyboard.press('Enter');
}

/**
 * What changes where the focus comes to an element: of itself, of what surrounds it closely, and of what is drawn beside it. The focus is
 * taken away to compare, and given back as the Tab key gives it.
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
  // Colours are on their way for a millisecond, which is more than none.
  const atRest = async () => {
    await frame();
    while (document.getAnimations().some(({ playState }) => playState === 'running')) await frame();
    return look();
  };
  const focused = await atRest();
  // A field that stands in for the editor has handed the focus over meanwhile.
  if (document.activeElement !== element) return probe();
  const box = element.getBoundingClientRect();
  const over = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  const isCovered = over === null || over.closest('header, nav:not(:has(:focus))') !== null && !over.closest('header')?.contains(element);
  element.blur();
  const plain = await atRest();
  element.focus({ preventScroll: true, focusVisible: true });
  return { name, isShown: focused !== plain, isCovered };
})()`;

/** Every stop of the key shows, and neither the header nor the menu covers it; ends at the last, and after so many. */
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
  expect(unseen, `stops of the Tab key that do not show on ${where}`).toEqual([]);
}

const MOVES = `[...document.querySelectorAll('*')].flatMap((part) => {
  const { transitionDuration, animationDuration, animationName } = getComputedStyle(part);
  const longest = (durations) => Math.max(...durations.split(',').map((text) => parseFloat(text)));
  const moves = longest(transitionDuration) > 0.001 || (animationName !== 'none' && longest(animationDuration) > 0.001);
  return moves ? [part.outerHTML.slice(0, 80)] : [];
})`;

/** Nothing moves on its own for who has asked that nothing does, as all journeys have. */
export async function expectStandsStill(page: Page, where: string): Promise<void> {
  expect(await page.evaluate<string[]>(MOVES), `what moves on ${where}`).toEqual([]);
}
