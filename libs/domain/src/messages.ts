import { SLICE_ERRORS } from './events.js';
import { MAX_BODY_BYTES, MAX_IMAGES, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './limits.js';
import type { CatalogueEntry } from './vocabulary.js';

/** All error messages of the API. Texts from the specification are quoted letter for letter. */
export const ERROR_CATALOGUE = {
  SIGN_IN_REQUIRED: { category: 'UNAUTHENTICATED', message: 'Please log in.' },
  LOGIN_FAILED: { category: 'UNAUTHENTICATED', message: 'Incorrect username or password.' },
  FORBIDDEN: { category: 'FORBIDDEN', message: 'You don’t have permission to do this.' },
  STUDENT_BLOCKED: { category: 'FORBIDDEN', message: 'This account is blocked.' },
  SUSPENDED_IN_SPACE: {
    category: 'FORBIDDEN',
    message: 'You are suspended in this space. You can read, but not take part.',
  },
  OWN_ACCOUNT_BLOCK: { category: 'FORBIDDEN', message: 'You can’t block or unblock your own account.' },
  NOT_ABOVE_IN_RANK: {
    category: 'FORBIDDEN',
    message: 'Only someone with a higher role can block or unblock this person.',
  },
  BLOCKED_BY_HIGHER_RANK: {
    category: 'FORBIDDEN',
    message: 'Someone with a higher role blocked this person. Only someone with that role can unblock them.',
  },
  NOT_REGISTERED: { category: 'FORBIDDEN', message: 'Please complete your registration first.' },
  NOT_A_MEMBER: { category: 'FORBIDDEN', message: 'Join the space to take part.' },
  GRANT_INVALID: { category: 'FORBIDDEN', message: 'Please verify your mobile number again.' },
  MAIL_LINK_INVALID: {
    category: 'FORBIDDEN',
    message: 'This link is no longer valid. Please request a new one.',
  },
  EMAIL_UNCONFIRMED: {
    category: 'UNAUTHENTICATED',
    message: 'Confirm your email first. Follow the link we sent you.',
  },
  SIGN_IN_EXPIRED: { category: 'FORBIDDEN', message: 'This took too long. Please log in again.' },
  SECOND_FACTOR_REQUIRED: {
    category: 'FORBIDDEN',
    message: 'Confirm with your second factor first. If you don’t have one, set one up.',
  },
  SECOND_FACTOR_CODE_WRONG: {
    category: 'VALIDATION',
    field: 'code',
    message: 'This code is incorrect or was already used. Enter a new one.',
  },
  PASSKEY_REFUSED: {
    category: 'VALIDATION',
    field: 'passkey',
    message: 'This passkey was not accepted. Please try again.',
  },
  PASSKEY_NAME_INVALID: {
    category: 'VALIDATION',
    field: 'name',
    message: 'The name of a passkey or app must have 1 to {max} characters.',
  },
  TOO_MANY_PASSKEYS: { category: 'CONFLICT', message: 'You can have at most {max} passkeys.' },
  SECOND_FACTOR_EXPIRED: { category: 'FORBIDDEN', message: 'This took too long. Please start again.' },
  SECOND_FACTOR_NOT_SET_UP: { category: 'CONFLICT', message: 'No second factor is set up.' },
  LAST_SECOND_FACTOR: {
    category: 'CONFLICT',
    message: 'Your role requires a second factor. Add another one before you remove this one.',
  },
  OWN_SECOND_FACTOR: {
    category: 'FORBIDDEN',
    message: 'You can’t reset your own second factor. Ask another maintainer or use the command line.',
  },
  RESET_BY_PHONE_ALONE: {
    category: 'FORBIDDEN',
    message: 'Accounts with a role can’t reset their password by mobile number only. Ask a maintainer.',
  },
  PASSWORD_WRONG: { category: 'VALIDATION', field: 'password', message: 'Incorrect password.' },
  PROVIDER_UNKNOWN: { category: 'NOT_FOUND', message: 'This login method is not available.' },
  PROVIDER_EMAIL_REQUIRED: {
    category: 'FORBIDDEN',
    message: 'That account has no confirmed email. Sign up with your mobile number or email.',
  },
  TOO_MANY_REQUESTS: { category: 'TOO_MANY_REQUESTS', message: 'Too many requests. Please try again later.' },
  ASKED_TOO_MUCH: {
    category: 'TOO_MANY_REQUESTS',
    message: 'Too many requests in one minute. Please try again in {seconds} seconds.',
  },
  TRY_AGAIN_LATER: {
    category: 'TOO_MANY_REQUESTS',
    message: 'Something went wrong! Please try again after 10 minutes.',
  },
  /** For clients that can solve a proof of work; others get the text of TRY_AGAIN_LATER. */
  CHALLENGE_REQUIRED: {
    category: 'TOO_MANY_REQUESTS',
    message: 'Something went wrong! Please try again after 10 minutes.',
  },

  USERNAME_REQUIRED: { category: 'VALIDATION', field: 'userName', message: 'Please enter a username.' },
  USERNAME_INVALID: {
    category: 'VALIDATION',
    field: 'userName',
    message: 'Username should contain not contain any spaces or special characters except underscore!',
  },
  USERNAME_TOO_LONG: {
    category: 'VALIDATION',
    field: 'userName',
    message: 'Username can’t be longer than {max} characters.',
  },
  USERNAME_TAKEN: { category: 'CONFLICT', field: 'userName', message: 'Username already exist!' },
  USER_EXISTS: { category: 'CONFLICT', field: 'phone', message: 'User already exist!' },
  EMAIL_TAKEN: { category: 'CONFLICT', field: 'email', message: 'User already exist!' },
  NAME_TOO_LONG: {
    category: 'VALIDATION',
    field: 'firstName',
    message: 'Names can’t be longer than {max} characters.',
  },
  ABOUT_TOO_LONG: {
    category: 'VALIDATION',
    field: 'profileDesc',
    message: 'Shot Bio can’t be longer than {max} characters.',
  },
  PHONE_REQUIRED: { category: 'VALIDATION', field: 'phone', message: 'Empty input!' },
  PHONE_INVALID: { category: 'VALIDATION', field: 'phone', message: 'Invalid mobile number' },
  EMAIL_INVALID: { category: 'VALIDATION', field: 'email', message: 'Please enter a valid email.' },
  PHONE_UNKNOWN: {
    category: 'NOT_FOUND',
    field: 'phone',
    message: 'Student with phone: {phone} does not exist in DB.',
  },
  CONTACT_NOT_VERIFIED: {
    category: 'FORBIDDEN',
    message: 'Please verify your mobile number or email first.',
  },
  CLAIM_LOST: { category: 'CONFLICT', message: 'This took too long. Please try again.' },
  OTP_REQUIRED: { category: 'VALIDATION', field: 'verificationCode', message: 'Empty input!' },
  OTP_MALFORMED: { category: 'VALIDATION', field: 'verificationCode', message: 'Invalid OTP!' },
  OTP_NOT_MATCHED: { category: 'VALIDATION', field: 'verificationCode', message: 'OTP not matched!' },
  OTP_INVALID: {
    category: 'VALIDATION',
    field: 'verificationCode',
    message: 'Invalid OTP. Please enter valid OTP.',
  },
  PASSWORD_REQUIRED: { category: 'VALIDATION', field: 'password', message: 'Please enter password.' },
  NEW_PASSWORD_REQUIRED: { category: 'VALIDATION', field: 'password', message: 'Please enter a password' },
  PASSWORD_TOO_SHORT: {
    category: 'VALIDATION',
    field: 'password',
    message: `Password must have minimum ${MIN_PASSWORD_LENGTH} characters.`,
  },
  PASSWORD_TOO_LONG: {
    category: 'VALIDATION',
    field: 'password',
    message: `Password can’t be longer than ${MAX_PASSWORD_LENGTH} characters.`,
  },
  PASSWORD_BREACHED: {
    category: 'VALIDATION',
    field: 'password',
    message: 'This password has appeared in a data breach. Choose another.',
  },
  OLD_PASSWORD_WRONG: {
    category: 'VALIDATION',
    field: 'oldPassword',
    message: 'Old password is not correct.',
  },
  STUDENT_NOT_FOUND: { category: 'NOT_FOUND', message: 'Student not found.' },
  CHANGED_MEANWHILE: {
    category: 'CONFLICT',
    message: 'Someone else changed this. Review the changes before you save.',
  },
  POST_CHANGED: {
    category: 'CONFLICT',
    message: 'You changed this in another tab or on another device. Review it before you save.',
  },
  OWN_MAINTAINER_ROLE: {
    category: 'FORBIDDEN',
    message: 'You can’t remove your own maintainer role. Ask another maintainer or use the command line.',
  },
  BODY_TOO_LONG: {
    category: 'VALIDATION',
    field: 'body',
    message: `Text can’t be longer than ${MAX_BODY_BYTES / 1024} KB.`,
  },
  TOO_MANY_IMAGES: {
    category: 'VALIDATION',
    field: 'imageUrls',
    message: `Allow maximum ${MAX_IMAGES} images.`,
  },
  IMAGE_URL_INVALID: {
    category: 'VALIDATION',
    field: 'imageUrls',
    message: 'Upload the images first.',
  },
  UPLOAD_SLOT_INVALID: {
    category: 'FORBIDDEN',
    message: 'This upload link has expired. Choose the file again.',
  },
  UPLOADS_BUSY: {
    category: 'TOO_MANY_REQUESTS',
    message: 'Too many images are being uploaded. Please try again in a minute.',
  },
  IMAGE_EMPTY: { category: 'VALIDATION', field: 'file', message: 'The file is empty.' },
  IMAGE_TYPE: {
    category: 'VALIDATION',
    field: 'file',
    message: 'Images must be PNG, JPEG, WebP, GIF, AVIF or TIFF.',
  },
  IMAGE_BROKEN: { category: 'VALIDATION', field: 'file', message: 'This file is not a valid image.' },
  IMAGE_TOO_LARGE: { category: 'PAYLOAD_TOO_LARGE', message: 'Files can’t be larger than 10 MB.' },
  IMAGE_TOO_MANY_PIXELS: {
    category: 'VALIDATION',
    field: 'file',
    message: 'Images can’t have more than 50 million pixels.',
  },
  POST_NOT_FOUND: { category: 'NOT_FOUND', message: 'This post no longer exists.' },
  DELETE_REASON_REQUIRED: { category: 'VALIDATION', field: 'reason', message: 'Please give a reason.' },
  REASON_TOO_LONG: {
    category: 'VALIDATION',
    field: 'reason',
    message: 'Reasons can’t be longer than {max} characters.',
  },
  LOG_CHAIN_BEHIND: {
    category: 'CONFLICT',
    message: 'The proof of the latest events is still being computed. Please try again in a moment.',
  },
  LOG_WITNESS_AWAY: {
    category: 'CONFLICT',
    message:
      'An external checkpoint of the log cannot be reached, so the export cannot be sealed. Please try again later.',
  },
  LOG_DOES_NOT_FIT: {
    category: 'CONFLICT',
    message:
      'The log does not match its proof, so exports and switches are blocked. See Maintenance for what to do.',
  },
  ...SLICE_ERRORS,
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

export type DomainErrorCode = keyof typeof ERROR_CATALOGUE;
export type MessageParams = Readonly<Record<string, string | number>>;

export const catalogueEntry = (code: DomainErrorCode): CatalogueEntry => ERROR_CATALOGUE[code];

/** The text shown to people. A missing parameter stays visible as `{name}`. */
export const messageOf = (code: DomainErrorCode, params: MessageParams = {}): string =>
  catalogueEntry(code).message.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    String(params[name] ?? placeholder),
  );
