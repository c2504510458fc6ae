import type { Page } from '@playwright/test';
import { unique } from '../support/api.js';
import { openAnswer } from '../support/composer.js';
import { expect, test } from '../support/journey.js';
import { handheld } from '../support/windows.js';

test('typing continues after an inserted emoji, link or formula', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('Where does the caret stand?'));
  const page = await openAs(student, `/singleQuestion/${questionId}/home`);
  const dialog = await openAnswer(page);
  const editor = dialog.getByRole('textbox', { name: 'Your answer' });
  await editor.click();
  await page.keyboard.type('one');

  await dialog.getByRole('button', { name: 'Emoji' }).click();
  await page.getByRole('dialog', { name: 'Emoji' }).getByRole('button').first().click();
  await page.keyboard.type(' two ');

  await dialog.getByRole('button', { name: 'Link' }).click();
  await expect(page.getByRole('dialog', { name: 'Link' }).getByRole('textbox')).toBeFocused();
  await page.keyboard.type('https://example.org/a');
  await page.keyboard.press('Enter');
  await page.keyboard.type(' three word');

  for (let letter = 0; letter < 4; letter += 1) await page.keyboard.press('Shift+ArrowLeft');
  await dialog.getByRole('button', { name: 'Link' }).click();
  await expect(page.getByRole('dialog', { name: 'Link' }).getByRole('textbox')).toBeFocused();
  await page.keyboard.type('https://example.org/b');
  await page.keyboard.press('Enter');
  await page.keyboard.type(' after ');

  const form = page.getByRole('dialog', { name: 'Formula' });
  const source = form.getByRole('textbox', { name: 'Formula in LaTeX' });
  await dialog.getByRole('button', { name: 'Formula' }).click();
  await expect(source).toBeFocused();
  await page.keyboard.type('x^2');
  await page.keyboard.press('Enter');
  await page.keyboard.type(' four ');

  await dialog.getByRole('button', { name: 'Formula' }).click();
  await expect(source).toBeFocused();
  await page.keyboard.type('y^2');
  await form.getByRole('checkbox', { name: 'On its own line' }).check();
  await form.getByRole('button', { name: 'Insert' }).click();
  await page.keyboard.type('five');

  await dialog.getByRole('button', { name: 'Emoji' }).click();
  await page.keyboard.press('Escape');
  await page.keyboard.type(' six');
  await expect(dialog).toBeVisible();

  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Answer added successfully!')).toBeVisible();
  const answer = page.getByRole('article', { name: `Answer by ${student.userName}` });
  await expect(answer).toContainText(
    /one😀 two https:\/\/example\.org\/a three word after .*four .*five six/s,
  );
  await expect(answer.getByRole('link', { name: 'https://example.org/a', exact: true })).toBeVisible();
  await expect(answer.getByRole('link', { name: 'word', exact: true })).toBeVisible();
  await expect(answer.locator('math annotation')).toHaveText(['x^2', 'y^2']);
});

