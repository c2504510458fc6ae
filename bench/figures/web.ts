import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { gzipSync } from 'node:zlib';
import type { BenchContext } from '../bench-context.js';
import { type RunningProduct, withProduct } from '../product.js';
import { atMost, type Measurement } from '../report.js';
import { median } from '../sampling.js';
import { CONDITIONS, openBrowser, seenAt, slowVisit } from '../web/slow-browser.js';

const LIMITS = {
  loginSeconds: 1.5,
  dashboardSeconds: 2.5,
  questionMilliseconds: 300,
  caretMilliseconds: 300,
  layoutShift: 0.02,
  letterMilliseconds: 50,
  firstLoadKilobytes: 150,
  firstRequests: 30,
  laterRequests: 8,
};

const VISITS = { full: 7, quick: 3 };
/** Questions opened in sequence during one visit. */
const QUESTIONS_OPENED = 5;
/** Student screens, on a laptop and on a phone. */
const SCREENS = [
  ...['/space', '/dashboard', '/ask', '/search', '/notifications', '/leaderboard', '/profile'],
  ...['/nimoSense', '/news', '/setting', '/leaderboard/score'],
];
const WINDOWS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
/** Enough for the refetches after subscribing. */
const SETTLE_MS = 3_000;
const LETTERS = 'the quick brown fox jumps over it ';
const ROUNDS_OF_LETTERS = 3;
/** Delay between keystrokes of a good typist. The pause is longer than the debounce of the preview. */
const LETTER_MS = 90;
const PAUSE_MS = 1100;
/** An unusually long question: about 20,000 characters with lists and code. */
const LONG_QUESTION = Array.from(
  { length: 60 },
  (_, count) =>
    `<p>${count}. ${'What I tried, and what came of it, in <b>many</b> words. '.repeat(6)}</p>` +
    (count % 10 === 0 ? '<ul><li>One thing</li><li>Another: <code>x += 1</code></li></ul>' : ''),
).join('');

/** Response times for a student in a real browser, on a slow device and a mobile network. */
export async function measureWeb(context: BenchContext): Promise<readonly Measurement[]> {
  return withProduct(context, async (product) => {
    const browser = await openBrowser();
    try {
      context.note(`Measured in Chromium ${browser.version()}, ${CONDITIONS}, empty cache.`);
      const visits = VISITS[context.isQuick ? 'quick' : 'full'];
      const options = await signedInBrowser(product);
      context.log('login page');
      const logins = await times(visits, () => visitLogin(browser, product.url));
      context.log('dashboard, and questions opened from it');
      const dashboards = await times(visits, () => visitDashboard(browser, options));
      context.log('layout shifts on student screens');
      const shift = await largestShift(browser, options);
      context.log('typing in a long question');
      const letters = (await times(visits, () => typeInLongQuestion(browser, options))).flat();
      const bare = (await times(visits, () => typeInBareField(browser, options))).flat();
      return [
        bounded(
          ...([
            'login page ready',
            `first visit until the fields are visible and editable; ${visits} visits`,
          ] as const),
          median(logins.map(({ seconds }) => seconds)),
          LIMITS.loginSeconds,
          's',
        ),
        bounded(
          ...(['first load', 'JavaScript loaded until then, gzip'] as const),
          median(logins.map(({ kilobytes }) => kilobytes)),
          LIMITS.firstLoadKilobytes,
          'kB',
        ),
        bounded(
          ...([
            'dashboard usable',
            `first visit until the list and the text of a question are visible; ${visits} visits`,
          ] as const),
          median(dashboards.map(({ seconds }) => seconds)),
          LIMITS.dashboardSeconds,
          's',
        ),
        counted(
          'requests of the first dashboard visit',
          'until idle, including the editor',
          Math.max(...dashboards.map(({ first }) => first)),
          LIMITS.firstRequests,
        ),
        counted(
          'requests of the second dashboard visit',
          'network requests only',
          Math.max(...dashboards.map(({ later }) => later)),
          LIMITS.laterRequests,
        ),
        bounded(
          ...(['question opened from the list', 'from the click to its text'] as const),
          median(dashboards.flatMap(({ opened }) => opened)),
          LIMITS.questionMilliseconds,
          'ms',
        ),
        bounded(
          ...(['caret after Ask your Question', 'from the click on an idle dashboard'] as const),
          median(dashboards.map(({ caret }) => caret)),
          LIMITS.caretMilliseconds,
          'ms',
        ),
        bounded(
          ...([
            'largest layout shift',
            `CLS of ${shift.where}; ${SCREENS.length} screens, two windows`,
          ] as const),
          shift.value,
          LIMITS.layoutShift,
          'CLS',
        ),
        bounded(
          ...([
            'longest input delay',
            `${letters.length} characters typed in a question of ${LONG_QUESTION.length.toLocaleString('en')} characters`,
          ] as const),
          Math.max(...letters),
          LIMITS.letterMilliseconds,
          'ms',
        ),
        {
          ...{ figure: 'median input delay', what: 'of the same characters', unit: 'ms' },
          value: median(letters),
          limit: { what: 'same text in a plain contenteditable element', value: median(bare) },
        },
        {
          ...{ figure: 'longest input delay in a plain element', what: 'floor of this browser', unit: 'ms' },
          value: Math.max(...bare),
        },
      ];
    } finally {
      await browser.close();
    }
  });
}

