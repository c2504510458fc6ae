import {
  expect,
  test as base,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from '@playwright/test';
import { startProduct, type Product } from '../../test/product.js';
import { NimoApi, type Student } from './api.js';

/** Errors that a journey expects, as worded in the browser's console. */
type ExpectedErrors = readonly RegExp[];

interface JourneyFixtures {
  /** Set by `test.use` where a journey provokes an error. */
  expectedErrors: ExpectedErrors;
  /** Fails the journey on console errors, exceptions and violations of the content security policy. */
  watch: (context: BrowserContext) => void;
  /** Opens a page in a browser context in which the student is signed in and has selected the demo space. */
  openAs: (student: Student, path: string, options?: BrowserContextOptions) => Promise<Page>;
  watchedByDefault: BrowserContext;
}

interface ProductFixtures {
  /** One per worker, so that concurrent journeys do not appear in each other's lists. */
  product: Pick<Product, 'url' | 'dataDir'>;
  api: NimoApi;
}

// The browser logs violations too, but not always as errors.
const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('content security policy: ' + violatedDirective + ' ' + blockedURI));`;

export const test = base.extend<JourneyFixtures, ProductFixtures>({
  product: [
    async ({}, use) => {
      const { NIMO_E2E_URL: url, NIMO_E2E_DATA_DIR: dataDir = '' } = process.env;
      // An already running product, for writing journeys and for the walk-through.
      if (url !== undefined) return use({ url, dataDir });
      const product = await startProduct({ RATE_LIMIT_FACTOR: '1000' });
      try {
        await use(product);
      } finally {
        await product.stop();
      }
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  api: [
    async ({ product }, use) => use(new NimoApi(product.url, process.env['NIMO_E2E_SPACE'])),
    { scope: 'worker' },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  expectedErrors: [[], { option: true }],
  watch: async ({ expectedErrors }, use) => {
    const errors: string[] = [];
    const note = (text: string): void => {
      if (!expectedErrors.some((expected) => expected.test(text))) errors.push(text);
    };
    const watched: Promise<void>[] = [];
    await use((context) => {
      context.on('weberror', (error) => {
        const { stack, name, message } = error.error();
        // A DOMException has an empty stack.
        note(stack || `${name}: ${message}`);
      });
      context.on('console', (message) => {
        if (message.type() === 'error') note(`${message.text()} (${message.location().url})`);
      });
      watched.push(context.addInitScript({ content: REPORT_VIOLATIONS }).then(() => undefined));
    });
    await Promise.all(watched);
    expect(errors, 'errors in the browser').toEqual([]);
  },
  watchedByDefault: [
    async ({ context, watch }, use) => {
      watch(context);
      await use(context);
    },
    { auto: true },
  ],
  openAs: async ({ api, browser, watch, contextOptions }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (student, path, options) => {
      const context = await browser.newContext({
        ...contextOptions,
        baseURL: api.url,
        ...options,
        storageState: await sessionOf(api, student),
      });
      contexts.push(context);
      watch(context);
      const page = await context.newPage();
      await page.goto(path);
      return page;
    });
    await Promise.all(contexts.map((context) => context.close()));
  },
});

export { expect };

async function sessionOf(
  api: NimoApi,
  student: Student,
): Promise<BrowserContextOptions['storageState'] & object> {
  const { getStudent: user } = await api.graphql<{ getStudent: object }>(
    '{ getStudent { _id firstName lastName userName profileDesc realProfilePicUrl } }',
    {},
    student.token,
  );
  const space = await api.space(student.token);
  const entries = {
    accessToken: student.token,
    authUser: JSON.stringify(user),
    currentSpace: JSON.stringify(space),
  };
  const localStorage = Object.entries(entries).map(([name, value]) => ({ name, value }));
  return { cookies: [], origins: [{ origin: new URL(api.url).origin, localStorage }] };
}