test('a toolbar choice is a separate undo step, and typing continues after it', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('What does a choice change?'));
  const page = await openAs(student, `/singleQuestion/${questionId}/home`);
  const dialog = await openAnswer(page);
  const editor = dialog.getByRole('textbox', { name: 'Your answer' });
  const choose = async (menu: string, choice: string) => {
    await dialog.getByRole('button', { name: menu, exact: true }).click();
    await page.getByRole('menuitem', { name: choice }).click();
    await expect(editor).toBeFocused();
  };
  await editor.click();
  await page.keyboard.type('one');
  for (const [menu, choice, formatted] of [
    ['Font size', 'Large', '.nimo-size-large'],
    ['Font family', 'Serif', '.nimo-font-serif'],
    ['Colour', 'Red', '.nimo-color-red'],
    ['Paragraph style', 'Heading 1', 'h1'],
    ['Alignment', 'Align centre', '.nimo-align-center'],
  ] as const) {
    await choose(menu, choice);
    await page.keyboard.type('two');
    await expect(editor.locator(formatted)).toContainText('two');
    await page.keyboard.press('Control+z');
    await expect(editor).toHaveText('one');
  }
  await expect(editor.locator('h1.nimo-align-center')).toHaveText('one');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect(editor.locator('p').first()).toHaveText('one');

  await dialog.getByRole('button', { name: 'Colour', exact: true }).click();
  await expect(page.getByRole('menuitem', { name: 'Default' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(editor).toBeFocused();
  await page.keyboard.type('!');
  await expect(editor).toHaveText('one!');
});

test('posts and comments show math, code and shell commands as typed', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('Is everything there?'));
  const page = await openAs(student, `/singleQuestion/${questionId}/home`);
  await openAnswer(page);
  const editor = page.getByRole('textbox', { name: 'Your answer' });
  await expect(editor).toBeFocused();
  const lines = [
    '3*4*5 = 60 and x**2 + y**2 = z**2, from ~20 to ~30',
    '1947. India became independent',
    '- 5 is minus five',
    'new Scanner(System.in) and arr.at(-1)',
    'export PATH=$PATH:$HOME/bin, $5+$6=$11',
  ];
  for (const line of lines) {
    await page.keyboard.type(line);
    await page.keyboard.press('Enter');
  }
  await page.keyboard.type('`x*y`');
  await expect(editor.locator('code')).toHaveText('x*y');
  await page.keyboard.press('Backspace');
  await expect(editor.locator('p', { hasText: /^`x\*y`$/ })).toHaveCount(1);
  await page.keyboard.type(' stays, $$ too\n$$x^2$$ and more\n(https://example.org/a_(b)).\n');
  await page.keyboard.type('- one\ntwo\n\n```python\nprint("a" * 3)\n```\nEnd.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Answer added successfully!')).toBeVisible();
  const answer = page.getByRole('article', { name: `Answer by ${student.userName}` });
  for (const line of [...lines, '`x*y` stays, $$ too', ' and more', 'End.'])
    await expect(answer.locator('p', { hasText: line })).toHaveCount(1);
  await expect(answer.locator('math annotation')).toHaveText('x^2');
  await expect(answer.getByRole('link', { name: 'https://example.org/a_(b)', exact: true })).toBeVisible();
  await expect(answer.getByRole('listitem')).toHaveText(['one', 'two']);
  await expect(answer.locator('code.language-python')).toHaveText('print("a" * 3)');

  const comments = page.getByRole('region', { name: 'Comments on the question' });
  await comments.getByRole('button', { name: 'Write a comment or @mention' }).click();
  await expect(comments.getByRole('textbox', { name: 'Write a comment' })).toBeFocused();
  await page.keyboard.type('PHP: $sum=$a+$b; swap($a,$b) is `$a*$b` and $x^2$');
  await page.keyboard.press('Control+Enter');
  const list = comments.getByRole('list', { name: 'Comments' });
  await expect(list).toContainText('PHP: $sum=$a+$b; swap($a,$b) is $a*$b and');
  await expect(list.locator('code')).toHaveText('$a*$b');
  await expect(list.locator('math annotation')).toHaveText('x^2');
});

test('typing loses no characters while the formula renderer loads', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('What comes first?'));
  const page = await openAs(student, `/singleQuestion/${questionId}/home`);
  const held: (() => void)[] = [];
  await page.route(/formulas[^/]*\.js/, (route) => {
    held.push(() => void route.continue());
  });
  const dialog = await openAnswer(page);
  const editor = dialog.getByRole('textbox', { name: 'Your answer' });
  await editor.click();
  await dialog.getByRole('button', { name: 'Formula' }).click();
  await expect(
    page.getByRole('dialog', { name: 'Formula' }).getByRole('textbox', { name: 'Formula in LaTeX' }),
  ).toBeFocused();
  await page.keyboard.type('z^2');
  await page.keyboard.press('Enter');
  await page.keyboard.type(' behind it');
  await expect(editor).toContainText('z^2 behind it');
  expect(held).not.toEqual([]);
  for (const release of held) release();
  await expect(editor.locator('math annotation')).toHaveText('z^2');
});

