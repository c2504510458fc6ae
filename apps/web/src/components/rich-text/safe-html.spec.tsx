import { MantineProvider } from '@mantine/core';
import { describe, expect, it } from '@jest/globals';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../../testing/render-app';
import './code-highlighting';
import './katex';
import { MAX_HIGHLIGHTED_LENGTH } from './code-highlighting';
import { SafeHtml } from './safe-html';

function show(html: string) {
  const view = render(<SafeHtml html={html} />, { wrapper: MantineProvider });
  const body = view.container.querySelector('[dir="auto"]');
  if (!(body instanceof HTMLElement)) throw new Error('no body is shown');
  return { ...view, body };
}

const drawn = (body: HTMLElement) => waitFor(() => expect(body.querySelector('.katex')).not.toBeNull());

describe('a body with formulas', () => {
  it('renders them visually and for screen readers', async () => {
    const { body } = show(
      '<p>So <code class="nimo-math">a^2+b^2</code>.</p><pre class="nimo-math">\\frac12</pre>',
    );
    await waitFor(() => expect(body.querySelectorAll('.katex')).toHaveLength(2));
    expect(body.querySelectorAll('math')).toHaveLength(2);
    expect(body.querySelectorAll('.katex-display')).toHaveLength(1);
    expect(body.querySelector('[aria-hidden="true"].katex-html')).not.toBeNull();
    expect(body.querySelector('annotation')).toHaveTextContent('a^2+b^2');
  });

  it('keeps the source readable until they are rendered', () => {
    const { body } = show('<p><code class="nimo-math">x^2</code></p>');
    expect(body).toHaveTextContent('x^2');
  });

  it('shows the source with a hint if it is not TeX', async () => {
    const { body } = show('<p>a <code class="nimo-math">\\frac{1</code> b</p>');
    expect(await screen.findByText('This formula has an error.')).toBeVisible();
    expect(body).toHaveTextContent('a \\frac{1 This formula has an error. b');
  });

  it('renders those of imported posts, but not prices', async () => {
    const { body } = show('<p>$x^2$ costs $5 or $6.</p><pre><code>echo $x$</code></pre>');
    await drawn(body);
    expect(body.querySelectorAll('.katex')).toHaveLength(1);
    expect(body).toHaveTextContent('costs $5 or $6.');
    expect(body.querySelector('pre')).toHaveTextContent('echo $x$');
  });

  it.each([
    ['a link', '\\href{javascript:alert(1)}{x}'],
    ['an address', '\\url{javascript:alert(1)}'],
    ['a picture', '\\includegraphics{https://evil.example/x.png}'],
    ['a class', '\\htmlClass{mantine-Modal-root}{x}'],
    ['an id', '\\htmlId{root}{x}'],
    ['a style', '\\htmlStyle{position:fixed}{x}'],
    ['data', '\\htmlData{x=y}{x}'],
  ])('renders no %s', async (_what, source) => {
    const { body } = show(`<p><code class="nimo-math">${source}</code></p>`);
    await waitFor(() => expect(body.querySelector('[data-drawn]')).not.toBeNull());
    expect(body.querySelector('a, img, #root, .mantine-Modal-root, [data-x]')).toBeNull();
  });

  it.each([
    ['a macro that calls itself', '\\def\\a{\\a\\a}\\a'],
    [
      'a bomb of macros',
      '\\def\\a{xxxxxxxxxx}\\def\\b{\\a\\a\\a\\a\\a\\a\\a\\a}\\def\\c{\\b\\b\\b\\b\\b\\b\\b\\b}\\c\\c\\c\\c\\c',
    ],
    ['braces two thousand deep', '{'.repeat(1000) + '}'.repeat(1000)],
    ['roots three hundred deep', '\\sqrt{'.repeat(280) + 'x' + '}'.repeat(280)],
    ['a matrix of a thousand cells', `\\begin{matrix}${'&'.repeat(1900)}\\end{matrix}`],
  ])('survives %s', async (_what, source) => {
    const { body } = show(`<p>before</p><pre class="nimo-math">${source}</pre><p>after</p>`);
    await waitFor(() => expect(body.querySelector('[data-drawn]')).not.toBeNull());
    expect(body).toHaveTextContent(/before.*after/s);
  });

  it('keeps definitions of one formula from the next', async () => {
    const { body } = show(
      '<p><code class="nimo-math">\\gdef\\secret{1}\\secret</code> <code class="nimo-math">\\secret</code></p>',
    );
    expect(await screen.findByText('This formula has an error.')).toBeVisible();
    expect(body.querySelectorAll('.katex')).toHaveLength(1);
  });
});

/** Appended to a body: once it is highlighted, so is everything before it. */
const HIGHLIGHTED = '<pre><code class="language-javascript">let it</code></pre>';
const highlighted = (body: HTMLElement) => waitFor(() => expect(body.querySelector('.token')).not.toBeNull());

