import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { decodeSecret, keepInvitation, takeInvitation } from './pending-invitation';

describe('an invitation that somebody signs up for', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    localStorage.clear();
  });

  it('is taken once', () => {
    keepInvitation('KDTW-7XRM');
    expect(takeInvitation()).toBe('KDTW-7XRM');
    expect(takeInvitation()).toBeUndefined();
  });
  it('is forgotten after a day', () => {
    keepInvitation('KDTW-7XRM');
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 25 * 60 * 60 * 1_000);
    expect(takeInvitation()).toBeUndefined();
  });
  it('is none where something else was stored', () => {
    for (const stored of ['', '{', '{}', '{"secret":5,"at":1}', '"x"']) {
      localStorage.setItem('pendingInvitation', stored);
      expect(takeInvitation()).toBeUndefined();
    }
  });
  it('is read from the address, whatever stands there', () => {
    expect(decodeSecret('#KDTW%207XRM')).toBe('KDTW 7XRM');
    expect(decodeSecret('#%')).toBe('%');
    expect(decodeSecret('')).toBe('');
  });
});
