import { defineConfig } from '@playwright/test';
import journeys from './playwright.config.js';

/**
 * `npm run walk-through`: takes the pictures of docs/moderation.md and docs/maintenance.md in an imported community with misconduct to moderate.
 * The steps depend on each other.
 */
export default defineConfig({
  ...journeys,
  // The journeys' projects name their files.
  projects: [{ name: 'walk-through' }],
  testMatch: 'walk-through/**/*.walk.ts',
  globalSetup: './walk-through/community.setup.ts',
  outputDir: '../test-results/walk-through',
  timeout: 600_000,
  use: { ...journeys.use, actionTimeout: 30_000 },
  reporter: [['list']],
});
