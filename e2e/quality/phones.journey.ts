import type { BrowserContextOptions, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.js';
import { newPhone, newUserName, unique } from '../support/api.js';
import { closedSpace, newClassCode } from '../support/closed-space.js';
import { openFilters, unfold } from '../support/dashboard.js';
import { openAnswer, openAsk } from '../support/composer.js';
import { expect, test } from '../support/journey.js';
import { expectNoShift, observeShifts } from '../support/layout-shift.js';
import { asFile, newPicture } from '../support/pictures.js';
import { handheld } from '../support/windows.js';

test.use({
  expectedErrors: [/ERR_INTERNET_DISCONNECTED|Failed to load resource|Failed to fetch|WebSocket/],
});

/** Finds touch targets that are too small, by the element found 21 px around their centre. Excludes inline links, as WCAG does. */
const TOO_SMALL = `(() => {
  const small = new Set();
  const hits = (element, x, y) => {
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return true;
    const there = document.elementFromPoint(x, y);
    return there !== null && (element.contains(there) || [...(element.labels ?? [])].some((label) => label.contains(there)) ||
      there.closest('label, a, button')?.contains(element));
  };
  for (const element of document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, [role=tab], [contenteditable=true]')) {
    if (element.disabled || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const { width, height } = element.getBoundingClientRect();
    if (width < 2 || height < 2) continue;
    const isInSentence = element.matches('a') && getComputedStyle(element).display === 'inline' &&
      element.parentElement.textContent.trim().length > element.textContent.trim().length + 1;
    if (isInSentence) continue;
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (x < 0 || x > innerWidth || y < 0 || y > innerHeight) continue;
    const isHigh = height >= 43.5 || (hits(element, x, y - 21.5) && hits(element, x, y + 21.5));
    const isWide = width >= 43.5 || (hits(element, x - 21.5, y) && hits(element, x + 21.5, y));
    if (!isHigh || !isWide)
      small.add((element.ariaLabel || element.textContent || element.tagName).trim().slice(0, 40) + ' ' + Math.round(width) + 'x' + Math.round(height));
  }
  scrollTo(0, 0);
  return [...small];
})()`;

/** Finds elements beyond the window without a horizontally scrollable ancestor, and text clipped by its own box without an ellipsis. Fields scroll with the caret. */
const CUT = `[...document.querySelectorAll('a[href], button, input:not([type=hidden]), textarea, label, p, h1, h2, h3, [role=tab]')].flatMap((part) => {
  if (!part.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
  const { left, right, width, height } = part.getBoundingClientRect();
  if (width < 2 || height < 2) return [];
  const { overflowX, textOverflow } = getComputedStyle(part);
  for (let around = part.parentElement; around; around = around.parentElement)
    if (/auto|scroll/.test(getComputedStyle(around).overflowX) && around.scrollWidth > around.clientWidth) return [];
  const isOut = left < -1 || right > innerWidth + 1;
  const isCut = !part.matches('input, textarea') && /hidden|clip/.test(overflowX) && textOverflow !== 'ellipsis' && part.scrollWidth > part.clientWidth + 1;
  return isOut || isCut ? [(part.ariaLabel || part.textContent || part.tagName).trim().slice(0, 40)] : [];
})`;

async function expectFits(page: Page, where: string, isTouched: boolean): Promise<void> {
  await page.waitForLoadState('networkidle');
  const fit = {
    sideways: await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
    cut: await page.evaluate<string[]>(CUT),
    small: isTouched ? await page.evaluate<string[]>(TOO_SMALL) : [],
  };
  expect(fit, where).toEqual({ sideways: 0, cut: [], small: [] });
}

/** A desktop of 1440 × 900 at 200 % zoom, with a mouse. */
const zoomed: BrowserContextOptions = { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 };

const WINDOWS = [
  // From 1024 px it is a desktop with a mouse.
  { name: '1024 × 768', options: handheld(1024, 768), isTouched: false },
  { name: '768 × 1024', options: handheld(768, 1024), isTouched: true, isAxed: true },
  { name: '390 × 844', options: handheld(390, 844), isTouched: true, isAxed: true },
  { name: '360 × 740', options: handheld(360, 740), isTouched: true },
  { name: 'a desk of 1440 × 900 at 200 %', options: zoomed, isTouched: false },
];

for (const { name, options, isTouched, isAxed = false } of WINDOWS)
  test(`every student screen fits ${name}`, async ({ api, openAs, browser, watch }) => {
    const [student, peer] = await Promise.all([api.newStudent(), api.newStudent()]);
    const questionId = await api.ask(student, unique('Does it fit?'));
    await api.answer(peer, questionId, '<p>It does.</p>');
    await api.comment(peer, questionId, 'Everywhere.');
    await api.save(student, questionId);
    const page = await openAs(student, '/space', options);
    const isNarrow = (page.viewportSize()?.width ?? 0) < 1024;
    if (isNarrow) {
      await expect(page.getByText(/^Nimo is available on desktop, or as the student/)).toBeVisible();
      await page.getByRole('button', { name: 'Continue in the browser' }).click();
    }
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await observeShifts(page);
    for (const address of [
      '/space',
      '/dashboard',
      `/singleQuestion/${questionId}/home`,
      '/search',
      '/search?text=fit&unsolvedQuestions=true',
      '/leaderboard',
      '/leaderboard/score',
      '/nimoSense',
      '/profile',
      '/profile?tab=activities',
      '/notifications',
      `/nimorisingstarsingle?id=${peer._id}`,
      '/news',
      '/setting',
      '/setting?tab=deletion',
      '/terms',
      '/join/AAAAAA',
    ]) {
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.waitForLoadState('networkidle');
      await expectNoShift(page, address);
      await expectFits(page, address, isTouched);
      if (address.includes('activities')) {
        const card = await page.getByRole('article').first().boundingBox();
        expect(card?.width, 'an activity has the width of the page').toBeGreaterThan(300);
      }
      if (address.includes('tab='))
        await expect(page.getByRole('tab', { selected: true })).toBeInViewport({ ratio: 1 });
      if (isAxed) await expectAccessible(page, address);
      if (address !== '/dashboard') continue;
      await openFilters(page);
      await unfold(page, 'Unsolved Questions');
      await unfold(page, 'All Topics');
      await expectFits(page, 'the dashboard with everything open', isTouched);
      if (isAxed) await expectAccessible(page, 'the dashboard with everything open');
    }
    const context = await browser.newContext({ ...options, baseURL: api.url });
    watch(context);
    const visitor = await context.newPage();
    await visitor.goto('/login');
    if (isNarrow) await visitor.getByRole('button', { name: 'Continue in the browser' }).click();
    const { secret } = await newClassCode(api, await closedSpace(api, 'INVITATION'));
    for (const address of [
      '/login',
      '/register',
      '/forgot-password',
      `/question/${questionId}`,
      '/join',
      '/join/AAAAAA',
      `/join/${secret}`,
    ]) {
      await visitor.goto(address);
      await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible();
      await expectFits(visitor, address, isTouched);
    }
    await context.close();
  });

for (const [width, height] of [
  [768, 1024],
  [390, 844],
  [360, 740],
] as const)
  test(`navigation is within thumb reach at ${width} × ${height}`, async ({ api, openAs }) => {
    const [student, peer] = await Promise.all([api.newStudent(), api.newStudent()]);
    const questionId = await api.ask(student, unique('Who is it?'));
    await api.answer(peer, questionId, '<p>Me.</p>');
    const page = await openAs(student, '/dashboard', handheld(width, height));
    await page.getByRole('button', { name: 'Continue in the browser' }).click();
    const list = page.getByRole('list', { name: 'RECENTLY POSTED' });
    await expect(list.getByRole('listitem').first()).toBeInViewport({ ratio: 1 });
    expect((await page.locator('#list-heading').boundingBox())?.y).toBeLessThanOrEqual(135);
    const ask = page.getByRole('link', { name: 'Ask your Question' });
    await expect(ask).toBeInViewport({ ratio: 1 });
    expect((await ask.boundingBox())?.y).toBeGreaterThan(height * 0.75);
    await expect(ask).toHaveAttribute('href', '/ask');
    await page.getByRole('button', { name: 'Unsolved Questions' }).focus();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'All Topics' })).toBeInViewport({
      ratio: 0.99,
      timeout: 5000,
    });

    const bar = page.getByRole('navigation', { name: 'Main menu' });
    await expect(bar.getByRole('link')).toHaveCount(5);
    for (const link of await bar.getByRole('link').all()) await expect(link).toBeInViewport({ ratio: 1 });
    await bar.getByRole('link', { name: /^Notifications, \d+ new$/ }).tap();
    await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible();
    await expect(page.getByText(`${peer.userName} answered your question`)).toBeVisible();
    await expect(bar.getByRole('link', { name: 'Notifications', exact: true })).toBeVisible();
    await expect(page.getByRole('searchbox')).toHaveCount(0);
    // The last touch position does not count as hover.
    const touched = bar.getByRole('link', { name: 'Leaderboard' });
    await touched.hover();
    await expect.poll(() => page.evaluate<number>('document.getAnimations().length')).toBe(0);
    await expect(touched).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    await bar.getByRole('link', { name: 'Search' }).tap();
    await expect(page.getByRole('searchbox', { name: 'Search' })).toBeFocused();
    await page
      .getByRole('banner')
      .getByRole('link', { name: /^Go to Spaces: Greenfield High$/ })
      .tap();
    await expect(page).toHaveURL(/\/space$/);
  });

