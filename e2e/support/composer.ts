import type { Locator, Page } from '@playwright/test';

/** The composer of that name, once its full editor is there. */
async function opened(page: Page, name: string): Promise<Locator> {
  const composer = page.getByRole('form', { name });
  await composer.locator('[contenteditable="true"]').waitFor();
  return composer;
}

/** Leads to the field for one's own answer beneath a question, and opens it. */
export async function openAnswer(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add Your Answer' }).click();
  return opened(page, 'Add Your Answer');
}

/** Leads from the dashboard to the page where a question is asked. */
export async function openAsk(page: Page, name = 'Ask your Question'): Promise<Locator> {
  await page.getByRole('button', { name }).or(page.getByRole('link', { name })).first().click();
  return opened(page, name);
}
