import {
  OTP_SEND_WINDOW_MINUTES,
  OTP_SENDS_PER_DAY,
  OTP_SENDS_PER_WINDOW,
  type DomainErrorCode,
} from '@nimo/domain';

export interface RateLimit {
  readonly name: string;
  readonly most: number;
  readonly seconds: number;
  /** What a process takes at once; 1 where every single use counts. */
  readonly portion: number;
  readonly code: DomainErrorCode;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Part of the product's rules: never scaled. */
export const OTP_SENDS: readonly RateLimit[] = [
  {
    name: 'otp-phone',
    most: OTP_SENDS_PER_WINDOW,
    seconds: OTP_SEND_WINDOW_MINUTES * MINUTE,
    portion: 1,
    code: 'TRY_AGAIN_LATER',
  },
  { name: 'otp-phone-day', most: OTP_SENDS_PER_DAY, seconds: DAY, portion: 1, code: 'TRY_AGAIN_LATER' },
];

/** Mails that anybody can have sent to an address. Part of the product's rules, as with codes. */
export const MAIL_SENDS: readonly RateLimit[] = [
  { name: 'mail', most: 3, seconds: 10 * MINUTE, portion: 1, code: 'TRY_AGAIN_LATER' },
  { name: 'mail-day', most: 10, seconds: DAY, portion: 1, code: 'TRY_AGAIN_LATER' },
];

/** Against machines; a person does not meet them, nor a class behind one address. `RATE_LIMIT_FACTOR` multiplies them. */
export const LIMITS = {
  otpSendsPerAddress: { name: 'otp-address', most: 300, seconds: HOUR, portion: 1, code: 'TRY_AGAIN_LATER' },
  mailsPerAddress: { name: 'mail-address', most: 300, seconds: HOUR, portion: 1, code: 'TRY_AGAIN_LATER' },
  /** Whoever asks which phones or names exist. */
  lookUpsPerAddress: {
    name: 'look-up',
    most: 600,
    seconds: 10 * MINUTE,
    portion: 1,
    code: 'TRY_AGAIN_LATER',
  },
  loginsPerAddress: {
    name: 'login-address',
    most: 300,
    seconds: 10 * MINUTE,
    portion: 1,
    code: 'TOO_MANY_REQUESTS',
  },
  uploads: { name: 'upload', most: 100, seconds: HOUR, portion: 5, code: 'TOO_MANY_REQUESTS' },
  posts: { name: 'post', most: 120, seconds: HOUR, portion: 10, code: 'TOO_MANY_REQUESTS' },
  votes: { name: 'vote', most: 600, seconds: HOUR, portion: 20, code: 'TOO_MANY_REQUESTS' },
  reports: { name: 'report', most: 60, seconds: HOUR, portion: 5, code: 'TOO_MANY_REQUESTS' },
  /** Saving a question, joining a space, and back again. */
  toggles: { name: 'toggle', most: 300, seconds: HOUR, portion: 10, code: 'TOO_MANY_REQUESTS' },
  /** Each toggle is an event for good: of one student on one post, newspost or space. */
  togglesOfOne: { name: 'toggle-one', most: 40, seconds: HOUR, portion: 10, code: 'TOO_MANY_REQUESTS' },
  /** So is each edit, with all of its text: of one student on one post. */
  editsOfOne: { name: 'edit-one', most: 40, seconds: HOUR, portion: 10, code: 'TOO_MANY_REQUESTS' },
  /** What students change of their own: deletions, settings, sessions. */
  changes: { name: 'change', most: 600, seconds: HOUR, portion: 20, code: 'TOO_MANY_REQUESTS' },
  /** What moderators and maintainers decide. */
  staff: { name: 'staff', most: 1_200, seconds: HOUR, portion: 20, code: 'TOO_MANY_REQUESTS' },
  /** Mutations for those who are not signed in, beside what each of them counts by itself. */
  mutationsPerAddress: {
    name: 'mutation-address',
    most: 3_000,
    seconds: HOUR,
    portion: 20,
    code: 'TOO_MANY_REQUESTS',
  },
} as const satisfies Readonly<Record<string, RateLimit>>;

export type LimitName = keyof typeof LIMITS;