test('every staff screen fits 390 × 844, and the menu leads to each of them', async ({ api, openAs }) => {
  const [reporter, moderator, maintainer] = await Promise.all([
    api.newStudent(),
    api.moderator(),
    api.maintainer(),
  ]);
  const questionId = await api.ask(await api.newStudent(), unique('Does it fit a moderator?'));
  await api.report(reporter, 'QUESTION', questionId, 'Its spam');
  for (const [person, areas, addresses] of [
    [
      moderator,
      ['Moderation', 'Audit'],
      [
        '/moderation',
        `/moderation/${questionId}`,
        '/moderation/entry',
        '/moderation/patterns',
        '/moderation/cases',
        '/audit',
        '/audit/1',
        '/audit/as-of/leaderboard',
        `/audit/as-of/question/${questionId}`,
        '/audit/proof',
      ],
    ],
    [
      maintainer,
      ['Maintenance'],
      [
        '/maintenance',
        '/maintenance/projections/leaderboard',
        '/maintenance/log',
        '/maintenance/log/1',
        '/maintenance/log/stream?of=1',
        '/maintenance/scoring',
        '/maintenance/scoring/versions/1',
        '/maintenance/content/spaces',
        '/maintenance/content/avatars',
        '/maintenance/content/roles',
        '/maintenance/content/students',
        '/maintenance/content/news',
      ],
    ],
  ] as const) {
    const page = await openAs(person, addresses[0], handheld(390, 844));
    await page.getByRole('button', { name: 'Continue in the browser' }).click();
    for (const address of addresses) {
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
      await expectFits(page, address, true);
      await expectAccessible(page, address);
    }
    if (person === moderator) {
      await page.goto('/moderation');
      await page
        .getByRole('link', { name: /Does it fit a moderator/ })
        .first()
        .tap();
      await expect(page.getByRole('heading', { level: 2, name: /Does it fit a moderator/ })).toBeVisible();
      await page.getByRole('link', { name: 'Queue' }).tap();
      await expect(page).toHaveURL(/\/moderation$/);
    }
    await page.getByRole('button', { name: 'Areas' }).tap();
    const menu = page.getByRole('navigation', { name: 'Areas' });
    for (const area of areas) await expect(menu.getByText(area, { exact: true })).toBeVisible();
    await expectAccessible(page, 'the menu');
    const section = menu.getByRole('link').nth(2);
    await section.tap();
    await expect(menu).toBeHidden();
    await page.getByRole('button', { name: 'Areas' }).tap();
    await expect(section).toHaveAttribute('aria-current', 'page');
  }
});

