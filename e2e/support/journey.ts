import {
  expect,
  test as base,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from '@playwright/test';
import { startProduct, type Product } from '../../test/product.js';
import { NimoApi, type Student } from './api.js';

/** What a journey expects to go wrong, as the browser's console words it. */
type ExpectedErrors = readonly RegExp[];

interface JourneyFixtures {
  /** Set by `test.use` where a journey provokes an error. */
  expectedErrors: ExpectedErrors;
  /** Collects what no journey may cause: console errors, exceptions, violations of the content security policy. */
  watch: (context: BrowserContext) => void;
  /** A browser of that student, in the demo space, at that address. */
  openAs: (student: Student, path: string, options?: BrowserContextOptions) => Promise<Page>;
  watchedByDefault: BrowserContext;
}

interface ProductFixtures {
  /** One a worker: journeys that run at the same time meet on the processor only, not in each other's lists. */
  product: Pick<Product, 'url' | 'dataDir'>;
  api: NimoApi;
}

// The browser tells the console as well, but not always as an error.
const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('content security policy: ' + violatedDirective + ' ' + blockedURI));`;

export const test = base.extend<JourneyFixtures, ProductFixtures>({
  product: [
    async ({}, use) => {
      const { NIMO_E2E_URL: url, NIMO_E2E_DATA_DIR: dataDir = '' } = process.env;
      // One that runs already: while journeys are written, and for a walk-through.
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