describe('a code block', () => {
  it('is highlighted without changing its text', async () => {
    const code = 'const a = "b"; // <script>';
    const { body } = show(`<pre><code class="language-javascript">${code.replace('<', '&lt;')}</code></pre>`);
    await waitFor(() => expect(body.querySelector('.token.keyword')).toHaveTextContent('const'));
    expect(body.querySelector('code')?.textContent).toBe(code);
    expect(body.querySelector('script')).toBeNull();
  });

  it.each(['language-klingon', 'language-__proto__', 'language-constructor'])(
    'stays plain: %s',
    async (language) => {
      const { body } = show(`<pre><code class="${language}">let a</code></pre>${HIGHLIGHTED}`);
      await highlighted(body);
      expect(body.querySelector('code')?.innerHTML).toBe('let a');
    },
  );

  it('stays plain if very long', async () => {
    const { body } = show(
      `<pre><code class="language-python">${'('.repeat(MAX_HIGHLIGHTED_LENGTH + 1)}</code></pre>${HIGHLIGHTED}`,
    );
    await highlighted(body);
    expect(body.querySelector('code')?.innerHTML).not.toContain('token');
  });

  it('can be copied and reached with the keyboard', async () => {
    const user = userEvent.setup();
    show('<pre><code>a &lt; b</code></pre>');
    expect(screen.getByRole('group', { name: 'Code' })).toHaveAttribute('tabindex', '0');
    await user.click(screen.getByRole('button', { name: 'Copy code' }));
    expect(await screen.findByRole('button', { name: 'Copied!' })).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe('a < b');
  });
});

describe('the direction of a body', () => {
  it('is set on each outermost block; code is left to right', () => {
    const { body } = show(
      '<p>one</p><p>ما هو <code>HTML</code>؟</p><ul><li>اول</li></ul><blockquote><p>a</p></blockquote><table><tbody><tr><td>x</td></tr></tbody></table>',
    );
    expect([...body.children].map((block) => [block.localName, block.getAttribute('dir')])).toEqual(
      ['p', 'p', 'ul', 'blockquote', 'table'].map((name) => [name, 'auto']),
    );
    // An element with its own `dir` is ignored by the block around it.
    const inner = [...body.children].flatMap((block) => [...block.querySelectorAll('[dir="auto"]')]);
    expect(inner).toEqual([]);
    expect(body.querySelector('code')).toHaveAttribute('dir', 'ltr');
  });

  it('ignores formulas', async () => {
    const { body } = show('<p><code class="nimo-math">x^2</code> ما</p>');
    await drawn(body);
    expect(body.querySelector('[data-drawn]')).toHaveAttribute('dir', 'ltr');
  });
});

it('keeps runs of spaces, except those that indent imported HTML', () => {
  const { body } = show(
    '<p>x  = $a  b$ and   $PATH</p><ul>\n    <li>one\n    two</li>\n</ul><pre><code>a  b</code></pre>',
  );
  const kept = [...body.querySelectorAll('.nimo-spaces')].map((spaces) => spaces.textContent);
  expect(kept).toEqual(['  ', '   ']);
  expect(body.querySelector('[data-source]')).toHaveAttribute('data-source', 'a  b');
  expect(body.querySelector('li')?.textContent).toBe('one\n    two');
});

it('keeps tabs in a line and the space at its start', () => {
  const { body } = show(
    '<p> /\\<br>if x:<br>\tprint(\t1)<br> b <b>c</b> d<br>   <code>e</code>  <b>f</b></p><p>\n\tone\n\ttwo</p><ul>  <li>  <p> </p></li></ul>',
  );
  const kept = [...body.querySelectorAll('.nimo-spaces')].map((spaces) => spaces.textContent);
  expect(kept).toEqual([' ', '\t', '\t', ' ', '   ', '  ']);
});

it("starts from the API's HTML when the body changes", async () => {
  const { body, rerender } = show('<p><code class="nimo-math">x</code></p>');
  await drawn(body);
  rerender(<SafeHtml html="<p>plain</p>" />);
  expect(body.innerHTML).toBe('<p dir="auto">plain</p>');
});

describe('an image in a body', () => {
  const scrolls = () => screen.getByRole('img').parentElement?.tabIndex === 0;

  it.each([
    [1000, 12_000, true],
    [1080, 2340, false],
    [12_000, 1000, false],
  ])('of %i×%i pixels scrolls at a readable width: %s', (width, height, isTall) => {
    show(`<p><img src="/media/a.webp" alt="a" width="${width}" height="${height}"></p>`);
    expect(scrolls()).toBe(isTall);
  });

  it('becomes scrollable once loaded if the text does not have its size', () => {
    show('<p><img src="/media/a.webp" alt="a"></p>');
    const image = screen.getByRole('img');
    Object.defineProperties(image, { naturalWidth: { value: 1000 }, naturalHeight: { value: 12_000 } });
    expect(scrolls()).toBe(false);
    fireEvent.load(image);
    expect(scrolls()).toBe(true);
  });
});
