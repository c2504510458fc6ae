import {
  OTP_FULL_CODES_PER_DAY,
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
  /** What a process gives in a window before it asks the others; none unless said. */
  readonly free?: number;
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

/** For whoever asks from where the account is signed in: nobody elsewhere can use it up. Of one phone and one client. */
export const OTP_OWN_SENDS: readonly RateLimit[] = [
  {
    name: 'otp-own',
    most: OTP_SENDS_PER_WINDOW,
    seconds: OTP_SEND_WINDOW_MINUTES * MINUTE,
    portion: 1,
    code: 'TRY_AGAIN_LATER',
  },
  { name: 'otp-own-day', most: 5, seconds: DAY, portion: 1, code: 'TRY_AGAIN_LATER' },
];

/** Beyond the sends of a phone, for a proof of work: so that a stranger who uses those up locks nobody out. */
export const OTP_RESERVE = {
  ofClient: { name: 'otp-reserve-client', most: 3, seconds: DAY, portion: 1, code: 'TRY_AGAIN_LATER' },
  ofPhone: { name: 'otp-reserve', most: 6, seconds: DAY, portion: 1, code: 'TRY_AGAIN_LATER' },
} as const satisfies Readonly<Record<string, RateLimit>>;

/** Codes of a phone that bear all tries; those after them bear fewer. */
export const OTP_FULL_CODES: RateLimit = {
  name: 'otp-full',
  most: OTP_FULL_CODES_PER_DAY,
  seconds: DAY,
  portion: 1,
  code: 'TRY_AGAIN_LATER',
};

/** All SMS together; the settings say how many. */
export const smsBudget = (name: string, { smsPerHour, smsPerDay }: SmsBudget): readonly RateLimit[] => [
  { name: `${name}-hour`, most: smsPerHour, seconds: HOUR, portion: 1, code: 'TRY_AGAIN_LATER' },
  { name: `${name}-day`, most: smsPerDay, seconds: DAY, portion: 1, code: 'TRY_AGAIN_LATER' },
];

export interface SmsBudget {
  readonly smsPerHour: number;
  readonly smsPerDay: number;
}

/** What `createStudent` tells of a phone is told as often as a code is sent, and no more. */
export const PHONE_SIGN_UPS: readonly RateLimit[] = OTP_SENDS.map((limit) => ({
  ...limit,
  name: limit.name.replace('otp', 'sign-up'),
}));

/** Mails that anybody can have sent to an address. Part of the product's rules, as with codes. */
export const MAIL_SENDS: readonly RateLimit[] = [
  { name: 'mail', most: 3, seconds: 10 * MINUTE, portion: 1, code: 'TRY_AGAIN_LATER' },
  { name: 'mail-day', most: 10, seconds: DAY, portion: 1, code: 'TRY_AGAIN_LATER' },
];

/** In `cost` and `costPerAddress`, which count fields (100 bytes of an answer as one): 5 MB, or a hundred requests of a screen. */
const COST_PORTION = 50_000;

/** Against machines; a person does not meet them, nor a class behind one address. `RATE_LIMIT_FACTOR` multiplies them. */
export const LIMITS = {
  otpSendsPerAddress: { name: 'otp-address', most: 60, seconds: HOUR, portion: 1, code: 'TRY_AGAIN_LATER' },
  /** For proofs of work, where the former are used up: a school that signs up in one morning. */
  provenSendsPerAddress: {
    name: 'otp-address-proven',
    most: 120,
    seconds: HOUR,
    portion: 1,
    code: 'TRY_AGAIN_LATER',
  },
  /** Wrong codes. */
  otpMissesPerAddress: { name: 'otp-miss', most: 30, seconds: HOUR, portion: 1, code: 'TRY_AGAIN_LATER' },
  otpMissesPerAddressADay: {
    name: 'otp-miss-day',
    most: 100,
    seconds: DAY,
    portion: 1,
    code: 'TRY_AGAIN_LATER',
  },
  /** Wrong codes of forgotten passwords, of everybody who is not signed in to the account nearby. */
  recoveryMisses: { name: 'otp-miss-all', most: 60, seconds: HOUR, portion: 1, code: 'TRY_AGAIN_LATER' },
  recoveryMissesADay: {
    name: 'otp-miss-all-day',
    most: 300,
    seconds: DAY,
    portion: 1,
    code: 'TRY_AGAIN_LATER',
  },
  mailsPerAddress: { name: 'mail-address', most: 300, seconds: HOUR, portion: 1, code: 'TRY_AGAIN_LATER' },
  signUpsPerAddress: {
    name: 'sign-up-address',
    most: 300,
    seconds: HOUR,
    portion: 1,
    code: 'TRY_AGAIN_LATER',
  },
  /** Whoever asks which names exist. */
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
  /** What one student may fill the store with. */
  uploadsPerDay: { name: 'upload-day', most: 300, seconds: DAY, portion: 5, code: 'TOO_MANY_REQUESTS' },
  uploadsPerMonth: {
    name: 'upload-month',
    most: 2_000,
    seconds: 30 * DAY,
    portion: 5,
    code: 'TOO_MANY_REQUESTS',
  },
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
  /** Codes for another phone or address, of one account. */
  contactChanges: { name: 'contact-change', most: 10, seconds: DAY, portion: 1, code: 'TRY_AGAIN_LATER' },
  /** Links and codes of invitations that one account opens or types: eight letters are not found by trying. */
  invitationTries: { name: 'invitation-try', most: 30, seconds: HOUR, portion: 1, code: 'TRY_AGAIN_LATER' },
  /** A class that types its code behind one address. */
  invitationTriesPerAddress: {
    name: 'invitation-try-address',
    most: 600,
    seconds: HOUR,
    portion: 1,
    code: 'TRY_AGAIN_LATER',
  },
  /** Mails to guardians, of one account: each goes to somebody who never came here. */
  guardianAsks: { name: 'guardian-ask', most: 10, seconds: DAY, portion: 1, code: 'TRY_AGAIN_LATER' },
  /** Links of guardians that are opened or answered. */
  guardianTriesPerAddress: {
    name: 'guardian-try-address',
    most: 300,
    seconds: HOUR,
    portion: 1,
    code: 'TRY_AGAIN_LATER',
  },
  /** Copies of all of one's own data: each goes along the whole log. */
  ownExports: { name: 'own-export', most: 5, seconds: DAY, portion: 1, code: 'TOO_MANY_REQUESTS' },
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
  /** Requests of an account and their answers: 6,000 requests, or 300 MB. */
  cost: {
    name: 'cost',
    most: 60 * COST_PORTION,
    seconds: MINUTE,
    portion: COST_PORTION,
    code: 'ASKED_TOO_MUCH',
    free: COST_PORTION,
  },
  /** Everybody at one address who is not signed in: a school that logs in within a minute. */
  costPerAddress: {
    name: 'cost-address',
    most: 120 * COST_PORTION,
    seconds: MINUTE,
    portion: COST_PORTION,
    code: 'ASKED_TOO_MUCH',
    free: COST_PORTION,
  },
} as const satisfies Readonly<Record<string, RateLimit>>;

export type LimitName = keyof typeof LIMITS;
