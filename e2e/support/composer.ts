import type { Locator, Page } from '@playwright/test';

/** Waits for the composer's full editor. */
async function waitForComposer(page: Page, name: string): Promise<Locator> {
  const composer = page.getByRole('form', { name });
  await composer.locator('[contenteditable="true"]').waitFor();
  return composer;
}

/** Opens the composer for an answer below a question. */
export async function openAnswer(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add Your Answer' }).click();
  return waitForComposer(page, 'Add Your Answer');
}

/** Opens the page for a new question from the dashboard. */
export async function openAsk(page: Page, name = 'Ask your Question'): Promise<Locator> {
  await page.getByRole('button', { name }).or(page.getByRole('link', { name })).first().click();
  return waitForComposer(page, name);
}