const bounded = (figure: string, what: string, value: number, limit: number, unit: string): Measurement => ({
  ...{ figure, what, value, unit },
  limit: { what: 'limit for students', value: limit },
  goal: atMost(value, limit, unit),
});

const counted = (figure: string, what: string, value: number, limit: number): Measurement => ({
  ...{ figure, what, value, unit: 'requests' },
  goal: { text: `at most ${limit} requests`, isMet: value <= limit },
});

async function times<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  while (results.length < count) results.push(await work());
  return results;
}

/** Browser state of a student who is signed in and has selected the community's space. */
async function signedInBrowser({ url, signedIn, cast }: RunningProduct): Promise<BrowserContextOptions> {
  const [session] = signedIn;
  if (!session) throw new Error('no student is signed in');
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${session.token}` },
    body: JSON.stringify({
      query:
        '{ getStudent { _id firstName lastName userName profileDesc realProfilePicUrl } getSpaces { _id name } }',
    }),
  });
  const { data } = (await response.json()) as {
    readonly data: { readonly getStudent: object; readonly getSpaces: readonly { readonly _id: string }[] };
  };
  const entries = {
    accessToken: session.token,
    authUser: JSON.stringify(data.getStudent),
    continueInBrowser: 'yes',
    currentSpace: JSON.stringify(data.getSpaces.find(({ _id }) => _id === cast.spaceId)),
  };
  const localStorage = Object.entries(entries).map(([name, value]) => ({ name, value }));
  return { baseURL: url, storageState: { cookies: [], origins: [{ origin: url, localStorage }] } };
}

async function visitLogin(
  browser: Browser,
  baseURL: string,
): Promise<{ readonly seconds: number; readonly kilobytes: number }> {
  return slowVisit(browser, { baseURL }, async ({ page }) => {
    await page.goto('/login', { waitUntil: 'commit' });
    const ready = await seenAt(page, 'input[autocomplete="username"]', 'input[type="password"]');
    const scripts = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource')
        .filter(({ name, responseEnd }) => new URL(name).pathname.endsWith('.js') && responseEnd <= ${ready})
        .map(({ name }) => name)`,
    );
    const sizes = await Promise.all(scripts.map(compressedSize));
    return { seconds: ready / 1000, kilobytes: sizes.reduce((sum, size) => sum + size, 0) / 1000 };
  });
}

/** Recompresses, so that the negotiated encoding does not matter. */
async function compressedSize(url: string): Promise<number> {
  const response = await fetch(url);
  return gzipSync(Buffer.from(await response.arrayBuffer()), { level: 9 }).length;
}

interface DashboardVisit {
  readonly seconds: number;
  readonly opened: readonly number[];
  readonly caret: number;
  /** Number of requests with an empty cache and on a later visit. */
  readonly first: number;
  readonly later: number;
}

