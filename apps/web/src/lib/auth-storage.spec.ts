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

/** What a browser tells all tabs but the one that wrote. */
const tellOtherTabs = (key: string): boolean => window.dispatchEvent(new StorageEvent('storage', { key }));

beforeEach(() => {
  localStorage.clear();
  endBrowser();
});

describe('a session that is not to be remembered', () => {
  it('is there in a new tab', async () => {
    (await newTab()).signIn('the-token', ada, false);
    expect((await newTab()).accessToken()).toBe('the-token');
  });

  it('ends with the browser, and nothing of it is left', async () => {
    (await newTab()).signIn('the-token', ada, false);
    endBrowser();
    expect((await newTab()).accessToken()).toBeNull();
    expect(localStorage).toHaveLength(0);
  });

  it('is neither in the cookie nor in the storage as it is', async () => {
    (await newTab()).signIn('the-token', ada, false);
    const kept = JSON.stringify(localStorage) + document.cookie;
    expect(kept).not.toContain('the-token');
    expect(kept).not.toContain(Buffer.from('the-token').toString('hex'));
  });

  it('is nobody where the halves do not belong together', async () => {
    (await newTab()).signIn('the-token', ada, false);
    const [name] = document.cookie.split('=');
    document.cookie = `${name ?? ''}=00ff; Path=/`;
    expect((await newTab()).accessToken()).toBeNull();
  });
});

it('remembers beyond the end of the browser when asked to', async () => {
  (await newTab()).signIn('the-token', ada, true);
  endBrowser();
  expect((await newTab()).accessToken()).toBe('the-token');
});

it('leads back into the space in which the session ended, and nobody else', async () => {
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

it('signs out all tabs, and says in the others why', async () => {
  const [first, second] = [await newTab(), await newTab()];
  first.signIn('the-token', ada, false);
  tellOtherTabs('sealedAccessToken');
  expect(second.accessToken()).toBe('the-token');
  first.signOut();
  tellOtherTabs('sealedAccessToken');
  expect([first.accessToken(), second.accessToken()]).toEqual([null, null]);
  expect(second.whySignedOut()).toBe('elsewhere');
});

it('says in all tabs that the api ended the session, and keeps its space when each of them learns it', async () => {
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

it('is there in the other tabs though its cookie comes to them later than the rest', async () => {
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
    // Of a browser that ended it never comes, and nobody looks for ever.
    second.signOut();
    localStorage.setItem('sealedAccessToken', '00ff');
    tellOtherTabs('sealedAccessToken');
    jest.runAllTimers();
    expect(jest.getTimerCount()).toBe(0);
  } finally {
    jest.useRealTimers();
  }
});

it('is whoever signed in last, in all tabs', async () => {
  const [first, second] = [await newTab(), await newTab()];
  second.signIn('of-ada', ada, false);
  first.signIn('of-bob', bob, true);
  tellOtherTabs('accessToken');
  expect(second.accessToken()).toBe('of-bob');
  expect(second.whySignedOut()).toBeUndefined();
});

it('keeps why the api ended a session until somebody signs in', async () => {
  const tab = await newTab();
  tab.signIn('the-token', ada, true);
  tab.signOut('ended');
  expect(tab.whySignedOut()).toBe('ended');
  tab.signIn('another', ada, true);
  expect(tab.whySignedOut()).toBeUndefined();
});
