import {
  expect,
  test as base,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from '@playwright/test';
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
  api: NimoApi;
}

// The browser tells the console as well, but not always as an error.
const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('content security policy: ' + violatedDirective + ' ' + blockedURI));`;

export const test = base.extend<JourneyFixtures, ProductFixtures>({
  api: [
    async ({}, use) => use(new NimoApi(process.env['NIMO_E2E_URL'] ?? '', process.env['NIMO_E2E_SPACE'])),
    { scope: 'worker' },
  ],
  expectedErrors: [[], { option: true }],
  watch: async ({ expectedErrors }, use) => {
    const errors: string[] = [];
    const note = (text: string): void => {
      if (!expectedErrors.some((expected) => expected.test(text))) errors.push(text);
    };
    const watched: Promise<void>[] = [];
    await use((context) => {
      context.on('weberror', (error) => note(error.error().stack ?? error.error().message));
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
