import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { katexIfLoaded } from '../components/rich-text/lazy-katex';
import { newAuthUser } from '../testing/fixtures';
import { signIn, signOut } from '../lib/auth-storage';
import { keepServedPage } from './served-page';

const skeleton = '<div class="mantine-Skeleton-root"></div>';
const shown = () => document.querySelector('.served-page') !== null;
/** Renders like the app; observers run in a microtask. */
async function render(root: HTMLElement, html: string): Promise<void> {
  root.innerHTML = html;
  await Promise.resolve();
}

function served(): HTMLElement {
  document.body.innerHTML = '<div id="root"><div class="served-page">Read me</div></div>';
  const root = document.getElementById('root');
  if (!root) throw new Error('there is no root');
  return root;
}

describe('the server-rendered page', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask'] });
    signOut();
  });
  afterEach(() => {
    jest.useRealTimers();
    document.body.innerHTML = '';
  });

  it('stays until the app has its heading, no outlines and rendered formulas', async () => {
    const root = served();
    keepServedPage(root);
    const formula = '<span data-source="x^2">x^2</span>';
    for (const html of [skeleton, `<h1>Why?</h1>${skeleton}`, `<h1>Why ${formula}?</h1>`]) {
      await render(root, html);
      expect([shown(), root.hidden]).toEqual([true, true]);
    }
    await render(root, '<h1>Why <span data-source="x^2" data-drawn="">x²</span>?</h1><p>So.</p>');
    expect([shown(), root.hidden]).toEqual([false, false]);
  });

  it('loads the typesetter at once if it has formulas', async () => {
    jest.useRealTimers();
    keepServedPage(served());
    expect(katexIfLoaded()).toBeUndefined();
    const root = served();
    root.innerHTML = '<div class="served-page"><code class="nimo-math">x^2</code></div>';
    keepServedPage(root);
    await waitFor(() => expect(katexIfLoaded()).toBeDefined());
  });

  it('is replaced after a timeout even if something is still loading, but not by an empty page', async () => {
    const root = served();
    keepServedPage(root);
    await render(root, skeleton);
    jest.runAllTimers();
    expect(shown()).toBe(true);
    await render(root, `<h1>Why?</h1>${skeleton}`);
    expect([shown(), root.hidden]).toEqual([false, false]);
  });

  it('is not kept for a signed-in student', () => {
    signIn('token', newAuthUser(), true);
    const root = served();
    keepServedPage(root);
    expect(root.hidden).toBe(false);
    signOut();
  });

  it('does not exist on other pages', () => {
    document.body.innerHTML = '<div id="root"></div>';
    const root = document.getElementById('root') as HTMLElement;
    keepServedPage(root);
    expect(root.hidden).toBe(false);
  });
});
