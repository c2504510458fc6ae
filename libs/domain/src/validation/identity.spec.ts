import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../errors.js';
import type { DomainErrorCode } from '../messages.js';
import {
  emailKey,
  isOfficialUserName,
  isPhoneLogin,
  mailboxKey,
  requireEmail,
  requireOtpShape,
  requirePassword,
  requirePhone,
  requireSignUpPhone,
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
  it.each(['marie', 'Marie_1', '_', '_1', '1a', 'a'.repeat(50)])('accepts %j', (name) =>
    expect(requireUserName(name)).toBe(name),
  );
  it.each(['1', '0000', 'a b', 'a\n', 'a-b', 'ä', '名', 'a‍b', 'ａdmin', 'аdmin', '\u212aarl', 'admın'])(
    'rejects %j with the message of the catalogue',
    (name) =>
      expect(() => requireUserName(name)).toThrow(
        'Username should contain not contain any spaces or special characters except underscore!',
      ),
  );
  it.each(['Moderator', 'nimo', 'NIMO_Team', '_admin_1', 'staff007', 'nimo_support'])(
    'treats %s as official',
    (name) => expect(isOfficialUserName(name)).toBe(true),
  );

  it.each(['modesty', 'ada_admin', 'sam_admin', 'teammate', '___', 'nimoteam'])(
    'does not treat %s as official',
    (name) => expect(isOfficialUserName(name)).toBe(false),
  );

  it('are case-insensitive', () => expect(userNameKey('Marie_1')).toBe(userNameKey('mARIE_1')));
});

describe('phones', () => {
  it('get the prefix if they have ten digits', () => {
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
    ['९८७६५४३२१०', 'PHONE_INVALID'],
    ['９８７６５４３２１０', 'PHONE_INVALID'],
    ['98765-43210', 'PHONE_INVALID'],
    ['9876543210x12', 'PHONE_INVALID'],
  ] as const)('%j is %s', (phone, code) => expect(codeOf(() => requirePhone(phone))).toBe(code));
  it('for sign-up must be from this country and have one canonical form', () => {
    expect(requireSignUpPhone('9876543210')).toBe('919876543210');
    expect(requireSignUpPhone('919876543210')).toBe('919876543210');
    for (const other of ['09876543210', '00919876543210', '0919876543210', '447911123456', '9109876543210'])
      expect(codeOf(() => requireSignUpPhone(other))).toBe('PHONE_INVALID');
  });
  it('are recognised in a login of digits only', () => {
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

describe('email addresses', () => {
  it.each([
    ['ada@example.org', 'ada@example.org'],
    [' Ada.Lovelace+school@Example.ORG ', 'Ada.Lovelace+school@example.org'],
    ["o'neil_1@mail.school.example", "o'neil_1@mail.school.example"],
    ['ada@schüler.example', 'ada@xn--schler-5ya.example'],
    ['ada@SCHÜLER.example', 'ada@xn--schler-5ya.example'],
    ['ada@xn--schler-5ya.example', 'ada@xn--schler-5ya.example'],
    ['ada＠ｅxample.org', 'ada@example.org'],
    ['ａｄａ@example.org', 'ada@example.org'],
  ])('normalise %j', (given, normal) => {
    expect(requireEmail(given)).toBe(normal);
    expect(requireEmail(requireEmail(given))).toBe(normal);
    expect(emailKey(given)).toBe(normal.toLowerCase());
  });

  it.each([
    '(x)victim@school.example',
    'victim(x)@school.example',
    'victim@(x)school.example',
    'victim@school.example(x)',
    '"victim"@school.example',
    'vic\\tim@school.example',
    '<victim@school.example>',
    'victim@school.example,eve@evil.example',
    'victim@school.example;eve',
    'eve:victim@school.example;',
    'victim%school.example@relay.example',
    'relay.example!victim@school.example',
    '@relay.example:victim@school.example',
    'prvs=1234abcd=victim@school.example',
    'victim@school.example@evil.example',
    '.victim@school.example',
    'victim.@school.example',
    'vic..tim@school.example',
    'victim @school.example',
    'vic\u00adtim@school.example',
    'vic\u200btim@school.example',
    '\u202evictim@school.example',
    'victím@school.example',
    'vіctim@school.example',
    'victim@school.example.',
    'victim@school..example',
    'victim@-school.example',
    'victim@school_1.example',
    'victim@school',
    'victim@127.0.0.1',
    'victim@[127.0.0.1]',
    'victim@0x7f.1',
    'victim@school.example:25',
    'victim@school.example/x',
    'victim@eve:x@school.example',
    'victim%40school.example',
    `${'v'.repeat(65)}@school.example`,
    `victim@${'s'.repeat(64)}.example`,
    `victim@${'school.'.repeat(40)}example`,
    '',
    '@',
  ])('reject %j', (address) => expect(codeOf(() => requireEmail(address))).toBe('EMAIL_INVALID'));

  it('share a key for mail limits if they reach the same mailbox', () => {
    expect(mailboxKey('Ada+1@example.org')).toBe(mailboxKey('ada+school+2@Example.org'));
    expect(emailKey('ada+1@example.org')).not.toBe(emailKey('ada@example.org'));
  });

  it('are case-insensitive', () => expect(emailKey(' Marie@Example.ORG ')).toBe('marie@example.org'));
});
