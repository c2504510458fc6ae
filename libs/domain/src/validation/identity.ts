import { DomainError } from '../errors.js';
import {
  MAX_EMAIL_LENGTH,
  OTP_DIGITS,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  PHONE_DIGITS,
  PHONE_PREFIX,
  MAX_USERNAME_LENGTH,
} from '../limits.js';
import { isBlankText, lengthOf } from './visible-text.js';

const USERNAME = /^[A-Za-z0-9_]+$/;
const DIGITS = /^[0-9]+$/;
const STORED_PHONE = /^[0-9]{10,15}$/;
/**
 * A dot-atom of characters in common use. Excludes quotes, comments, routes (`%`, `!`, `:`) and relay tags (`=`), which some servers
 * deliver to a different address.
 */
const EMAIL_NAME = /^[A-Za-z0-9_'&~+-]+(?:\.[A-Za-z0-9_'&~+-]+)*$/;
const MAX_EMAIL_NAME_LENGTH = 64;
/** A host name. The last label is not numeric, to exclude IP addresses. */
const EMAIL_HOST =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=.*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;
const HOST_CHARACTERS = /^[\p{L}\p{M}\p{N}.-]+$/u;

/** ASCII only, because lookalike characters would allow impersonation. @throws DomainError */
export const requireUserName = (userName: string): string => {
  if (isBlankText(userName)) throw new DomainError('USERNAME_REQUIRED');
  if (!USERNAME.test(userName) || DIGITS.test(userName)) throw new DomainError('USERNAME_INVALID');
  if (userName.length > MAX_USERNAME_LENGTH)
    throw new DomainError('USERNAME_TOO_LONG', { max: MAX_USERNAME_LENGTH });
  return userName;
};

/** Names that suggest the product or its staff. Only an operator can assign them. */
const OFFICIAL = new Set([
  'admin',
  'administrator',
  'help',
  'helpdesk',
  'maintainer',
  'mod',
  'moderator',
  'nimo',
  'official',
  'operator',
  'root',
  'security',
  'staff',
  'support',
  'system',
  'team',
]);

/** Whether the name suggests the product or its staff, ignoring digits and underscores: `Moderator`, `nimo_team`, `_admin_1`. */
export const isOfficialUserName = (userName: string): boolean => {
  const words = userNameKey(userName)
    .split(/[_0-9]+/)
    .filter((word) => word !== '');
  return words.length > 0 && words.every((word) => OFFICIAL.has(word));
};

/** Key for uniqueness: user names are case-insensitive. */
export const userNameKey = (userName: string): string => userName.toLowerCase();

/** Whether a login consists of digits only, and so is a phone number. */
export const isPhoneLogin = (login: string): boolean => DIGITS.test(login);

/** Adds the country prefix to ten digits. Other numbers stay as they are. */
export const normalisePhone = (phone: string): string =>
  phone.length === PHONE_DIGITS ? `${PHONE_PREFIX}${phone}` : phone;

/** Phone number as stored: prefix and digits. @throws DomainError PHONE_REQUIRED, PHONE_INVALID */
export const requirePhone = (phone: string): string => {
  const trimmed = phone.trim();
  if (trimmed === '') throw new DomainError('PHONE_REQUIRED');
  if (!STORED_PHONE.test(trimmed)) throw new DomainError('PHONE_INVALID');
  return normalisePhone(trimmed);
};

/** Sign-up only accepts domestic numbers: ten digits, with or without the prefix. @throws DomainError */
export const requireSignUpPhone = (phone: string): string => {
  const stored = requirePhone(phone);
  if (stored.length !== PHONE_PREFIX.length + PHONE_DIGITS || !stored.startsWith(PHONE_PREFIX))
    throw new DomainError('PHONE_INVALID');
  return stored;
};

const isOtpShape = (code: string): boolean => code.length === OTP_DIGITS && DIGITS.test(code);

export const requireOtpShape = (code: string): string => {
  if (code === '') throw new DomainError('OTP_REQUIRED');
  if (!isOtpShape(code)) throw new DomainError('OTP_MALFORMED');
  return code;
};

/** Password recovery reports a malformed code like a wrong one. @throws DomainError OTP_INVALID */
export const requireRecoveryOtpShape = (code: string): string => {
  if (!isOtpShape(code)) throw new DomainError('OTP_INVALID');
  return code;
};

/** @returns the normalised address: the host in lower case and punycode @throws DomainError EMAIL_INVALID */
export const requireEmail = (email: string): string => {
  const [name = '', host = '', ...more] = emailParts(email);
  const normal = `${name}@${host}`;
  if (
    more.length > 0 ||
    normal.length > MAX_EMAIL_LENGTH ||
    name.length > MAX_EMAIL_NAME_LENGTH ||
    !EMAIL_NAME.test(name) ||
    !EMAIL_HOST.test(host)
  )
    throw new DomainError('EMAIL_INVALID');
  return normal;
};

/** @returns the host as normalised by `requireEmail`; does not cover subdomains @throws DomainError */
export const requireEmailDomain = (domain: string): string => {
  const host = asciiHost(domain.normalize('NFKC').trim().replace(/^@/, '').toLowerCase());
  if (host.length > MAX_EMAIL_LENGTH || !EMAIL_HOST.test(host))
    throw new DomainError('INVITATION_DOMAIN_INVALID');
  return host;
};

/** Host of a valid address. */
export const emailDomain = (email: string): string => emailKey(email).replace(/^.*@/, '');

export const emailKey = (email: string): string => emailParts(email).join('@').toLowerCase();

/** Key for mail limits: the address without `+tag`, which goes to the same mailbox. */
export const mailboxKey = (email: string): string => emailKey(email).replace(/\+[^@]*(?=@)/, '');

/** Normalises characters (NFKC) and hosts (punycode, lower case). */
function emailParts(email: string): readonly string[] {
  const [name = '', ...hosts] = email.normalize('NFKC').trim().split('@');
  return [name, ...hosts.map(asciiHost)];
}

function asciiHost(host: string): string {
  const address = `http://${host}`;
  return HOST_CHARACTERS.test(host) && URL.canParse(address) ? new URL(address).hostname : host;
}

export const requirePassword = (password: string): string => {
  if (password === '') throw new DomainError('PASSWORD_REQUIRED');
  if (lengthOf(password) < MIN_PASSWORD_LENGTH) throw new DomainError('PASSWORD_TOO_SHORT');
  if (lengthOf(password) > MAX_PASSWORD_LENGTH) throw new DomainError('PASSWORD_TOO_LONG');
  return password;
};

/** For password recovery, which has its own message for an empty field. */
export const requireNewPassword = (password: string): string => {
  if (password === '') throw new DomainError('NEW_PASSWORD_REQUIRED');
  return requirePassword(password);
};
