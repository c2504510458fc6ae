import { describe, expect, it } from '@jest/globals';
import { passwordStrength } from './new-password-field';
import { isValidUserName } from './account-fields';

describe('passwordStrength', () => {
  it.each([
    ['', 0],
    ['Ab1!', 1],
    ['abcdefgh', 1],
    ['abcdefg1', 2],
    ['Abcdefg1', 3],
    ['Abcdef1?', 4],
    ['Abcdef1 ', 3],
  ])('rates %p as %p', (password, strength) => {
    expect(passwordStrength(password)).toBe(strength);
  });
});

describe('isValidUserName', () => {
  it.each(['isha_patel', 'Isha2026', '_', '1st'])('accepts %p', (userName) => {
    expect(isValidUserName(userName)).toBe(true);
  });
  it.each(['', 'isha patel', 'isha-p', 'ишa', 'isha\n', '2026', 'a.b'])('rejects %p', (userName) => {
    expect(isValidUserName(userName)).toBe(false);
  });
});
