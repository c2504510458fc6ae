import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { decodeSecret, keepInvitation, takeInvitation } from './pending-invitation';

describe('an invitation kept during sign-up', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    localStorage.clear();
  });

  it('can be taken once', () => {
    keepInvitation('KDT-W7X');
    expect(takeInvitation()).toBe('KDT-W7X');
    expect(takeInvitation()).toBeUndefined();
  });
  it('expires after a day', () => {
    keepInvitation('KDT-W7X');
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 25 * 60 * 60 * 1_000);
    expect(takeInvitation()).toBeUndefined();
  });
  it('is undefined if something else was stored', () => {
    for (const stored of ['', '{', '{}', '{"secret":5,"at":1}', '"x"']) {
      localStorage.setItem('pendingInvitation', stored);
      expect(takeInvitation()).toBeUndefined();
    }
  });
  it('is read from any address', () => {
    expect(decodeSecret('#KDT%20W7X')).toBe('KDT W7X');
    expect(decodeSecret('#%')).toBe('%');
    expect(decodeSecret('')).toBe('');
  });
});
