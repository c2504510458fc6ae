import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test';

/** CPU slowdown relative to this machine, to simulate a phone or a school laptop. */
const SLOWDOWN = 4;

/** "Fast 4G" in Chromium's developer tools. */
const FOUR_G = { downloadThroughput: 1_012_500, uploadThroughput: 168_750, latency: 165, offline: false };

export const CONDITIONS = `CPU slowed ${SLOWDOWN} times, 4G: 8.1 Mbit/s down, 1.35 Mbit/s up, ${FOUR_G.latency} ms per request`;

/** Watches for selectors and input inside the page, in the page's own clock, which starts at navigation. */
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

/** Finds Chromium as the journeys do. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['NIMO_CHROMIUM'] ?? '/usr/bin/chromium',
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu'],
  });
}

export interface SlowPage {
  readonly page: Page;
  /** Removes the throttling, to prepare a measurement. */
  speedUp(): Promise<void>;
  slowDown(): Promise<void>;
  /** Network requests since the last call, without those served from the cache. */
  takeRequests(): number;
}

/** A first visit with an empty cache, on a slow device and a mobile network. */
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
      speedUp: () => emulate(1, { downloadThroughput: -1, uploadThroughput: -1, latency: 0, offline: false }),
    });
  } finally {
    await context.close();
  }
}

/**
 * Milliseconds from navigation until all selectors are visible. Call it before the click that leads there: a later query by the driver would be
 * too late.
 */
export const seenAt = (page: Page, ...selectors: readonly string[]): Promise<number> =>
  page.evaluate<number>(`window.bench.seen(...${JSON.stringify(selectors)})`);