test('text typed while the editor loads moves into the editor', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('Who types first?'));
  const page = await openAs(student, '/profile');
  const held: (() => void)[] = [];
  await page.route(/editor[^/]*\.js/, (route) => {
    held.push(() => void route.continue());
  });
  await page.goto(`/singleQuestion/${questionId}/home`);
  await page.getByRole('textbox', { name: 'Your answer' }).click();
  const composer = page.getByRole('form', { name: 'Add Your Answer' });
  await page.keyboard.type('Already ');
  await expect(composer.locator('textarea')).toHaveValue('Already ');
  expect(held).not.toEqual([]);
  for (const release of held) release();
  const editor = composer.locator('[contenteditable="true"]');
  await expect(editor).toBeFocused();
  await page.keyboard.type('here.');
  await expect(editor).toHaveText('Already here.');
});

test('a comment can be typed as soon as its box is clicked', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('Who comments first?'));
  const page = await openAs(student, '/profile');
  const held: (() => void)[] = [];
  await page.route(/editor[^/]*\.js/, (route) => {
    held.push(() => void route.continue());
  });
  await page.goto(`/singleQuestion/${questionId}/home`);
  const comments = page.getByRole('region', { name: 'Comments on the question' });
  await comments.getByRole('button', { name: 'Write a comment or @mention' }).click();
  await page.keyboard.type('Nice one');
  await page.keyboard.press('Control+Enter');
  await expect(comments.getByRole('list', { name: 'Comments' })).toContainText('Nice one');
  const plain = comments.locator('textarea');
  await expect(plain).toBeFocused();
  await expect(plain).toHaveValue('');
  await page.keyboard.type(`And you, @${student.userName.slice(0, -2)}`);
  expect(held).not.toEqual([]);
  for (const release of held) release();
  const editor = comments.locator('[contenteditable="true"]');
  await expect(editor).toBeFocused();
  await page.getByRole('option', { name: student.userName }).click();
  await page.keyboard.type('?');
  await expect(editor).toHaveText(`And you, @${student.userName}?`);
});

test('a comment rejected while its editor loads returns to the box', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('Who is refused first?'));
  const page = await openAs(student, '/profile');
  const held: (() => void)[] = [];
  await page.route(/editor[^/]*\.js/, (route) => {
    held.push(() => void route.continue());
  });
  await page.goto(`/singleQuestion/${questionId}/home`);
  const comments = page.getByRole('region', { name: 'Comments on the question' });
  await comments.getByRole('button', { name: 'Write a comment or @mention' }).click();
  const answers: (() => void)[] = [];
  await page.route('**/graphql', async (route) => {
    if (route.request().postDataJSON()?.operationName !== 'AddQuestionComment') return route.continue();
    await new Promise<void>((resolve) => answers.push(resolve));
    return route.fulfill({ json: { data: null, errors: [{ message: 'Not now' }] } });
  });
  await page.keyboard.type('One');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.type('Two');
  await expect.poll(() => answers.length).toBe(1);
  for (const answer of answers) answer();
  const plain = comments.locator('textarea');
  await expect(plain).toHaveValue('One\nTwo');
  for (const release of held) release();
  const editor = comments.locator('[contenteditable="true"]');
  await expect(editor.locator('p')).toHaveText(['One', 'Two']);
});

