import type { BrowserContextOptions, Page } from '@playwright/test';
import { newPhone, newUserName, unique, type NimoApi } from '../support/api.js';
import { openAnswer, openAsk } from '../support/composer.js';
import { expect, test } from '../support/journey.js';
import { asFile, newPicture } from '../support/pictures.js';
import { handheld } from '../support/windows.js';

test.use({
  expectedErrors: [/ERR_INTERNET_DISCONNECTED|Failed to load resource|Failed to fetch|WebSocket/],
});

const WINDOWS: readonly { name: string; options: BrowserContextOptions; isNarrow: boolean }[] = [
  { name: '1440 × 900', options: { viewport: { width: 1440, height: 900 } }, isNarrow: false },
  { name: '1280 × 720', options: { viewport: { width: 1280, height: 720 } }, isNarrow: false },
  { name: '768 × 1024', options: handheld(768, 1024), isNarrow: true },
  { name: '390 × 844', options: handheld(390, 844), isNarrow: true },
  { name: '360 × 740', options: handheld(360, 740), isNarrow: true },
];

/** Signs up on the login page and opens the dashboard of the demo space. */
async function signUp(page: Page, api: NimoApi, userName: string): Promise<void> {
  const phone = newPhone();
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await page.getByLabel('Mobile number').fill(phone);
  await page.getByRole('button', { name: 'Get OTP' }).click();
  await expect(page.getByLabel('Digit 1')).toBeFocused();
  await page.keyboard.type(await api.latestCode(phone));
  await page.getByRole('button', { name: 'Done' }).click();
  const profile = page.getByRole('dialog', { name: 'Create Profile' });
  await profile.getByLabel('User Name').fill(userName);
  await profile.getByLabel('Password', { exact: false }).first().fill('Monsoon-2026');
  await profile.getByRole('button', { name: "Let's Get Started" }).click();
  await page.getByRole('button', { name: 'Login Now' }).click();
  await page.getByRole('button', { name: /Greenfield High.*Join Space/ }).click();
  await page.getByRole('dialog', { name: 'Awesome!' }).getByRole('button', { name: 'Join Space' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
}

/** @returns the id of the question */
async function askWithPhotograph(page: Page, title: string): Promise<string> {
  const composer = await openAsk(page);
  await expect(page).toHaveURL(/\/ask$/);
  await composer.getByRole('textbox', { name: 'Title' }).fill(title);
  await composer.getByRole('combobox', { name: 'Subject' }).click();
  await page.getByRole('option', { name: 'Mathematics' }).click();
  await composer.getByRole('combobox', { name: 'Topic' }).click();
  await page.getByRole('option', { name: 'Algebra' }).click();
  const chooser = page.waitForEvent('filechooser');
  await composer.getByRole('button', { name: 'choose files' }).click();
  await (await chooser).setFiles([asFile('homework.png', await newPicture('#27ae60', 900, 600))]);
  await expect(composer.getByText('1 of 10')).toBeVisible();
  await composer.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Question added successfully!')).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard\?.*myQuestions=true/);
  const address = await page.getByRole('main').getByRole('link', { name: title }).getAttribute('href');
  return /[\da-f-]{36}/.exec(address ?? '')?.[0] ?? '';
}

/** Uses the bell of a wide window, or the bar of a narrow one. */
async function openNotification(page: Page, isNarrow: boolean, name: string): Promise<void> {
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  // Waits for it to be in the list, which does not change while open.
  const arrived = { name: /^Notifications, \d+ new$/ };
  if (isNarrow) await menu.getByRole('link', arrived).click();
  else await page.getByRole('button', arrived).click();
  await page.getByRole('link', { name }).click();
}

async function searchFor(page: Page, isNarrow: boolean, text: string): Promise<void> {
  if (isNarrow)
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Search' }).click();
  else await page.getByRole('searchbox', { name: 'Search' }).click();
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeFocused();
  await page.keyboard.type(text);
  await page.getByRole('list', { name: 'Search results' }).getByRole('link', { name: text }).click();
}

/** Writes an answer offline, which is kept and then sent once. */
async function answerOnTheTrain(page: Page): Promise<void> {
  const composer = await openAnswer(page);
  await page.keyboard.type('By $x^2$ and code');
  await page.keyboard.press('Enter');
  await page.keyboard.type('```python');
  await page.keyboard.press('Enter');
  await page.keyboard.type('print(4)');
  await page.context().setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await composer.getByRole('button', { name: 'Submit' }).click();
  await expect(composer.getByText('Not sent yet.')).toBeVisible();
  await expect(composer.getByRole('textbox', { name: 'Your answer' })).toContainText('print(4)');
  await page.context().setOffline(false);
  await expect(page.getByText('Answer added successfully!')).toBeVisible();
  await expect(page.getByRole('heading', { name: '1 Answer' })).toBeVisible();
}

for (const { name, options, isNarrow } of WINDOWS)
  test(`a student's day fits into ${name}`, async ({ api, browser, watch }) => {
    const peer = await api.newStudent();
    const [own, classmates, spam] = [
      unique('What do I do here?'),
      unique('How much is two times two?'),
      unique('Buy essays'),
    ];
    const context = await browser.newContext({ ...options, baseURL: api.url, reducedMotion: 'reduce' });
    watch(context);
    const page = await context.newPage();
    await page.goto('/login');
    if (isNarrow) await page.getByRole('button', { name: 'Continue in the browser' }).click();
    const userName = newUserName('day');
    await signUp(page, api, userName);

    const questionId = await askWithPhotograph(page, own);
    await api.answer(peer, questionId, '<p>Multiply both sides.</p>');
    await openNotification(page, isNarrow, `${peer.userName} answered your question`);
    await expect(page).toHaveURL(new RegExp(`/singleQuestion/${questionId}/`));
    await page.getByRole('button', { name: 'Accept' }).click();
    await expect(page.getByText('Answer accepted successfully!')).toBeVisible();

    const classmatesId = await api.ask(peer, classmates);
    await searchFor(page, isNarrow, classmates);
    await page.goto(`/singleQuestion/${classmatesId}/home`);
    await answerOnTheTrain(page);
    const question = page.getByRole('article', { name: `Question: ${classmates}` });
    await question.getByRole('button', { name: /^Upvote/ }).click();
    await expect(question.getByRole('button', { name: 'Remove upvote, 1' })).toBeVisible();
    await question.getByRole('button', { name: /^Save/ }).click();
    await page.getByRole('button', { name: 'Write a comment' }).first().click();
    await page.keyboard.type('Nice one');
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('main').getByText('Nice one')).toBeVisible();

    await page.goto(`/singleQuestion/${await api.ask(peer, spam)}/home`);
    await page.getByRole('button', { name: 'More actions for this question' }).click();
    await page.getByRole('menuitem', { name: 'Report' }).click();
    const report = page.getByRole('dialog', { name: 'Why are you reporting this post' });
    await report.getByRole('radio', { name: 'Its spam' }).check();
    await report.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByText('Report sent successfully!')).toBeVisible();
    await page.getByRole('link', { name: 'My Profile' }).click();
    await expect(page.getByRole('heading', { name: userName })).toBeVisible();
    await context.close();
  });
