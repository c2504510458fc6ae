import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../errors.js';
import type { DomainErrorCode } from '../messages.js';
import {
  emailKey,
  isPhoneLogin,
  requireOtpShape,
  requirePassword,
  requirePhone,
  requireUserName,
  userNameKey,
} from './identity.js';

const codeOf = (check: () => unknown): DomainErrorCode | undefined => {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
};

describe('user names', () => {
  it.each(['marie', 'Marie_1', '_', '_1', '1a', 'a'.repeat(50)])('takes %j', (name) =>
    expect(requireUserName(name)).toBe(name),
  );
  it.each(['1', '0000', 'a b', 'a\n', 'a-b', 'ä', '名', 'a‍b'])(
    'refuses %j with the message of the catalogue',
    (name) =>
      expect(() => requireUserName(name)).toThrow(
        'Username should contain not contain any spaces or special characters except underscore!',
      ),
  );
  it('are the same whatever their case', () => expect(userNameKey('Marie_1')).toBe(userNameKey('mARIE_1')));
});

describe('phones', () => {
  it('get the prefix at ten digits and are used as they are otherwise', () => {
    expect(requirePhone('9876543210')).toBe('919876543210');
    expect(requirePhone('919876543210')).toBe('919876543210');
    expect(requirePhone('447911123456')).toBe('447911123456');
  });
  it.each([
    ['', 'PHONE_REQUIRED'],
    [' ', 'PHONE_REQUIRED'],
    ['123456789', 'PHONE_INVALID'],
    ['+919876543210', 'PHONE_INVALID'],
    ['1'.repeat(16), 'PHONE_INVALID'],
    ['98765 43210', 'PHONE_INVALID'],
  ] as const)('%j is %s', (phone, code) => expect(codeOf(() => requirePhone(phone))).toBe(code));
  it('are what a log-in of digits alone means', () => {
    expect(isPhoneLogin('9876543210')).toBe(true);
    expect(isPhoneLogin('marie1')).toBe(false);
    expect(isPhoneLogin('')).toBe(false);
  });
});

describe('one-time codes', () => {
  it.each([
    ['1234', undefined],
    ['0000', undefined],
    ['', 'OTP_REQUIRED'],
    ['123', 'OTP_MALFORMED'],
    ['12345', 'OTP_MALFORMED'],
    ['12a4', 'OTP_MALFORMED'],
    ['१२३४', 'OTP_MALFORMED'],
  ] as const)('%j is %s', (code, expected) => expect(codeOf(() => requireOtpShape(code))).toBe(expected));
});

describe('passwords', () => {
  it.each([
    ['', 'PASSWORD_REQUIRED'],
    ['1234567', 'PASSWORD_TOO_SHORT'],
    ['12345678', undefined],
    ['        ', undefined],
    ['😀😀😀😀😀😀😀', 'PASSWORD_TOO_SHORT'],
    ['a'.repeat(257), 'PASSWORD_TOO_LONG'],
  ] as const)('%j is %s', (password, expected) =>
    expect(codeOf(() => requirePassword(password))).toBe(expected),
  );
});

describe('e-mail addresses', () => {
  it('are the same whatever their case', () =>
    expect(emailKey(' Marie@Example.ORG ')).toBe('marie@example.org'));
});