/** Gaps in pixels between the labels of adjacent menu items. */
const GAPS = `(() => {
  const boxes = [...document.querySelectorAll('nav li > a')].map((link) => {
    const range = document.createRange();
    range.selectNodeContents(link.lastChild);
    return range.getBoundingClientRect();
  });
  return boxes.slice(1).map(({ left }, index) => left - boxes[index].right);
})()`;

test('tabs, filters and menu are not truncated in any language at 360 × 740', async ({ api, openAs }) => {
  const [student, peer] = await Promise.all([api.newStudent(), api.newStudent()]);
  const word = unique('whole').replace(/\W/g, '');
  for (let asked = 0; asked < 10; asked += 1)
    await api.answer(peer, await api.ask(student, `Is ${word} all of it?`), `<p>All of ${word}.</p>`);
  const page = await openAs(student, '/dashboard', handheld(360, 740));
  await page.getByRole('button', { name: 'Continue in the browser' }).click();
  for (const language of ['en', 'de', 'es', 'it', 'ru']) {
    await page.evaluate(`localStorage.setItem('I18N_LANGUAGE', '${language}')`);
    await page.goto(`/search?text=${word}`);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    const tabs = page.getByRole('tab');
    for (const counted of [0, 1]) await expect(tabs.nth(counted)).toContainText('10+');
    for (const tab of await tabs.all()) await expect(tab, language).toBeInViewport({ ratio: 1 });
    const filters = page.locator('[role=group] label');
    await expect(filters).toHaveCount(3);
    for (const filter of await filters.all()) await expect(filter, language).toBeInViewport({ ratio: 1 });
    for (const width of [320, 360]) {
      await page.setViewportSize({ width, height: 740 });
      const gaps = await page.evaluate<number[]>(GAPS);
      expect(gaps).toHaveLength(4);
      expect(Math.min(...gaps), `${language} at ${width} px`).toBeGreaterThanOrEqual(7.5);
      await expectFits(page, `a search in ${language} at ${width} px`, true);
    }
  }
});

