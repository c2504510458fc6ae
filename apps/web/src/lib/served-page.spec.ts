import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newAuthUser } from '../testing/fixtures';
import { signIn, signOut } from './auth-storage';
import { keepServedPage } from './served-page';

const skeleton = '<div class="mantine-Skeleton-root"></div>';
const shown = () => document.querySelector('.served-page') !== null;
/** What the app renders; observers are told in a microtask. */
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

describe('the page that the server rendered', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask'] });
    signOut();
  });
  afterEach(() => {
    jest.useRealTimers();
    document.body.innerHTML = '';
  });

  it('stays until the app has its heading and no outlines', async () => {
    const root = served();
    keepServedPage(root);
    for (const html of [skeleton, `<h1>Why?</h1>${skeleton}`]) {
      await render(root, html);
      expect([shown(), root.hidden]).toEqual([true, true]);
    }
    await render(root, '<h1>Why?</h1><p>So.</p>');
    expect([shown(), root.hidden]).toEqual([false, false]);
  });

  it('gives way after a while although something is still on its way, but not to nothing', async () => {
    const root = served();
    keepServedPage(root);
    await render(root, skeleton);
    jest.runAllTimers();
    expect(shown()).toBe(true);
    await render(root, `<h1>Why?</h1>${skeleton}`);
    expect([shown(), root.hidden]).toEqual([false, false]);
  });

  it('is not kept for somebody who is signed in', () => {
    signIn('token', newAuthUser(), true);
    const root = served();
    keepServedPage(root);
    expect(root.hidden).toBe(false);
    signOut();
  });

  it('is none on the other pages', () => {
    document.body.innerHTML = '<div id="root"></div>';
    const root = document.getElementById('root') as HTMLElement;
    keepServedPage(root);
    expect(root.hidden).toBe(false);
  });
});
