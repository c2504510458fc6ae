import { defineConfig } from '@playwright/test';
import journeys from './playwright.config.js';

/** `npm run screenshots`: the pictures of docs/screenshots, made from the demonstration content. */
export default defineConfig({
  ...journeys,
  testMatch: 'screenshots/**/*.screens.ts',
  outputDir: '../test-results/screenshots',
  timeout: 240_000,
  reporter: [['list']],
});