test('an answer is written below the question, kept when closed, and sent with Ctrl+Enter', async ({
  api,
  openAs,
}) => {
  const student = await api.newStudent();
  const title = unique('Which way does it fall?');
  const questionId = await api.ask(student, title);
  const path = `/singleQuestion/${questionId}/home`;
  const page = await openAs(student, path);
  const composer = page.getByRole('form', { name: 'Add Your Answer' });
  const editor = composer.getByRole('textbox', { name: 'Your answer' });
  await openAnswer(page);
  await expect(editor).toBeFocused();
  await page.keyboard.type('Down, towards the middle.');
  await page.keyboard.press('Enter');
  for (let line = 0; line < 30; line += 1) await page.keyboard.press('Enter');
  await expect(composer.getByRole('button', { name: 'Submit' })).toBeInViewport({ ratio: 1 });
  await composer.getByRole('button', { name: 'Close' }).click();
  await expect(composer).toHaveCount(0);
  await expect(page.getByText('Draft saved')).toBeVisible();
  await expect(page.getByRole('heading', { name: title })).toBeVisible();

  // A new page later restores the draft.
  await page.goto('/dashboard');
  await page.goto(path);
  await expect(composer.getByText('Draft restored.')).toBeVisible();
  await expect(editor).toContainText('Down, towards the middle.');
  await expect(page.getByRole('heading', { name: title })).toBeInViewport();
  await editor.press('Escape');
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await openAnswer(page);
  await expect(editor).toHaveText('');
  await page.keyboard.type('Up.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Answer added successfully!')).toBeVisible();
  const answer = page.getByRole('article', { name: `Answer by ${student.userName}` });
  await expect(answer).toContainText('Up.');
  await expect(answer).toBeFocused();
  await expect(answer).toBeInViewport({ ratio: 1 });

  await answer.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await expect(answer.getByRole('textbox', { name: 'Your answer' })).toBeFocused();
  await page.keyboard.type(' And down again.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Answer updated successfully!')).toBeVisible();
  await expect(answer).toContainText('Up. And down again.');
  await expect(answer.getByRole('button', { name: 'More actions for the answer' })).toBeFocused();
});

