import {
  OTP_FULL_CODES_PER_DAY,
  OTP_SEND_WINDOW_MINUTES,
  OTP_SENDS_PER_DAY,
  OTP_SENDS_PER_WINDOW,
  type DomainErrorCode,
} from '@nimo/domain';

export interface RateLimit {
  readonly name: string;
  readonly max: number;
  readonly seconds: number;
  /** Uses a process leases at a time; 1 to count every use exactly. */
  readonly leaseSize: number;
  readonly code: DomainErrorCode;
  /** Uses a process grants per window before it leases any; 0 by default. */
  readonly localAllowance?: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Product rules, not scaled by `RATE_LIMIT_FACTOR`. */
export const OTP_SENDS: readonly RateLimit[] = [
  {
    name: 'otp-phone',
    max: OTP_SENDS_PER_WINDOW,
    seconds: OTP_SEND_WINDOW_MINUTES * MINUTE,
    leaseSize: 1,
    code: 'TRY_AGAIN_LATER',
  },
  { name: 'otp-phone-day', max: OTP_SENDS_PER_DAY, seconds: DAY, leaseSize: 1, code: 'TRY_AGAIN_LATER' },
];

/** Per phone and client, for clients where the account is signed in: strangers elsewhere cannot use it up. */
export const OTP_OWN_SENDS: readonly RateLimit[] = [
  {
    name: 'otp-own',
    max: OTP_SENDS_PER_WINDOW,
    seconds: OTP_SEND_WINDOW_MINUTES * MINUTE,
    leaseSize: 1,
    code: 'TRY_AGAIN_LATER',
  },
  { name: 'otp-own-day', max: 5, seconds: DAY, leaseSize: 1, code: 'TRY_AGAIN_LATER' },
];

/** Extra sends for a proof of work, so that a stranger who uses up a phone's sends does not lock its owner out. */
export const OTP_RESERVE = {
  ofClient: { name: 'otp-reserve-client', max: 3, seconds: DAY, leaseSize: 1, code: 'TRY_AGAIN_LATER' },
  ofPhone: { name: 'otp-reserve', max: 6, seconds: DAY, leaseSize: 1, code: 'TRY_AGAIN_LATER' },
} as const satisfies Readonly<Record<string, RateLimit>>;

/** Codes of a phone that allow the full number of attempts; later ones allow fewer. */
export const OTP_FULL_CODES: RateLimit = {
  name: 'otp-full',
  max: OTP_FULL_CODES_PER_DAY,
  seconds: DAY,
  leaseSize: 1,
  code: 'TRY_AGAIN_LATER',
};

/** Limits on all SMS, from the settings. */
export const smsBudget = (name: string, { smsPerHour, smsPerDay }: SmsBudget): readonly RateLimit[] => [
  { name: `${name}-hour`, max: smsPerHour, seconds: HOUR, leaseSize: 1, code: 'TRY_AGAIN_LATER' },
  { name: `${name}-day`, max: smsPerDay, seconds: DAY, leaseSize: 1, code: 'TRY_AGAIN_LATER' },
];

export interface SmsBudget {
  readonly smsPerHour: number;
  readonly smsPerDay: number;
}

/** `createStudent` reveals whether a phone is registered, so it has the limits of OTP sends. */
export const PHONE_SIGN_UPS: readonly RateLimit[] = OTP_SENDS.map((limit) => ({
  ...limit,
  name: limit.name.replace('otp', 'sign-up'),
}));

/** Mails anyone can trigger to an address. Product rules, like OTP sends. */
export const MAIL_SENDS: readonly RateLimit[] = [
  { name: 'mail', max: 3, seconds: 10 * MINUTE, leaseSize: 1, code: 'TRY_AGAIN_LATER' },
  { name: 'mail-day', max: 10, seconds: DAY, leaseSize: 1, code: 'TRY_AGAIN_LATER' },
];

/** Lease size of `cost` and `costPerAddress`, in fields (100 response bytes count as one): 5 MB, or a hundred requests. */
const COST_PORTION = 50_000;

/** Limits against bots: neither a person nor a class behind one address reaches them. Multiplied by `RATE_LIMIT_FACTOR`. */
export const LIMITS = {
  otpSendsPerAddress: { name: 'otp-address', max: 60, seconds: HOUR, leaseSize: 1, code: 'TRY_AGAIN_LATER' },
  /** With proof of work, once `otpSendsPerAddress` is used up: a school signing up in one morning. */
  provenSendsPerAddress: {
    name: 'otp-address-proven',
    max: 120,
    seconds: HOUR,
    leaseSize: 1,
    code: 'TRY_AGAIN_LATER',
  },
  /** Wrong OTP codes. */
  otpMissesPerAddress: { name: 'otp-miss', max: 30, seconds: HOUR, leaseSize: 1, code: 'TRY_AGAIN_LATER' },
  otpMissesPerAddressADay: {
    name: 'otp-miss-day',
    max: 100,
    seconds: DAY,
    leaseSize: 1,
    code: 'TRY_AGAIN_LATER',
  },
  /** Wrong password reset codes, over all clients where the account is not signed in. */
  recoveryMisses: { name: 'otp-miss-all', max: 60, seconds: HOUR, leaseSize: 1, code: 'TRY_AGAIN_LATER' },
  recoveryMissesADay: {
    name: 'otp-miss-all-day',
    max: 300,
    seconds: DAY,
    leaseSize: 1,
    code: 'TRY_AGAIN_LATER',
  },
  mailsPerAddress: { name: 'mail-address', max: 300, seconds: HOUR, leaseSize: 1, code: 'TRY_AGAIN_LATER' },
  signUpsPerAddress: {
    name: 'sign-up-address',
    max: 300,
    seconds: HOUR,
    leaseSize: 1,
    code: 'TRY_AGAIN_LATER',
  },
  /** Look-ups of whether a username exists. */
  lookUpsPerAddress: {
    name: 'look-up',
    max: 600,
    seconds: 10 * MINUTE,
    leaseSize: 1,
    code: 'TRY_AGAIN_LATER',
  },
  loginsPerAddress: {
    name: 'login-address',
    max: 300,
    seconds: 10 * MINUTE,
    leaseSize: 1,
    code: 'TOO_MANY_REQUESTS',
  },
  uploads: { name: 'upload', max: 100, seconds: HOUR, leaseSize: 5, code: 'TOO_MANY_REQUESTS' },
  /** Bounds the storage of one student. */
  uploadsPerDay: { name: 'upload-day', max: 300, seconds: DAY, leaseSize: 5, code: 'TOO_MANY_REQUESTS' },
  uploadsPerMonth: {
    name: 'upload-month',
    max: 2_000,
    seconds: 30 * DAY,
    leaseSize: 5,
    code: 'TOO_MANY_REQUESTS',
  },
  posts: { name: 'post', max: 120, seconds: HOUR, leaseSize: 10, code: 'TOO_MANY_REQUESTS' },
  votes: { name: 'vote', max: 600, seconds: HOUR, leaseSize: 20, code: 'TOO_MANY_REQUESTS' },
  reports: { name: 'report', max: 60, seconds: HOUR, leaseSize: 5, code: 'TOO_MANY_REQUESTS' },
  /** Saving questions, joining spaces, and the reverse. */
  toggles: { name: 'toggle', max: 300, seconds: HOUR, leaseSize: 10, code: 'TOO_MANY_REQUESTS' },
  /** Toggles of one student on one post, newspost or space, each a permanent event. */
  togglesOfOne: { name: 'toggle-one', max: 40, seconds: HOUR, leaseSize: 10, code: 'TOO_MANY_REQUESTS' },
  /** Edits of one student on one post, each a permanent event with the full text. */
  editsOfOne: { name: 'edit-one', max: 40, seconds: HOUR, leaseSize: 10, code: 'TOO_MANY_REQUESTS' },
  /** Changes to one's own data: deletions, settings, sessions. */
  changes: { name: 'change', max: 600, seconds: HOUR, leaseSize: 20, code: 'TOO_MANY_REQUESTS' },
  /** Codes to change the phone or email address of one account. */
  contactChanges: { name: 'contact-change', max: 10, seconds: DAY, leaseSize: 1, code: 'TRY_AGAIN_LATER' },
  /** Invitation links and codes tried by one account. */
  invitationTries: {
    name: 'invitation-try',
    max: 30,
    seconds: HOUR,
    leaseSize: 1,
    code: 'TOO_MANY_CODES_TRIED',
  },
  /** A school entering its class codes behind one address. */
  invitationTriesPerAddress: {
    name: 'invitation-try-address',
    max: 2_000,
    seconds: HOUR,
    leaseSize: 1,
    code: 'TOO_MANY_CODES_TRIED',
  },
  /** Wrong codes without an account. Those who reach this limit log in first, where `invitationTries` applies. */
  invitationMissesPerAddress: {
    name: 'invitation-miss-address',
    max: 60,
    seconds: HOUR,
    leaseSize: 1,
    code: 'CODE_REQUIRES_ACCOUNT',
  },
  /** Wrong codes without an account, over all clients: six characters cannot be guessed at this rate. */
  invitationMisses: {
    name: 'invitation-miss-all',
    max: 2_000,
    seconds: HOUR,
    leaseSize: 1,
    code: 'CODE_REQUIRES_ACCOUNT',
  },
  /** Mails of one account to guardians, who never signed up. */
  guardianAsks: { name: 'guardian-ask', max: 10, seconds: DAY, leaseSize: 1, code: 'TRY_AGAIN_LATER' },
  /** Guardian links opened or answered. */
  guardianTriesPerAddress: {
    name: 'guardian-try-address',
    max: 300,
    seconds: HOUR,
    leaseSize: 1,
    code: 'TRY_AGAIN_LATER',
  },
  /** Exports of one's own data, each of which scans the whole log. */
  ownExports: { name: 'own-export', max: 5, seconds: DAY, leaseSize: 1, code: 'TOO_MANY_REQUESTS' },
  /** Actions of moderators and maintainers. */
  staff: { name: 'staff', max: 1_200, seconds: HOUR, leaseSize: 20, code: 'TOO_MANY_REQUESTS' },
  /** Mutations of anonymous callers, in addition to their own limits. */
  mutationsPerAddress: {
    name: 'mutation-address',
    max: 3_000,
    seconds: HOUR,
    leaseSize: 20,
    code: 'TOO_MANY_REQUESTS',
  },
  /** Requests and responses of an account: 6,000 requests, or 300 MB. */
  cost: {
    name: 'cost',
    max: 60 * COST_PORTION,
    seconds: MINUTE,
    leaseSize: COST_PORTION,
    code: 'ASKED_TOO_MUCH',
    localAllowance: COST_PORTION,
  },
  /** Anonymous callers at one address: a school logging in within a minute. */
  costPerAddress: {
    name: 'cost-address',
    max: 120 * COST_PORTION,
    seconds: MINUTE,
    leaseSize: COST_PORTION,
    code: 'ASKED_TOO_MUCH',
    localAllowance: COST_PORTION,
  },
} as const satisfies Readonly<Record<string, RateLimit>>;

export type LimitName = keyof typeof LIMITS;