test('the answer box appears together with the answers', async ({ api, openAs }) => {
  const [student, peer] = await Promise.all([api.newStudent(), api.newStudent()]);
  const title = unique('What comes first?');
  await api.answer(
    peer,
    await api.ask(student, title),
    `<p>${'The answers, however long they are. '.repeat(30)}</p>`,
  );
  const page = await openAs(student, '/space', handheld(360, 740));
  await page.getByRole('button', { name: 'Continue in the browser' }).click();
  await observeShifts(page);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('OwnQuestion') === true) await released;
    await route.continue();
  });
  // The list includes its first question; the answers load later.
  await page.goto('/dashboard?myQuestions=true');
  await page.getByRole('link', { name: title }).click();
  const about = page.getByText('About this question');
  await about.waitFor({ state: 'attached' });
  await expect(about).toBeHidden();
  release();
  await expect(about).toBeVisible();
  await expectNoShift(page, 'a question whose answers come late');
});

/** Inserts an image into the text and fills in its form. */
async function describePicture(page: Page): Promise<void> {
  const tools = page.getByRole('toolbar');
  // The tools that homework needs most come before the edge of the toolbar.
  for (const name of ['Image', 'Formula', 'Bullet list', 'Numbered list'])
    await expect(tools.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
  await tools.getByRole('button', { name: 'Image', exact: true }).tap();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose images' }).tap();
  await (await chooser).setFiles([asFile('home.png', await newPicture('#27ae60', 300, 200))]);
  const picture = page.locator('[data-picture][data-state="stored"] img');
  await expect(picture).toBeVisible();
  await tools.evaluate((element) => (element.scrollLeft = 0));
  await picture.tap();
  const form = page.getByRole('dialog', { name: 'Image', exact: true });
  const description = form.getByRole('textbox', { name: 'Description' });
  await expect(description).toBeInViewport({ ratio: 1 });
  for (const name of ['Remove', 'Rotate and crop', 'Apply']) {
    const button = form.getByRole('button', { name });
    await button.scrollIntoViewIfNeeded();
    await expect(button).toBeInViewport({ ratio: 1 });
    expect((await button.boundingBox())?.height, name).toBeGreaterThanOrEqual(43.5);
  }
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  await description.fill('The way home');
  await form.getByRole('button', { name: 'Rotate and crop' }).tap();
  const cropping = page.getByRole('dialog', { name: 'Rotate and crop' });
  await cropping.getByRole('button', { name: 'Rotate right' }).tap();
  const corner = await cropping.getByRole('button', { name: 'Top left corner' }).boundingBox();
  expect(corner?.x, 'a corner can be reached').toBeGreaterThanOrEqual(0);
  expect(corner?.width).toBeGreaterThanOrEqual(43.5);
  await cropping.getByRole('button', { name: 'Cancel' }).tap();
  await expect(cropping).toBeHidden();
}

test('a full-screen composer on a phone traps the focus and adds no history entry', async ({
  api,
  openAs,
}) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('What lies behind?'));
  const path = `/singleQuestion/${questionId}/home`;
  const page = await openAs(student, '/profile', handheld(390, 844));
  await page.getByRole('button', { name: 'Continue in the browser' }).click();
  await page.goto(path);
  // Scrolling passes the field that would fill the screen.
  await page.getByRole('button', { name: 'Add Your Answer' }).focus();
  await page.keyboard.press('Tab');
  await expect(page.locator('textarea:focus, form :focus')).toHaveCount(0);
  const composer = await openAnswer(page);
  await page.keyboard.type('Half an answer');
  const outside = page.locator(':focus:not(body, form, form *)');
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press('Tab');
    await expect(outside).toHaveCount(0);
  }

  await page.reload();
  await composer.getByRole('textbox', { name: 'Your answer' }).tap();
  await composer.getByRole('button', { name: 'Discard draft' }).tap();
  await expect(composer.locator('[contenteditable]:focus')).toHaveText('');
  await page.keyboard.type('Another');
  await page.goBack();
  await expect(composer).toHaveCount(0);
  await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeVisible();
  await page.goForward();
  await expect.poll(() => page.evaluate('history.state?.isCovered === true')).toBe(false);
  await expect(page).toHaveURL(new RegExp(path));
  await page.goBack();
  await expect(page).toHaveURL(/\/profile/);
});

