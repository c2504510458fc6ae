import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test';

/** How many times slower the processor is than the machine's: a phone or a laptop of a school. */
const SLOWDOWN = 4;

/** What Chromium's developer tools call "Fast 4G". */
const FOUR_G = { downloadThroughput: 1_012_500, uploadThroughput: 168_750, latency: 165, offline: false };

export const CONDITIONS = `processor slowed ${SLOWDOWN} times, 4G: 8.1 Mbit/s down, 1.35 Mbit/s up, ${FOUR_G.latency} ms a request`;

/** What a page is asked for by its selectors, in its own clock, which began when it was asked for. */
const WATCH = `{
  const painted = (isThere = () => true) => new Promise((done) => requestAnimationFrame(() => {
    const found = isThere();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(found && performance.now());
    port2.postMessage('');
  }));
  window.bench = {
    clickedAt: 0,
    letters: [],
    shift: 0,
    async seen(...selectors) {
      const areThere = () => selectors.every((selector) => document.querySelector(selector)?.checkVisibility());
      for (;;) {
        const at = await painted(areThere);
        if (at !== false) return at;
      }
    },
  };
  addEventListener('click', ({ timeStamp }) => { window.bench.clickedAt = timeStamp; }, true);
  addEventListener('keydown', async ({ timeStamp }) => {
    window.bench.letters.push((await painted()) - timeStamp);
  }, true);
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) window.bench.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
}`;

/** As Chromium is found by the journeys. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['NIMO_CHROMIUM'] ?? '/usr/bin/chromium',
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu'],
  });
}

export interface SlowPage {
  readonly page: Page;
  /** As fast as the machine is, for what only prepares a measurement. */
  hurry(): Promise<void>;
  slowDown(): Promise<void>;
  /** How many requests have gone over the network since this was last asked: what a browser has kept asks for nothing. */
  takeRequests(): number;
}

/** Somebody's first visit, with nothing kept, on a slow device and a mobile network. */
export async function slowVisit<T>(
  browser: Browser,
  options: BrowserContextOptions,
  work: (visit: SlowPage) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    serviceWorkers: 'block',
    ...options,
  });
  try {
    const page = await context.newPage();
    await page.addInitScript({ content: WATCH });
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    const sent = new Set<string>();
    session.on('Network.requestWillBeSent', ({ requestId, request }) => {
      if (/^https?:/.test(request.url)) sent.add(requestId);
    });
    session.on('Network.requestServedFromCache', ({ requestId }) => void sent.delete(requestId));
    session.on('Network.responseReceived', ({ requestId, response }) => {
      if (response.fromDiskCache === true) sent.delete(requestId);
    });
    const emulate = async (rate: number, network: typeof FOUR_G): Promise<void> => {
      await session.send('Emulation.setCPUThrottlingRate', { rate });
      await session.send('Network.emulateNetworkConditions', network);
    };
    const slowDown = (): Promise<void> => emulate(SLOWDOWN, FOUR_G);
    await slowDown();
    return await work({
      page,
      slowDown,
      takeRequests: () => {
        const { size } = sent;
        sent.clear();
        return size;
      },
      hurry: () => emulate(1, { downloadThroughput: -1, uploadThroughput: -1, latency: 0, offline: false }),
    });
  } finally {
    await context.close();
  }
}

/**
 * When everything of these is seen for the first time, in milliseconds since the page was asked for. What a click leads to is watched for from
 * before the click: a question of the driver comes later.
 */
export const seenAt = (page: Page, ...selectors: readonly string[]): Promise<number> =>
  page.evaluate<number>(`window.bench.seen(...${JSON.stringify(selectors)})`);
