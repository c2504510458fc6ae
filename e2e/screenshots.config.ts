import { defineConfig } from '@playwright/test';
import journeys from './playwright.config.js';

/** `npm run screenshots`: pictures of every screen in `screenshots/`, made from the demonstration content. */
export default defineConfig({
  ...journeys,
  // Not the journeys' own, which name their files.
  projects: [{ name: 'screenshots' }],
  testMatch: 'screenshots/**/*.screens.ts',
  outputDir: '../test-results/screenshots',
  timeout: 240_000,
  reporter: [['list']],
});
