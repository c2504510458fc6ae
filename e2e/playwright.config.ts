import { defineConfig } from '@playwright/test';

const chromium = process.env['NIMO_CHROMIUM'] ?? '/usr/bin/chromium';

/** They change points for all, or count what all do, or measure: nothing else may happen meanwhile. */
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
    // The ten journeys of `npm test`: what the product cannot do without.
    { name: 'core', grep: /@core/ },
    { name: 'together', grepInvert: /@core/, testIgnore: ALONE },
    { name: 'alone', grepInvert: /@core/, testMatch: ALONE },
  ],
  // A journey that passed on a retry passes, and `npm test` lists it.
  retries: 2,
  outputDir: '../test-results/e2e',
  forbidOnly: true,
  // Both lanes run 'core' and 'together' two at a time, as one journey leaves half of two cores idle.
  workers: 1,
  // All of these only end what hangs: a slow machine must not fail a journey.
  timeout: 600_000,
  expect: { timeout: 60_000, toPass: { timeout: 60_000 } },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ?? '../test-results/e2e.json' }],
  ],
  use: {
    actionTimeout: 60_000,
    viewport: { width: 1440, height: 900 },
    // A worker would answer before the routes that journeys set; the journey of phones allows it.
    serviceWorkers: 'block',
    // A trace of every journey costs a fifth of their time: `npm run e2e -- --trace on <journey>` has one where a picture does not tell.
    trace: 'off',
    screenshot: 'only-on-failure',
    // What moves is waited for, and after the third look scrolled about: a click then meets a menu that is being put back in its place, and is lost.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: chromium,
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
      ],
    },
  },
});
