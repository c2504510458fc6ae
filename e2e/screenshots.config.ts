import { defineConfig } from '@playwright/test';
import journeys from './playwright.config.js';

/** `npm run screenshots`: takes pictures of every screen with the demo content, into `screenshots/`. */
export default defineConfig({
  ...journeys,
  // The journeys' projects name their files.
  projects: [{ name: 'screenshots' }],
  testMatch: 'screenshots/**/*.screens.ts',
  outputDir: '../test-results/screenshots',
  timeout: 240_000,
  reporter: [['list']],
});
