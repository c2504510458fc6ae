import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type * as authStorage from './auth-storage';

const ada = {
  _id: 'ada',
  firstName: 'Ada',
  lastName: 'Lovelace',
  userName: 'ada',
  profileDesc: '',
  realProfilePicUrl: null,
};
const bob = { ...ada, _id: 'bob', userName: 'bob' };

type Tab = typeof authStorage;

/** The module as another tab of the same browser loads it. */
async function newTab(): Promise<Tab> {
  jest.resetModules();
  return import('./auth-storage');
}

function endBrowser(): void {
  for (const cookie of document.cookie.split('; '))
    document.cookie = `${cookie.split('=')[0] ?? ''}=; Path=/; Max-Age=0`;
}

/** Storage event that a browser sends to all tabs except the writer. */
const tellOtherTabs = (key: string): boolean => window.dispatchEvent(new StorageEvent('storage', { key }));

beforeEach(() => {
  localStorage.clear();
  endBrowser();
});

describe('a session that is not remembered', () => {
  it('is available in a new tab', async () => {
    (await newTab()).signIn('the-token', ada, false);
    expect((await newTab()).accessToken()).toBe('the-token');
  });

  it('ends with the browser and leaves nothing behind', async () => {
    (await newTab()).signIn('the-token', ada, false);
    endBrowser();
    expect((await newTab()).accessToken()).toBeNull();
    expect(localStorage).toHaveLength(0);
  });

  it('is never in clear text in the cookie or in local storage', async () => {
    (await newTab()).signIn('the-token', ada, false);
    const kept = JSON.stringify(localStorage) + document.cookie;
    expect(kept).not.toContain('the-token');
    expect(kept).not.toContain(Buffer.from('the-token').toString('hex'));
  });

  it('is invalid if the halves do not match', async () => {
    (await newTab()).signIn('the-token', ada, false);
    const [name] = document.cookie.split('=');
    document.cookie = `${name ?? ''}=00ff; Path=/`;
    expect((await newTab()).accessToken()).toBeNull();
  });
});

it('survives closing the browser if remembered', async () => {
  (await newTab()).signIn('the-token', ada, true);
  endBrowser();
  expect((await newTab()).accessToken()).toBe('the-token');
});

it('returns only the same student to the space where the session ended', async () => {
  const spaces = { ada: null as unknown, bob: null as unknown };
  for (const [name, student] of [
    ['bob', bob],
    ['ada', ada],
  ] as const) {
    const tab = await newTab();
    tab.signIn('the-token', ada, false);
    tab.enterSpace({ _id: 'space', name: 'Greenfield High' });
    tab.signOut('ended');
    tab.signIn('another-token', student, false);
    spaces[name] = JSON.parse(localStorage.getItem('currentSpace') ?? 'null');
    tab.signOut();
  }
  expect(spaces).toEqual({ ada: { _id: 'space', name: 'Greenfield High' }, bob: null });
  expect(localStorage).toHaveLength(0);
});

it('logs out all tabs, and gives the others the reason', async () => {
  const [first, second] = [await newTab(), await newTab()];
  first.signIn('the-token', ada, false);
  tellOtherTabs('sealedAccessToken');
  expect(second.accessToken()).toBe('the-token');
  first.signOut();
  tellOtherTabs('sealedAccessToken');
  expect([first.accessToken(), second.accessToken()]).toEqual([null, null]);
  expect(second.whySignedOut()).toBe('elsewhere');
});

it('reports in all tabs that the API ended the session, and keeps its space', async () => {
  const [first, second] = [await newTab(), await newTab()];
  first.signIn('the-token', ada, true);
  first.enterSpace({ _id: 'space', name: 'Greenfield High' });
  tellOtherTabs('currentSpace');
  first.signOut('ended');
  tellOtherTabs('accessToken');
  expect(second.whySignedOut()).toBe('ended');
  second.signOut('ended');
  first.signIn('another-token', ada, true);
  expect(localStorage.getItem('currentSpace')).toContain('Greenfield High');
});

it('is available in other tabs although its cookie arrives late', async () => {
  jest.useFakeTimers();
  try {
    const [first, second] = [await newTab(), await newTab()];
    first.signIn('the-token', ada, false);
    const cookie = document.cookie;
    endBrowser();
    tellOtherTabs('sealedAccessToken');
    expect(second.accessToken()).toBeNull();
    document.cookie = `${cookie}; Path=/`;
    jest.runAllTimers();
    expect(second.accessToken()).toBe('the-token');
    expect(second.whySignedOut()).toBeUndefined();
    // After the browser was closed the cookie never arrives, and polling stops.
    second.signOut();
    localStorage.setItem('sealedAccessToken', '00ff');
    tellOtherTabs('sealedAccessToken');
    jest.runAllTimers();
    expect(jest.getTimerCount()).toBe(0);
  } finally {
    jest.useRealTimers();
  }
});

it('follows the last login in all tabs', async () => {
  const [first, second] = [await newTab(), await newTab()];
  second.signIn('of-ada', ada, false);
  first.signIn('of-bob', bob, true);
  tellOtherTabs('accessToken');
  expect(second.accessToken()).toBe('of-bob');
  expect(second.whySignedOut()).toBeUndefined();
});

it('keeps the reason for an ended session until the next login', async () => {
  const tab = await newTab();
  tab.signIn('the-token', ada, true);
  tab.signOut('ended');
  expect(tab.whySignedOut()).toBe('ended');
  tab.signIn('another', ada, true);
  expect(tab.whySignedOut()).toBeUndefined();
});
