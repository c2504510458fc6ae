import { defineConfig } from '@playwright/test';

const chromium = process.env['NIMO_CHROMIUM'] ?? '/usr/bin/chromium';

/** Journeys that change scores globally, count global activity or measure: they must run alone. */
const ALONE = [
  'as-of',
  'layout-shift',
  'leaderboard',
  'measures',
  'nimo-sense',
  'patterns',
  'projections',
  'score-explanation',
  'scoring-rules',
].map((name) => `**/${name}.journey.ts`);

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.journey.ts',
  projects: [
    // The ten essential journeys, part of `npm test`.
    { name: 'core', grep: /@core/ },
    { name: 'together', grepInvert: /@core/, testIgnore: ALONE },
    { name: 'alone', grepInvert: /@core/, testMatch: ALONE },
  ],
  // A journey that passes on a retry counts as passed; `npm test` lists it.
  retries: 2,
  outputDir: '../test-results/e2e',
  forbidOnly: true,
  // The lanes run 'core' and 'together' with two workers, because one journey leaves half of two cores idle.
  workers: 1,
  // These timeouts only catch hanging journeys: a slow machine must not fail one.
  timeout: 600_000,
  expect: { timeout: 60_000, toPass: { timeout: 60_000 } },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ?? '../test-results/e2e.json' }],
  ],
  use: {
    actionTimeout: 60_000,
    viewport: { width: 1440, height: 900 },
    // A service worker would respond before the routes of journeys; the phone journey allows it.
    serviceWorkers: 'block',
    // Tracing slows journeys by a fifth. If a screenshot is not enough: `npm run e2e -- --trace on <journey>`.
    trace: 'off',
    screenshot: 'only-on-failure',
    // Playwright waits for moving elements and scrolls after the third attempt; a click could then hit a menu that is being repositioned.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: chromium,
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        // The real window is 780 px wide by default. Whenever the emulated viewport lapsed, the notice for narrow windows would replace the screen.
        '--window-size=1440,900',
        '--disable-background-networking',
        '--disable-component-update',
      ],
    },
  },
});