test('a paste from Word is cleaned up and undone in one step', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('What is in the list?'));
  const page = await openAs(student, `/singleQuestion/${questionId}/home`);
  await openAnswer(page);
  const editor = page.getByRole('textbox', { name: 'Your answer' });
  await expect(editor).toBeFocused();
  await page.keyboard.type('Kept.');
  await page.keyboard.press('Enter');
  const paste = (type: string, text: string) =>
    page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData(${JSON.stringify(type)}, ${JSON.stringify(text)});
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(event);
    })()`);
  const item = (words: string) =>
    `<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·&nbsp;</span>${words}<o:p></o:p></p>`;
  await paste(
    'text/html',
    `<html><body><!--StartFragment-->${item('Salt')}${item('H<sub>2</sub>O')}<!--EndFragment--></body></html>`,
  );
  await expect(editor.getByRole('listitem')).toHaveText(['Salt', 'H2O']);
  await page.keyboard.press('Control+z');
  await expect(editor.getByRole('listitem')).toHaveCount(0);
  await expect(editor).toContainText('Kept.');

  await page.keyboard.press('Enter');
  await paste('text/plain', 'So\n\n$$x^2$$\n\n```js\nlet a = 1;\n```');
  await expect(editor.locator('math annotation')).toHaveText('x^2');
  await expect(editor.locator('code.language-javascript')).toHaveText('let a = 1;');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Answer added successfully!')).toBeVisible();
  const answer = page.getByRole('article', { name: `Answer by ${student.userName}` });
  await expect(answer.locator('math annotation')).toHaveText('x^2');
  await expect(answer.locator('.token.keyword')).toHaveText('let');
});

test('the last keystrokes survive leaving or closing the tab, and are sent with Ctrl+Enter', async ({
  api,
  openAs,
}) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('What was the last key?'));
  const path = `/singleQuestion/${questionId}/home`;
  const page = await openAs(student, path);
  const editorOn = async (tab: Page) => {
    await tab.getByRole('button', { name: 'Add Your Answer' }).click();
    const editor = tab.getByRole('textbox', { name: 'Your answer' });
    await expect(editor).toBeFocused();
    return editor;
  };
  await editorOn(page);
  await page.keyboard.type('One');
  await page.reload();
  await expect(await editorOn(page)).toHaveText('One');
  await page.keyboard.type(', two');
  await page.goto('/leaderboard');
  await page.goto(path);
  await expect(await editorOn(page)).toHaveText('One, two');
  await page.keyboard.type(', three');
  await page.close();

  const next = await page.context().newPage();
  await next.goto(path);
  await expect(await editorOn(next)).toHaveText('One, two, three');
  await next.keyboard.type('!');
  await next.keyboard.press('Control+Enter');
  await expect(next.getByText('Answer added successfully!')).toBeVisible();
  await expect(next.getByRole('article', { name: `Answer by ${student.userName}` })).toContainText(
    'One, two, three!',
  );
});

test('a draft that one tab sends disappears from other tabs, except for later edits there', async ({
  api,
  openAs,
}) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('Which tab sends?'));
  const path = `/singleQuestion/${questionId}/home`;
  const page = await openAs(student, path);
  const editorOn = (tab: Page) => tab.locator('form [contenteditable="true"]');
  await openAnswer(page);
  await page.keyboard.type('From the first tab.');
  const restored = async (text: string) => {
    const tab = await page.context().newPage();
    await tab.goto(path);
    await expect(editorOn(tab)).toHaveText(text);
    return tab;
  };
  await expect.poll(() => page.evaluate(`JSON.stringify(localStorage)`)).toContain('first tab.');
  const idle = await restored('From the first tab.');
  await page.bringToFront();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Answer added successfully!')).toBeVisible();
  await expect(idle.getByText('Already sent from another tab.')).toBeVisible();
  await expect(editorOn(idle)).toHaveText('');

  await editorOn(idle).click();
  await idle.keyboard.type('One');
  await expect.poll(() => page.evaluate(`JSON.stringify(localStorage)`)).toContain('One');
  const busy = await restored('One');
  await editorOn(busy).press('Control+End');
  await busy.keyboard.type(', two');
  await idle.bringToFront();
  await idle.keyboard.press('Control+Enter');
  await expect(idle.getByText('Answer added successfully!')).toBeVisible();
  await expect(busy.getByText(/^An earlier version was sent from another tab/)).toBeVisible();
  await expect(editorOn(busy)).toHaveText('One, two');
  await busy.reload();
  await expect(editorOn(busy)).toHaveText('One, two');
});

test('the current line stays above the composer’s footer in every window', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('Where is my line?'));
  for (const [options, path] of [
    [{ viewport: { width: 1280, height: 720 } }, `/dashboard?question=${questionId}`],
    [{ viewport: { width: 1280, height: 720 } }, `/singleQuestion/${questionId}/home`],
    [{ viewport: { width: 720, height: 450 } }, `/singleQuestion/${questionId}/home`],
    [{ viewport: { width: 360, height: 225 } }, `/singleQuestion/${questionId}/home`],
    [handheld(390, 480), `/singleQuestion/${questionId}/home`],
  ] as const) {
    const page = await openAs(student, path, options);
    if ((page.viewportSize()?.width ?? 0) < 1024)
      await page.getByRole('button', { name: 'Continue in the browser' }).click();
    const composer = await openAnswer(page);
    await composer.locator('[contenteditable]:focus').waitFor();
    for (let line = 1; line <= 12; line += 1) {
      await page.keyboard.press('Enter');
      await page.keyboard.type(`Line ${line}`);
      const written = page.getByText(`Line ${line}`, { exact: true });
      const seen = async () => {
        const box = await written.boundingBox();
        return page.evaluate<string>(
          `document.elementFromPoint(${box?.x ?? 0} + 4, ${box?.y ?? 0} + 8)?.textContent`,
        );
      };
      await expect.poll(seen, { message: path }).toBe(`Line ${line}`);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
  }
});
