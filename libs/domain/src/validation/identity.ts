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
 * A dot-atom of the letters and signs that mailboxes have today. No quotes, comments, routes (`%`, `!`, `:`) or tags of relays (`=`): servers that
 * understand those deliver to another address than the one that is compared here.
 */
const EMAIL_NAME = /^[A-Za-z0-9_'&~+-]+(?:\.[A-Za-z0-9_'&~+-]+)*$/;
const MAX_EMAIL_NAME_LENGTH = 64;
/** Labels of a host name, the last of which is no number: an address of the network is none of a mailbox. */
const EMAIL_HOST =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=.*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;
const HOST_CHARACTERS = /^[\p{L}\p{M}\p{N}.-]+$/u;

/** ASCII alone: names that look the same and are not would let one student pass for another. */
export const requireUserName = (userName: string): string => {
  if (isBlankText(userName)) throw new DomainError('USERNAME_REQUIRED');
  if (!USERNAME.test(userName) || DIGITS.test(userName)) throw new DomainError('USERNAME_INVALID');
  if (userName.length > MAX_USERNAME_LENGTH)
    throw new DomainError('USERNAME_TOO_LONG', { max: MAX_USERNAME_LENGTH });
  return userName;
};

/** What the product and those who look after it are called. Nobody may pass for them; an operator may give such a name. */
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

/** Whether the name reads as that of the product or its staff: `Moderator`, `nimo_team`, `_admin_1`. Signs and numbers around count for nothing. */
export const isOfficialUserName = (userName: string): boolean => {
  const words = userNameKey(userName)
    .split(/[_0-9]+/)
    .filter((word) => word !== '');
  return words.length > 0 && words.every((word) => OFFICIAL.has(word));
};

/** What uniqueness compares: case does not matter. */
export const userNameKey = (userName: string): string => userName.toLowerCase();

/** A log-in of digits only means a phone. */
export const isPhoneLogin = (login: string): boolean => DIGITS.test(login);

/** Ten digits get the country's prefix; anything else of digits is used as it is. */
export const normalisePhone = (phone: string): string =>
  phone.length === PHONE_DIGITS ? `${PHONE_PREFIX}${phone}` : phone;

/** A phone as it is stored: prefix and digits. */
export const requirePhone = (phone: string): string => {
  const trimmed = phone.trim();
  if (trimmed === '') throw new DomainError('PHONE_REQUIRED');
  if (!STORED_PHONE.test(trimmed)) throw new DomainError('PHONE_INVALID');
  return normalisePhone(trimmed);
};

/** Sign-up takes numbers of its own country alone: ten digits, or those with the prefix. */
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

/** A forgotten password has one message for a code that cannot be right and for one that is not. */
export const requireRecoveryOtpShape = (code: string): string => {
  if (!isOtpShape(code)) throw new DomainError('OTP_INVALID');
  return code;
};

/** @returns the one form that an address is stored, written to and compared in, but for its case */
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

/** @returns the host of addresses, in the form in which `requireEmail` leaves it. Its subdomains are others. */
export const requireEmailDomain = (domain: string): string => {
  const host = asciiHost(domain.normalize('NFKC').trim().replace(/^@/, '').toLowerCase());
  if (host.length > MAX_EMAIL_LENGTH || !EMAIL_HOST.test(host))
    throw new DomainError('INVITATION_DOMAIN_INVALID');
  return host;
};

/** What stands behind the @ of an address that was accepted. */
export const emailDomain = (email: string): string => emailKey(email).replace(/^.*@/, '');

export const emailKey = (email: string): string => emailParts(email).join('@').toLowerCase();

/** What mail limits count: what stands behind a plus goes to the same mailbox. */
export const mailboxKey = (email: string): string => emailKey(email).replace(/\+[^@]*(?=@)/, '');

/** Compatible characters are one (NFKC), and a host is in the form that the network knows (punycode, small letters). */
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

/** In place of a forgotten one, which has its own words for an empty field. */
export const requireNewPassword = (password: string): string => {
  if (password === '') throw new DomainError('NEW_PASSWORD_REQUIRED');
  return requirePassword(password);
};
