import { defineConfig } from '@playwright/test';
import journeys from './playwright.config.js';

/**
 * `npm run walk-through`: the pictures of docs/moderation.md and docs/maintenance.md, of an imported community in which some students
 * then do what moderators are for. The steps build on each other.
 */
export default defineConfig({
  ...journeys,
  // Not the journeys' own, which name their files.
  projects: [{ name: 'walk-through' }],
  testMatch: 'walk-through/**/*.walk.ts',
  globalSetup: './walk-through/community.setup.ts',
  outputDir: '../test-results/walk-through',
  timeout: 600_000,
  use: { ...journeys.use, actionTimeout: 30_000 },
  reporter: [['list']],
});