async function visitDashboard(browser: Browser, options: BrowserContextOptions): Promise<DashboardVisit> {
  return slowVisit(browser, options, async ({ page, takeRequests }) => {
    const settle = async (): Promise<number> => {
      await page.waitForTimeout(SETTLE_MS);
      await page.waitForLoadState('networkidle');
      return takeRequests();
    };
    await page.goto('/dashboard', { waitUntil: 'commit' });
    const usable = await seenAt(page, 'main a[data-list-link]', 'article[aria-label^="Question: "] p');
    const first = await settle();
    const links = page.locator('main a[data-list-link]:not([aria-current])');
    const opened: number[] = [];
    for (let count = 0; count < QUESTIONS_OPENED; count += 1) {
      const link = links.nth(count);
      const title = await link.innerText();
      const text = `article[aria-label=${JSON.stringify(`Question: ${title}`)}] p`;
      const seen = seenAt(page, text);
      await link.click();
      opened.push((await seen) - (await clickedAt(page)));
    }
    const focused = seenAt(page, 'form :focus');
    await page.getByRole('link', { name: 'Ask your Question' }).click();
    const caret = (await focused) - (await clickedAt(page));
    await page.goto('about:blank');
    takeRequests();
    await page.goto('/dashboard');
    return { seconds: usable / 1000, opened, caret, first, later: await settle() };
  });
}

const clickedAt = (page: Page): Promise<number> => page.evaluate<number>('window.bench.clickedAt');

/** The screen with the largest layout shift while loading, with an empty cache. */
async function largestShift(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<{ readonly value: number; readonly where: string }> {
  let largest = { value: 0, where: 'none' };
  for (const viewport of WINDOWS) {
    for (const screen of SCREENS) {
      const value = await slowVisit(browser, { ...options, viewport }, async ({ page }) => {
        await page.goto(screen);
        await page.waitForTimeout(SETTLE_MS);
        await page.waitForLoadState('networkidle');
        return page.evaluate<number>('window.bench.shift');
      });
      if (value > largest.value) largest = { value, where: `${screen} at ${viewport.width} px` };
    }
  }
  return largest;
}

/** Milliseconds until each character is visible. */
async function typeInLongQuestion(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<readonly number[]> {
  return slowVisit(browser, options, async ({ page, speedUp, slowDown }) => {
    await speedUp();
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Ask your Question' }).click();
    const text = page.getByRole('textbox', { name: /^Description/ });
    await text.click();
    await paste(page, LONG_QUESTION);
    return typeAtEnd(page, slowDown);
  });
}

/** Types the same characters after the same text without an editor: the browser's own delay. */
async function typeInBareField(browser: Browser, options: BrowserContextOptions): Promise<readonly number[]> {
  return slowVisit(browser, options, async ({ page, speedUp, slowDown }) => {
    await speedUp();
    await page.goto('/login');
    await page.evaluate(
      `document.body.innerHTML = ${JSON.stringify(`<div contenteditable>${LONG_QUESTION}</div>`)}`,
    );
    await page.locator('[contenteditable]').click();
    return typeAtEnd(page, slowDown);
  });
}

async function typeAtEnd(page: Page, slowDown: () => Promise<void>): Promise<readonly number[]> {
  await page.keyboard.press('Control+End');
  await slowDown();
  // Work caused by the paste does not count as input delay.
  await page.waitForTimeout(PAUSE_MS);
  await page.evaluate('window.bench.letters = []');
  for (let round = 0; round < ROUNDS_OF_LETTERS; round += 1) {
    await page.keyboard.type(LETTERS, { delay: LETTER_MS });
    await page.waitForTimeout(PAUSE_MS);
  }
  const letters = await page.evaluate<number[]>('window.bench.letters');
  if (letters.length < LETTERS.length * ROUNDS_OF_LETTERS)
    throw new Error('not all characters became visible');
  return letters;
}

async function paste(page: Page, html: string): Promise<void> {
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', ${JSON.stringify(html)});
    document.activeElement.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }`);
}