test('a toast covers neither the buttons of a composer nor a dialog on a phone', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('What is covered?'));
  const page = await openAs(student, '/profile', handheld(360, 740));
  await page.getByRole('button', { name: 'Continue in the browser' }).click();
  await page.getByRole('button', { name: 'Edit Profile' }).tap();
  await page.getByRole('button', { name: 'Select Avatar' }).tap();
  const avatars = page.getByRole('dialog', { name: 'Select Avatar' });
  await expect.poll(async () => (await avatars.boundingBox())?.height).toBeGreaterThan(500);
  const room = (await avatars.boundingBox())?.y ?? 0;

  await page.goto(`/singleQuestion/${questionId}/home`);
  await page.getByRole('button', { name: 'Copy' }).tap();
  const toast = page.locator('.mantine-Notification-root');
  await expect(toast).toHaveCount(1);
  const above = await toast.boundingBox();
  expect((above?.y ?? 0) + (above?.height ?? 0), 'a toast above a dialog').toBeLessThanOrEqual(room);
  const composer = await openAnswer(page);
  const chooser = page.waitForEvent('filechooser');
  await composer.getByRole('button', { name: 'Choose files' }).tap();
  await (
    await chooser
  ).setFiles([{ name: 'a.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('') }]);
  const refused = toast.filter({ hasText: 'a.exe was not added' });
  await expect(refused).toHaveCount(1);
  const { y = 0, height = 0 } = (await refused.boundingBox()) ?? {};
  for (const button of await composer.getByRole('button', { name: /^(Cancel|Submit)$/ }).all()) {
    const box = await button.boundingBox();
    const isApart = box !== null && (box.y + box.height <= y || box.y >= y + height);
    expect(isApart, `${await button.innerText()} next to the toast`).toBe(true);
  }
});

test('a student gets an accepted answer on a phone', async ({ api, openAs, browser, watch }) => {
  const asker = await api.newStudent();
  const title = unique('Who answers from a phone?');
  const questionId = await api.ask(asker, title);
  const context = await browser.newContext({ ...handheld(390, 844), baseURL: api.url });
  watch(context);
  const page = await context.newPage();
  await page.goto(`/question/${questionId}`);
  // The attempted action is remembered past the notice.
  await page.getByRole('link', { name: 'Log in to take part' }).click();
  await page.getByRole('button', { name: 'Sign Up' }).click();
  const phone = newPhone();
  await page.getByRole('textbox', { name: /Mobile|Phone/i }).fill(phone);
  await page.getByRole('button', { name: 'Get OTP' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  const code = await api.latestCode(phone);
  await page.getByRole('dialog').getByRole('textbox').first().click();
  await page.keyboard.type(code);
  await page.getByRole('button', { name: 'Done' }).tap();
  const profile = page.getByRole('dialog', { name: 'Create Profile' });
  await profile.getByLabel('User Name').fill(newUserName());
  await profile.getByLabel('Password', { exact: false }).first().fill('Monsoon-2026');
  await profile.getByRole('button', { name: "Let's Get Started" }).tap();
  await page.getByRole('button', { name: 'Login Now' }).tap();
  // Signed in, back on the page that led to the login.
  await expect(page).toHaveURL(new RegExp(`/singleQuestion/${questionId}/`));
  await page.getByRole('main').getByRole('link', { name: 'Join Space' }).tap();
  await page.getByRole('dialog', { name: 'Awesome!' }).getByRole('button', { name: 'Join Space' }).tap();
  await expect(page.getByRole('button', { name: 'Add Your Answer' })).toBeVisible();
  await context.close();

  const helper = await api.newStudent({ userName: newUserName('phone') });
  const held390 = await openAs(helper, '/dashboard', handheld(390, 844));
  await held390.getByRole('button', { name: 'Continue in the browser' }).click();
  await held390.getByRole('heading', { name: title }).getByRole('link').tap();
  await expect(held390).toHaveURL(new RegExp(`/singleQuestion/${questionId}/`));
  const composer = await openAnswer(held390);
  await held390.locator('[contenteditable]:focus').waitFor();
  expect(await composer.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  await held390.keyboard.type('Half an answer');
  await held390.goBack();
  await expect(composer).toHaveCount(0);
  await expect(held390.getByText('Draft saved')).toBeVisible();
  await expect(held390).toHaveURL(new RegExp(`/singleQuestion/${questionId}/`));
  await held390.getByRole('button', { name: 'Discard' }).tap();
  await openAnswer(held390);
  await held390.locator('[contenteditable]:focus').waitFor();
  // The on-screen keyboard takes part of the screen.
  await held390.setViewportSize({ width: 390, height: 480 });
  await held390.keyboard.type('I do, on the way home.');
  await expect(held390.getByRole('navigation', { name: 'Main menu' })).toBeHidden();
  await expect(held390.getByRole('button', { name: 'Submit' })).toBeInViewport({ ratio: 1 });
  await describePicture(held390);
  await held390.getByRole('button', { name: 'Submit' }).tap();
  await expect(held390.getByRole('heading', { name: '1 Answer' })).toBeVisible();
  await held390.setViewportSize({ width: 390, height: 844 });
  await held390.getByRole('link', { name: 'Back', exact: false }).first().tap();
  await expect(held390).toHaveURL(/\/dashboard/);

  const askers = await openAs(asker, `/singleQuestion/${questionId}/home`, handheld(390, 844));
  await askers.getByRole('button', { name: 'Continue in the browser' }).click();
  await askers.getByRole('button', { name: 'Accept' }).tap();
  await expect(askers.getByText('Accepted').first()).toBeVisible();
  // The toast covers the header, not the menu, dialogs or the ask button.
  const toast = askers.getByText('Answer accepted successfully!');
  await expect(toast).toBeVisible();
  expect((await toast.boundingBox())?.y).toBeLessThan(60);
  await askers.getByRole('link', { name: 'My Profile' }).tap();
  await expect(askers).toHaveURL(/\/profile/);
});

test('mention suggestions are in view when the box is at the bottom of the screen', async ({
  api,
  openAs,
}) => {
  const student = await api.newStudent({ userName: newUserName('foot') });
  const body = '<p>I tried it again.</p>'.repeat(30);
  const questionId = await api.ask(student, unique('Who knows?'), { body });
  const page = await openAs(student, `/singleQuestion/${questionId}/home`, handheld(390, 844));
  await page.getByRole('button', { name: 'Continue in the browser' }).click();
  const opener = page.getByRole('button', { name: 'Write a comment or @mention' });
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  await opener.waitFor();
  const [bar, box] = await Promise.all([menu.boundingBox(), opener.boundingBox()]);
  const foot = bar?.y ?? 0;
  const above = (box?.y ?? 0) + (box?.height ?? 0) + 8 - foot;
  await page.evaluate(`scrollBy({ top: ${above}, behavior: 'instant' })`);
  await opener.tap();
  await page.keyboard.type(`@${student.userName.slice(0, -2)}`);
  const person = page.getByRole('option', { name: student.userName });
  await expect
    .poll(async () => {
      const found = await person.boundingBox();
      return found === null ? Infinity : found.y + found.height;
    })
    .toBeLessThanOrEqual(foot);
});

test('the page for a new question is preloaded with the dashboard', async ({ api, openAs }) => {
  const page = await openAs(await api.newStudent(), '/dashboard', handheld(390, 844));
  await page.getByRole('button', { name: 'Continue in the browser' }).click();
  const hasCome = (part: string) =>
    page.evaluate<boolean>(
      `performance.getEntriesByType('resource').some(({ name, responseEnd }) => name.includes('/assets/${part}-') && responseEnd > 0)`,
    );
  for (const part of ['kit', 'editor']) await expect.poll(() => hasCome(part)).toBe(true);
  await page.route('**/assets/*.js', (route) => route.abort());
  const composer = await openAsk(page);
  await expect(composer.getByRole('textbox', { name: 'Title' })).toBeFocused();
});
