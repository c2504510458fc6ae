import type { Page } from '@playwright/test';
import { newPhone, newUserName, unique } from '../support/api.js';
import { expect, test } from '../support/journey.js';
import {
  choose,
  expectFocusShown,
  expectNoMotion,
  pick,
  press,
  pressInToolbar,
  tabTo,
} from '../support/keyboard.js';
import { asFile, newPicture } from '../support/pictures.js';
import { handheld } from '../support/windows.js';

/** On a phone a notice appears before the first screen. */
async function continueInBrowser(page: Page, isPhone: boolean): Promise<void> {
  if (isPhone) await press(page, page.getByRole('button', { name: 'Continue in the browser' }));
}

const WINDOWS = [
  { at: '1440 × 900', options: {}, isPhone: false },
  { at: '390 × 844', options: handheld(390, 844), isPhone: true },
];

for (const { at, options, isPhone } of WINDOWS)
  test.describe(`at ${at}`, () => {
    test.use(options);

    test('a student signs up, joins a space, edits the profile and navigates by keyboard only', async ({
      page,
      api,
    }) => {
      const [phone, userName] = [newPhone(), newUserName()];
      await page.goto('/login');
      await continueInBrowser(page, isPhone);
      await press(page, page.getByRole('button', { name: 'Sign Up' }));
      await tabTo(page, page.getByLabel('Mobile number'));
      await page.keyboard.type(phone);
      await press(page, page.getByRole('button', { name: 'Get OTP' }));
      await tabTo(page, page.getByLabel('Digit 1'));
      await page.keyboard.type(await api.latestCode(phone));
      await expect(page.getByRole('dialog', { name: 'Mobile Number Verified Successfully' })).toBeVisible();
      await press(page, page.getByRole('button', { name: 'Done' }));
      const profile = page.getByRole('dialog', { name: 'Create Profile' });
      await tabTo(page, profile.getByLabel('User Name'));
      await page.keyboard.type(userName);
      await tabTo(page, profile.getByLabel('Password', { exact: false }).first());
      await page.keyboard.type('Monsoon-2026');
      await press(page, profile.getByRole('button', { name: "Let's Get Started" }));
      await press(page, page.getByRole('button', { name: 'Login Now' }));
      await expect(page).toHaveURL(/\/space$/);
      await press(page, page.getByRole('button', { name: /Greenfield High.*Join Space/ }));
      await press(page, page.getByRole('dialog').getByRole('button', { name: 'Join Space' }));
      await expect(page).toHaveURL(/\/dashboard$/);

      await press(page, page.getByRole('link', { name: 'My Profile' }));
      await press(page, page.getByRole('button', { name: 'Edit Profile' }));
      const edit = page.getByRole('dialog', { name: 'Edit Profile' });
      await tabTo(page, edit.getByLabel('Shot Bio'));
      await page.keyboard.type('No mouse.');
      await press(page, edit.getByRole('button', { name: 'Submit' }));
      await expect(edit).toBeHidden();
      await expect(page.getByText('No mouse.')).toBeVisible();

      const account = page.getByRole('button', { name: `Account of ${userName}` });
      await choose(page, account, 'Settings');
      await expect(page).toHaveURL(/\/setting$/);
      const tabs = page.getByRole('tab');
      await tabTo(page, page.getByRole('tab', { selected: true }));
      const count = await tabs.count();
      for (let next = 1; next <= count; next += 1) {
        await page.keyboard.press('ArrowRight');
        await expect(tabs.nth(next % count)).toHaveAttribute('aria-selected', 'true');
        await expect(page.getByRole('tabpanel')).toBeVisible();
      }
      await choose(page, account, 'News');
      await expect(page.getByRole('heading', { name: 'News', level: 1 })).toBeVisible();
      await press(page, page.getByRole('link', { name: 'Leaderboard' }));
      await press(page, page.getByRole('button', { name: 'How scores are calculated' }));
      await expect(page.getByRole('dialog', { name: 'Leaderboard Scores' })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });

    test('a student filters and asks with a formula and an image by keyboard only', async ({
      api,
      openAs,
    }) => {
      const student = await api.newStudent();
      const { subject, topic } = await api.filing(student.token);
      const page = await openAs(student, '/dashboard');
      await continueInBrowser(page, isPhone);
      await press(page, page.getByRole('button', { name: 'Filters' }));
      await pick(page, page.getByRole('combobox', { name: 'Subject' }), subject.name);
      await expect(page.getByRole('heading', { name: `All ${subject.name} QUESTIONS` })).toBeVisible();
      await tabTo(page, page.getByRole('checkbox', { name: 'Unsolved' }));
      await page.keyboard.press('ArrowRight');
      await expect(page.getByRole('checkbox', { name: 'My Questions' })).toBeFocused();
      await page.keyboard.press('Space');
      await expect(page).toHaveURL(/myQuestions=true/);
      await press(page, page.getByRole('button', { name: 'Clear Filter' }));
      await expect(page).toHaveURL(/\/dashboard$/);
      await expect(page.getByRole('button', { name: 'Filters' })).toBeFocused();

      const ask = page.getByRole('link', { name: 'Ask your Question' });
      await press(page, ask);
      const dialog = page.getByRole('form', { name: 'Ask your Question' });
      await expect(dialog.getByRole('textbox', { name: 'Title' })).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(ask).toBeFocused();
      await page.keyboard.press('Enter');
      const title = unique('Asked by keys');
      await tabTo(page, dialog.getByRole('textbox', { name: 'Title' }));
      await page.keyboard.type(title);
      await pick(page, dialog.getByRole('combobox', { name: 'Subject' }), subject.name);
      await pick(page, dialog.getByRole('combobox', { name: 'Topic' }), topic.name);
      await expect(dialog.getByRole('combobox', { name: 'Topic' })).toHaveValue(topic.name);
      await pressInToolbar(page, dialog.getByRole('toolbar', { name: 'Formatting' }), 'Formula');
      const form = page.getByRole('dialog', { name: 'Formula' });
      await tabTo(page, form.getByRole('textbox', { name: 'Formula in LaTeX' }));
      await page.keyboard.type('x^2');
      await page.keyboard.press('Enter');
      const body = dialog.getByRole('textbox', { name: 'Description (optional)' });
      await expect(body).toBeFocused();
      await page.keyboard.type(' is what?');
      await expect(body.locator('.katex')).toHaveCount(1);
      const chooser = page.waitForEvent('filechooser');
      await press(page, dialog.getByRole('button', { name: 'choose files' }));
      await (await chooser).setFiles([asFile('by-keys.png', await newPicture('#2980b9'))]);
      await expect(dialog.getByText('1 of 10')).toBeVisible();
      await press(page, dialog.getByRole('button', { name: 'Submit' }));
      // A phone shows only the list, with the new question at the top.
      if (isPhone) await press(page, page.getByRole('link', { name: title }));
      const question = page.getByRole('article', { name: `Question: ${title}` });
      await expect(question).toContainText('is what?');
      await expect(question.locator('.katex')).toHaveCount(1);
    });

    test('a student opens a question, votes, saves, comments, answers, reports and accepts by keyboard only', async ({
      page,
      api,
      openAs,
    }) => {
      const [author, student] = await Promise.all([api.newStudent(), api.newStudent()]);
      const title = unique('Without a mouse?');
      const questionId = await api.ask(author, title);
      await api.answer(author, questionId, '<p>Buy cheap essays.</p>');
      // Enter on the selected question opens its page.
      await api.ask(author, unique('Open by itself'));
      await page.goto('/login');
      await continueInBrowser(page, isPhone);
      await tabTo(page, page.getByLabel('Username'));
      await page.keyboard.type(student.userName);
      await tabTo(page, page.getByRole('textbox', { name: 'Password' }));
      await page.keyboard.type(student.password);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/\/space$/);
      await expect(page.getByRole('heading', { level: 1, name: 'Spaces' })).toBeFocused();
      await press(page, page.getByRole('button', { name: /Greenfield High.*Joined/ }).first());
      await expect(page).toHaveURL(/\/dashboard$/);

      const list = page.getByRole('list', { name: 'RECENTLY POSTED' });
      await expect(page.getByRole('heading', { level: 1, name: 'Nimo Ask' })).toBeFocused();
      await page.reload();
      await expect(list).toBeVisible();
      await page.keyboard.press('Tab');
      await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
      await page.keyboard.press('Enter');
      await press(page, list.getByRole('link', { name: title }));
      const question = page.getByRole('article', { name: `Question: ${title}` });
      const heading = page.getByRole('heading', { level: 1, name: title });
      if (isPhone) {
        await expect(heading).toBeFocused();
        await page.goBack();
        await expect(list.getByRole('link', { name: title })).toBeFocused();
        await page.keyboard.press('Enter');
        await expect(heading).toBeFocused();
      } else {
        // Not after the last card of a list that loads more.
        await expect(page.getByRole('region', { name: 'Selected question' })).toBeFocused();
        await expect(question).toBeVisible();
        await press(page, question.getByRole('link', { name: 'Open question page' }));
        await expect(heading).toBeFocused();
        await page.goBack();
        await expect(question.getByRole('link', { name: 'Open question page' })).toBeFocused();
      }
      const save = question.getByRole('button', { name: /^Save/ });
      await press(page, save);
      await expect(save).toHaveText('Saved');
      await expect(save).toBeFocused();
      const upvote = question.getByRole('button', { name: /upvote,/i });
      await tabTo(page, upvote);
      await page.keyboard.press('Space');
      await expect(upvote).toHaveAccessibleName('Remove upvote, 1');
      await expect(upvote).toBeFocused();

      await press(page, page.getByRole('button', { name: 'Write a comment or @mention' }).first());
      await expect(page.getByRole('textbox', { name: 'Write a comment' })).toBeFocused();
      await page.keyboard.type(`By keys, @${author.userName}`);
      await expect(page.getByRole('option', { name: new RegExp(author.userName) })).toBeVisible();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+Enter');
      await expect(page.getByRole('list', { name: 'Comments' }).first()).toContainText(`@${author.userName}`);

      await press(page, page.getByRole('button', { name: 'Add Your Answer' }));
      const dialog = page.getByRole('form', { name: 'Add Your Answer' });
      await expect(dialog.getByRole('textbox', { name: 'Your answer' })).toBeFocused();
      await page.keyboard.type('It works.');
      if (isPhone) {
        await press(page, dialog.getByRole('button', { name: 'Close' }));
        await expect.poll(() => page.evaluate('history.state?.isCovered === true')).toBe(false);
        await page.reload();
        await tabTo(page, dialog.getByRole('button', { name: 'Discard draft' }));
        // The draft stays on the page, so Tab moves through it.
        await tabTo(page, page.getByRole('complementary').getByRole('link').first());
        await press(page, page.getByRole('button', { name: 'Add Your Answer' }));
        await expect(dialog.getByRole('textbox', { name: 'Your answer' })).toBeFocused();
      }
      await press(page, dialog.getByRole('button', { name: 'Submit' }));
      await expect(page.getByRole('article', { name: `Answer by ${student.userName}` })).toContainText(
        'It works.',
      );

      const unwanted = page.getByRole('button', {
        name: `More actions for the answer by ${author.userName}`,
      });
      await choose(page, unwanted, 'Report');
      const report = page.getByRole('dialog', { name: 'Why are you reporting this post' });
      await tabTo(page, report.getByRole('radio').first());
      await page.keyboard.press('Space');
      await press(page, report.getByRole('button', { name: 'Submit' }));
      await expect(page.getByText('Buy cheap essays.')).toHaveCount(0);

      const asker = await openAs(author, `/singleQuestion/${questionId}/home`);
      await continueInBrowser(asker, isPhone);
      await press(asker, asker.getByRole('button', { name: 'Accept', exact: true }));
      await expect(asker.getByRole('article', { name: `Answer by ${student.userName}` })).toContainText(
        'Accepted',
      );
      // A panel next to the page, or a separate page.
      await press(asker, asker.getByRole(isPhone ? 'link' : 'button', { name: /^Notifications/ }));
      await press(asker, asker.getByRole('link', { name: `${student.userName} answered your question` }));
      await expect(asker.getByRole('dialog', { name: 'Notifications' })).toBeHidden();
      await expect(asker).toHaveURL(new RegExp(`/singleQuestion/${questionId}/`));
      if (isPhone) await press(asker, asker.getByRole('link', { name: 'Search' }));
      await tabTo(asker, asker.getByRole('searchbox', { name: 'Search' }));
      await asker.keyboard.type(title);
      const hit = asker.getByRole('list', { name: 'Search results' }).getByRole('link', { name: title });
      await press(asker, hit);
      if (isPhone) {
        await expect(asker.getByRole('heading', { level: 1, name: title })).toBeFocused();
        await asker.goBack();
      } else {
        const found = asker.getByRole('region', { name: 'Selected question' });
        await expect(found).toContainText('It works.');
        await expect(found).toBeFocused();
        await press(asker, found.getByRole('button', { name: 'Close question' }));
      }
      await expect(hit).toBeFocused();
    });
  });

