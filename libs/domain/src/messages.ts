import {
  BODY_MAX_BYTES,
  COMMENT_MAX_LENGTH,
  IMAGES_MAX,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  TITLE_MAX_LENGTH,
} from './limits.js';

export type ErrorCategory =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'VALIDATION'
  | 'CONFLICT'
  | 'TOO_MANY_REQUESTS'
  | 'PAYLOAD_TOO_LARGE';

export interface CatalogueEntry {
  readonly category: ErrorCategory;
  /** `{name}` is replaced by the parameter of that name. */
  readonly message: string;
  /** The input that is wrong, by its name on the wire. */
  readonly field?: string;
}

/** Every message the server answers with: the specification's letter for letter, the others short and plain. */
export const ERROR_CATALOGUE = {
  SIGN_IN_REQUIRED: { category: 'UNAUTHENTICATED', message: 'Please sign in.' },
  LOGIN_FAILED: { category: 'UNAUTHENTICATED', message: 'Username or password is not correct.' },
  FORBIDDEN: { category: 'FORBIDDEN', message: 'You are not allowed to do this.' },
  STUDENT_BLOCKED: { category: 'FORBIDDEN', message: 'This account is blocked.' },
  SUSPENDED_IN_SPACE: {
    category: 'FORBIDDEN',
    message: 'You are suspended in this space: you can read, but not take part.',
  },
  OWN_ACCOUNT_BLOCK: { category: 'FORBIDDEN', message: "You can't block or unblock your own account." },
  NOT_ABOVE_IN_RANK: {
    category: 'FORBIDDEN',
    message: 'Only someone of a higher rank can block or unblock this person.',
  },
  BLOCKED_BY_HIGHER_RANK: {
    category: 'FORBIDDEN',
    message: 'Someone of a higher rank blocked this person. Only someone of that rank can unblock them.',
  },
  NOT_REGISTERED: { category: 'FORBIDDEN', message: 'Please complete your registration first.' },
  NOT_A_MEMBER: { category: 'FORBIDDEN', message: 'Join the space to take part.' },
  GRANT_INVALID: { category: 'FORBIDDEN', message: 'Please verify your mobile number again.' },
  MAIL_LINK_INVALID: {
    category: 'FORBIDDEN',
    message: 'This link is not valid any more. Please ask for a new one.',
  },
  SIGN_IN_EXPIRED: { category: 'FORBIDDEN', message: 'This took too long. Please sign in again.' },
  SECOND_FACTOR_REQUIRED: {
    category: 'FORBIDDEN',
    message: 'Confirm with your second factor first. Set one up if you have none yet.',
  },
  SECOND_FACTOR_CODE_WRONG: {
    category: 'VALIDATION',
    field: 'code',
    message: 'This code is not correct, or it was used before. Enter the next one.',
  },
  PASSKEY_REFUSED: {
    category: 'VALIDATION',
    field: 'passkey',
    message: 'This passkey was not accepted. Please try again.',
  },
  PASSKEY_NAME_INVALID: {
    category: 'VALIDATION',
    field: 'name',
    message: 'The name of a passkey or an app has 1 to {max} characters.',
  },
  TOO_MANY_PASSKEYS: { category: 'CONFLICT', message: 'There may be at most {max} passkeys.' },
  SECOND_FACTOR_EXPIRED: { category: 'FORBIDDEN', message: 'This took too long. Please begin again.' },
  SECOND_FACTOR_NOT_SET_UP: { category: 'CONFLICT', message: 'There is no second factor.' },
  LAST_SECOND_FACTOR: {
    category: 'CONFLICT',
    message: 'You need a second factor for your role. Set up another one before you remove this one.',
  },
  OWN_SECOND_FACTOR: {
    category: 'FORBIDDEN',
    message: "You can't reset your own second factor. Ask another maintainer or use the command line.",
  },
  RESET_BY_PHONE_ALONE: {
    category: 'FORBIDDEN',
    message: 'The password of an account with a role is not reset by mobile number alone. Ask a maintainer.',
  },
  PASSWORD_WRONG: { category: 'VALIDATION', field: 'password', message: 'Password is not correct.' },
  PROVIDER_UNKNOWN: { category: 'NOT_FOUND', message: 'This way to sign in has not been set up here.' },
  PROVIDER_EMAIL_REQUIRED: {
    category: 'FORBIDDEN',
    message: 'That account has no confirmed email. Please sign up by mobile number or email.',
  },
  TOO_MANY_REQUESTS: { category: 'TOO_MANY_REQUESTS', message: 'Too many requests. Please try again later.' },
  ASKED_TOO_MUCH: {
    category: 'TOO_MANY_REQUESTS',
    message:
      'That was more in one minute than the {most} fields that are answered. Please try again in {seconds} seconds.',
  },
  TRY_AGAIN_LATER: {
    category: 'TOO_MANY_REQUESTS',
    message: 'Something went wrong! Please try again after 10 minutes.',
  },
  /** To who can do a proof of work; to others it says what TRY_AGAIN_LATER does. */
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
    message: 'Username may have at most {max} characters.',
  },
  USERNAME_TAKEN: { category: 'CONFLICT', field: 'userName', message: 'Username already exist!' },
  USER_EXISTS: { category: 'CONFLICT', field: 'phone', message: 'User already exist!' },
  EMAIL_TAKEN: { category: 'CONFLICT', field: 'email', message: 'User already exist!' },
  NAME_TOO_LONG: {
    category: 'VALIDATION',
    field: 'firstName',
    message: 'A name may have at most {max} characters.',
  },
  ABOUT_TOO_LONG: {
    category: 'VALIDATION',
    field: 'profileDesc',
    message: 'Shot Bio may have at most {max} characters.',
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
    message: `Password must have minimum ${PASSWORD_MIN_LENGTH} characters.`,
  },
  PASSWORD_TOO_LONG: {
    category: 'VALIDATION',
    field: 'password',
    message: `Password may have at most ${PASSWORD_MAX_LENGTH} characters.`,
  },
  PASSWORD_BREACHED: {
    category: 'VALIDATION',
    field: 'password',
    message: 'This password is known from data breaches. Please choose another one.',
  },
  OLD_PASSWORD_WRONG: {
    category: 'VALIDATION',
    field: 'oldPassword',
    message: 'Old password is not correct.',
  },
  STUDENT_NOT_FOUND: { category: 'NOT_FOUND', message: 'Student does not exist.' },

  SPACE_NOT_FOUND: { category: 'NOT_FOUND', message: 'Space does not exist.' },
  SPACE_NAME_REQUIRED: { category: 'VALIDATION', field: 'name', message: 'Please add a space name.' },
  SPACE_NAME_TOO_LONG: {
    category: 'VALIDATION',
    field: 'name',
    message: 'A space name may have at most {max} characters.',
  },
  SPACE_DESCRIPTION_TOO_LONG: {
    category: 'VALIDATION',
    field: 'description',
    message: 'A description may have at most {max} characters.',
  },
  COLOR_INVALID: { category: 'VALIDATION', field: 'color', message: 'A colour is six hexadecimal digits.' },
  SUBJECT_NOT_FOUND: { category: 'NOT_FOUND', message: 'Subject does not exist.' },
  SUBJECT_NAME_REQUIRED: {
    category: 'VALIDATION',
    field: 'subjectName',
    message: 'Please add a subject name.',
  },
  SUBJECT_NAME_TOO_LONG: {
    category: 'VALIDATION',
    field: 'subjectName',
    message: 'A subject name may have at most {max} characters.',
  },
  SUBJECT_EXISTS: {
    category: 'CONFLICT',
    field: 'subjectName',
    message: 'The space has this subject already.',
  },
  TOPIC_NOT_FOUND: { category: 'NOT_FOUND', message: 'Topic does not exist.' },
  TOPIC_NAME_TOO_LONG: {
    category: 'VALIDATION',
    field: 'topicName',
    message: 'A topic may have at most {max} characters.',
  },
  TOPIC_EXISTS: {
    category: 'CONFLICT',
    field: 'topicName',
    message: 'The subject has a topic of this name already.',
  },
  CHANGED_MEANWHILE: {
    category: 'CONFLICT',
    message: 'Somebody else has changed this meanwhile. Look at it again before you save.',
  },
  AVATAR_NOT_FOUND: { category: 'NOT_FOUND', message: 'Avatar does not exist.' },
  AVATAR_GROUP_REQUIRED: { category: 'VALIDATION', field: 'group', message: 'Please add a group.' },
  AVATAR_LABEL_REQUIRED: { category: 'VALIDATION', field: 'label', message: 'Please add a name.' },
  AVATAR_TEXT_TOO_LONG: {
    category: 'VALIDATION',
    field: 'label',
    message: 'Group and name may have at most {max} characters.',
  },
  AVATAR_IMAGE_REQUIRED: { category: 'VALIDATION', field: 'imageUrl', message: 'Please choose a picture.' },
  AVATAR_EXISTS: {
    category: 'CONFLICT',
    field: 'label',
    message: 'The group has an avatar of this name already.',
  },
  TOO_MANY_AVATARS: { category: 'CONFLICT', message: 'There may be at most {max} avatars.' },
  OWN_MAINTAINER_ROLE: {
    category: 'FORBIDDEN',
    message: 'Nobody takes the maintainer role from oneself. Another maintainer or the command line can.',
  },

  QUESTION_NOT_FOUND: { category: 'NOT_FOUND', message: 'No Question found with this id!' },
  QUESTION_TITLE_REQUIRED: { category: 'VALIDATION', field: 'title', message: 'Please add question title.' },
  QUESTION_TITLE_TOO_LONG: {
    category: 'VALIDATION',
    field: 'title',
    message: `A title may have at most ${TITLE_MAX_LENGTH} characters.`,
  },
  SUBJECT_REQUIRED: { category: 'VALIDATION', field: 'subject', message: 'Please select a subject' },
  TOPIC_REQUIRED: { category: 'VALIDATION', field: 'topic', message: 'Please select or create a topic' },
  BODY_TOO_LONG: {
    category: 'VALIDATION',
    field: 'body',
    message: `The text is too long: at most ${BODY_MAX_BYTES / 1024} KB.`,
  },
  TOO_MANY_IMAGES: {
    category: 'VALIDATION',
    field: 'imageUrls',
    message: `Allow maximum ${IMAGES_MAX} images.`,
  },
  IMAGE_URL_INVALID: {
    category: 'VALIDATION',
    field: 'imageUrls',
    message: 'An image is not an uploaded one.',
  },
  UPLOAD_FAILED: { category: 'VALIDATION', message: 'Failed to upload file {name} to S3' },
  UPLOAD_TOO_LARGE: { category: 'PAYLOAD_TOO_LARGE', message: 'Failed to upload file {name} to S3' },
  ANSWER_NOT_FOUND: { category: 'NOT_FOUND', message: 'Answer does not exist.' },
  ANSWER_BODY_REQUIRED: { category: 'VALIDATION', field: 'body', message: 'Please add your answer' },
  ANSWER_ALREADY_ACCEPTED: { category: 'CONFLICT', message: 'An answer is accepted already.' },
  OWN_ANSWER_ACCEPTED: { category: 'FORBIDDEN', message: 'You cannot accept your own answer.' },
  COMMENT_NOT_FOUND: { category: 'NOT_FOUND', message: 'Comment does not exist.' },
  COMMENT_EMPTY: { category: 'VALIDATION', field: 'body', message: 'Comment should not be empty!' },
  COMMENT_TOO_LONG: {
    category: 'VALIDATION',
    field: 'body',
    message: `A comment may have at most ${COMMENT_MAX_LENGTH} characters.`,
  },
  POST_NOT_FOUND: { category: 'NOT_FOUND', message: 'This post does not exist any more.' },
  DELETE_REASON_REQUIRED: { category: 'VALIDATION', field: 'reason', message: 'Please tell the reason.' },
  REASON_TOO_LONG: {
    category: 'VALIDATION',
    field: 'reason',
    message: 'A reason may have at most {max} characters.',
  },
  NEWSPOST_NOT_FOUND: { category: 'NOT_FOUND', message: 'This news does not exist any more.' },
  NEWSPOST_TITLE_REQUIRED: { category: 'VALIDATION', field: 'title', message: 'Please add a title.' },
  NEWSPOST_BODY_REQUIRED: { category: 'VALIDATION', field: 'body', message: 'Please add a text.' },

  OWN_POST_VOTE: { category: 'FORBIDDEN', message: 'You cannot vote on your own post.' },
  OWN_POST_REPORT: { category: 'FORBIDDEN', message: 'You cannot report your own post.' },
  REPORT_REASON_REQUIRED: { category: 'VALIDATION', field: 'reason', message: 'Please select a reason.' },
  ALREADY_REPORTED: { category: 'CONFLICT', message: 'You have reported this post already.' },
  NOTHING_REPORTED: { category: 'CONFLICT', message: 'There is no open report of this post.' },
  CASE_ALREADY_DECIDED: {
    category: 'CONFLICT',
    message: 'Meanwhile {moderator} decided on this case: {decision}, {at}. Nothing was changed.',
  },
  CASE_CHANGED: {
    category: 'CONFLICT',
    message: 'The reports of this post have changed: {now} instead of {seen}. Please look again.',
  },
  NOT_UPHELD: { category: 'CONFLICT', message: 'This post was not removed after reports.' },
  OWN_POST_CASE: { category: 'FORBIDDEN', message: 'You cannot decide on reports of your own post.' },
  OWN_REPORT_CASE: {
    category: 'FORBIDDEN',
    message: 'You cannot decide on a case in which you have reported.',
  },
  OWN_VOTES_CASE: {
    category: 'FORBIDDEN',
    message: 'You cannot judge your own votes or votes on your own posts.',
  },
  HAND_OVER_TO_MODERATOR: {
    category: 'VALIDATION',
    field: 'toModeratorId',
    message: 'Please choose a moderator of this space.',
  },
  CASE_NOT_FOUND: { category: 'NOT_FOUND', message: 'Case does not exist.' },
  CASE_EXISTS: { category: 'CONFLICT', message: 'This case exists already.' },
  CASE_VOTES_INVALID: {
    category: 'VALIDATION',
    field: 'votes',
    message: 'A case lists 1 to {max} different votes. Make a case of each part.',
  },
  CASE_CATEGORY_INVALID: {
    category: 'VALIDATION',
    field: 'category',
    message: 'Choose what those concerned are told.',
  },
  CASE_VOTE_NOT_STANDING: {
    category: 'CONFLICT',
    message: 'A chosen vote does not count any more: it was withdrawn, or another case names it.',
  },
  CASE_VOTES_CHANGED: {
    category: 'CONFLICT',
    message: 'A chosen vote was cast or withdrawn since you saw the effect. Look at it again.',
  },
  SCORING_RULES_INVALID: {
    category: 'VALIDATION',
    field: 'weights',
    message: 'These scoring rules are not valid: {problem}.',
  },
  SCORING_NOTE_INVALID: {
    category: 'VALIDATION',
    field: 'note',
    message: 'Tell the students what changes, in 1 to {max} characters.',
  },
  SCORING_MOMENT_INVALID: {
    category: 'VALIDATION',
    field: 'effectiveFrom',
    message: 'New rules can begin at any moment up to a year from now.',
  },
  SCORING_RULES_OUTDATED: {
    category: 'CONFLICT',
    message: 'Version {version} of the rules was published meanwhile. This was made from version {basedOn}.',
  },
  SCORING_VERSION_NOT_FOUND: { category: 'NOT_FOUND', message: 'There is no such version of the rules.' },
  SCORING_DRAFT_CHANGED: {
    category: 'CONFLICT',
    message: 'Somebody else changed this draft meanwhile. Please look at it again.',
  },
  SCORING_TRIAL_RUNNING: {
    category: 'CONFLICT',
    message: 'You are trying rules already. Wait for it, or stop it.',
  },
  SCORING_TRIAL_STOPPED: { category: 'CONFLICT', message: 'Trying the rules was stopped.' },
  LOG_CHAIN_BEHIND: {
    category: 'CONFLICT',
    message: 'The proof of the last events is still being computed. Please try again in a moment.',
  },
  LOG_WITNESS_AWAY: {
    category: 'CONFLICT',
    message: 'A log witness cannot be reached, so no export can be sealed as proven. Please try again later.',
  },
  LOG_DOES_NOT_FIT: {
    category: 'CONFLICT',
    message:
      'The log does not fit its proof, so nothing is sealed and nothing is switched. A maintainer finds what to do under Maintenance.',
  },
  SCORING_TRIAL_GONE: {
    category: 'NOT_FOUND',
    message: 'This result is not kept any more. Please try again.',
  },

  PROJECTION_NOT_FOUND: { category: 'NOT_FOUND', field: 'name', message: 'There is no projection {name}.' },
  PROJECTION_GENERATION_NOT_FOUND: {
    category: 'NOT_FOUND',
    field: 'generation',
    message: 'Generation {generation} is not one that can be switched to.',
  },
  PROJECTION_REBUILDING: {
    category: 'CONFLICT',
    message: 'A rebuild is under way. Cancel it first, or wait for it.',
  },
  PROJECTION_NOT_REBUILDING: { category: 'CONFLICT', message: 'Nothing is being rebuilt.' },
  PROJECTION_NOT_VERIFYING: { category: 'CONFLICT', message: 'Nothing is being verified.' },
  PROJECTION_NOT_STOPPED: { category: 'CONFLICT', message: 'The projection is not stopped at an event.' },
  PROJECTION_STOPPED_ELSEWHERE: {
    category: 'CONFLICT',
    field: 'eventId',
    message: 'The projection is stopped at another event: {eventId}.',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

export type DomainErrorCode = keyof typeof ERROR_CATALOGUE;
export type MessageParams = Readonly<Record<string, string | number>>;

export const catalogueEntry = (code: DomainErrorCode): CatalogueEntry => ERROR_CATALOGUE[code];

/** The text a person reads. A parameter that is missing stays visible as `{name}`, so that a test sees it. */
export const messageOf = (code: DomainErrorCode, params: MessageParams = {}): string =>
  catalogueEntry(code).message.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    String(params[name] ?? placeholder),
  );