test('focus is visible at every tab stop, and nothing moves on its own', async ({ page, api, openAs }) => {
  for (const address of ['/login', '/register']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectFocusShown(page, address);
    await expectNoMotion(page, address);
  }
  const [student, peer] = await Promise.all([api.newStudent(), api.newStudent()]);
  const questionId = await api.ask(student, unique('Where am I?'));
  await api.answer(peer, questionId, '<p>Here.</p>');
  const signedIn = await openAs(student, '/space');
  for (const address of [
    '/space',
    `/dashboard?question=${questionId}`,
    `/singleQuestion/${questionId}/home`,
    '/search?text=here',
    '/leaderboard',
    '/profile',
    '/news',
    '/setting',
  ]) {
    await signedIn.goto(address);
    await expect(signedIn.getByRole('heading', { level: 1 })).toBeVisible();
    await signedIn.waitForLoadState('networkidle');
    await expectFocusShown(signedIn, address);
    await expectNoMotion(signedIn, address);
  }
});

test('neither header nor menu covers the focused element at 200 % and 400 %', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('Am I covered?'));
  for (const [width, height] of [
    [720, 450],
    [360, 225],
  ] as const) {
    const page = await openAs(student, '/space', { viewport: { width, height } });
    await page.getByRole('button', { name: 'Continue in the browser' }).click();
    for (const address of [`/singleQuestion/${questionId}/home`, '/leaderboard', '/setting'])
      for (const key of ['Tab', 'Shift+Tab']) {
        await page.goto(address);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await page.waitForLoadState('networkidle');
        await expectFocusShown(page, `${address} by ${key} at ${width} × ${height}`, { key });
      }
  }
});
