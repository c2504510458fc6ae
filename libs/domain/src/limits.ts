/** Every number of section 9 of the specification that the server enforces, and those chosen in docs/decisions/request-limits.md. */
export const PHONE_DIGITS = 10;
export const PHONE_PREFIX = '91';
export const OTP_DIGITS = 4;
export const OTP_TTL_MINUTES = 10;
/** Of a code; of those that a phone is sent later on the same day one. */
export const MAX_OTP_ATTEMPTS = 5;
export const OTP_LATER_ATTEMPTS = 1;
export const OTP_FULL_CODES_PER_DAY = 2;
export const OTP_SENDS_PER_WINDOW = 3;
export const OTP_SEND_WINDOW_MINUTES = 10;
export const OTP_SENDS_PER_DAY = 10;
/** For another phone or address, one to the account and one to what is new. */
export const CONTACT_CODE_DIGITS = 6;
export const CONTACT_CODE_TTL_MINUTES = 10;
/** After it, the number or address of a sign-up that was not finished is forgotten. */
export const UNFINISHED_SIGN_UP_DAYS = 7;
export const GRANT_TTL_MINUTES = 30;
export const CONFIRM_LINK_TTL_MINUTES = 24 * 60;
export const RESET_LINK_TTL_MINUTES = 60;
export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 256;
export const SCOPE = 'world';

export const MAX_TITLE_LENGTH = 300;
/** Of the sanitised HTML in UTF-8. */
export const MAX_BODY_BYTES = 64 * 1024;
export const MAX_COMMENT_LENGTH = 5_000;
export const MAX_REASON_LENGTH = 1_000;
export const MAX_IMAGES = 10;
export const MAX_USERNAME_LENGTH = 50;
export const MAX_PERSON_NAME_LENGTH = 100;
export const MAX_ABOUT_LENGTH = 2_000;
export const MAX_EMAIL_LENGTH = 254;
export const MAX_SPACE_NAME_LENGTH = 100;
export const MAX_SPACE_DESCRIPTION_LENGTH = 2_000;
/** What whoever asks to join a space may say. */
/** Of the age below which a space asks for a guardian's consent, in years. */
export const MIN_CONSENT_AGE = 10;
export const MAX_CONSENT_AGE = 21;
/** Of a guardian's link that nobody answered. */
export const GUARDIAN_LINK_TTL_DAYS = 14;
export const GUARDIAN_CONSENTS_PAGE_SIZE = 50;
export const MAX_ENTRY_TEXT_LENGTH = 500;
export const ENTRY_REQUESTS_PAGE_SIZE = 20;
/** Of those who have not joined yet, the first. */
export const MAX_INVITED_SHOWN = 500;
/** Whom a link or a code lets in, and how long they and lists last. */
export const MAX_INVITATION_USES = 1_000;
export const MAX_INVITATION_DAYS = 365;
export const MAX_INVITATION_GROUP_LENGTH = 200;
/** Addresses and numbers of one list. */
export const MAX_INVITED_CONTACTS = 500;
/** Of a space, that were neither revoked nor have expired. */
export const MAX_INVITATIONS = 100;
/** Of a space, with those that ended lately. */
export const MAX_INVITATIONS_SHOWN = 200;
export const MAX_SUBJECT_NAME_LENGTH = 100;
export const MAX_TOPIC_NAME_LENGTH = 100;
export const MAX_AVATAR_TEXT_LENGTH = 60;
/** Of those that were added, retired ones included: they are shown at once and kept in one stream. */
export const MAX_AVATARS = 500;
/** Of one invalidation: its event lists every vote. */
export const MAX_CASE_VOTES = 1_000;
/** Students and posts that the effect of a case is shown of, those that move most; the others are counted. */
export const MAX_CASE_EFFECTS_SHOWN = 100;

/**
 * How sure a pattern must be, over everything that could have been found in the space: chance alone would show something in one of a
 * hundred spaces of honest voters. It never decides; a moderator does.
 */
export const PATTERN_FALSE_ALARMS = 0.01;
/** Fewer votes from one account for another say nothing by themselves: friends read each other. */
export const MIN_PATTERN_VOTES = 5;
/** A significant excess may still be small: what is shown is at least so many times as often as others do it. */
export const MIN_PATTERN_TIMES_EXPECTED = 3;
/** More than a pair. */
export const MIN_RING_STUDENTS = 3;
/**
 * Friends read each other too: those who are named as a pair or a ring give each other at least this share of their upvotes, or so many that
 * it matters however much else they do.
 */
export const MIN_GROUP_SHARE = 1 / 3;
export const GROUP_VOTES_ANYHOW = 15;
/** From each to the other, to be looked at as a part of a ring: what few votes do not tell of two, they may tell of three. */
export const MIN_RING_LINK_VOTES = 3;
/** Of one account for one author in one direction within the window. Reading and voting on eight posts takes longer. */
export const MIN_BURST_VOTES = 8;
export const BURST_WINDOW_MINUTES = 10;
/** Of an account that does nothing but vote for one person: so many votes, this share of them for one author … */
export const MIN_ONE_PERSON_VOTES = 10;
export const MIN_ONE_PERSON_SHARE = 0.9;
/** … and at most this many posts of its own for each vote. */
export const MAX_ONE_PERSON_POSTS_PER_VOTE = 0.1;
/** A star: accounts that hardly write and give nearly all of their votes to one author. So many accounts and votes at least … */
export const MIN_STAR_VOTERS = 3;
export const MIN_STAR_VOTES = 12;
/** … of each so many votes, and this share of its upvotes. */
export const MIN_STAR_VOTER_VOTES = 2;
export const MIN_STAR_SHARE = 0.75;
/** Accounts of a star that are shown, those with most votes; all of them are counted. */
export const MAX_STAR_VOTERS_SHOWN = 40;
/** How much readers of one author differ in their loyalty beyond chance: the intra-class correlation of the beta-binomial distribution. */
export const STAR_LOYALTY_CORRELATION = 0.1;
/** How much authors differ in how many of their readers come back, likewise. */
export const STAR_AUTHOR_CORRELATION = 0.05;
/** Readers of the whole space that weigh in with an author's own, as few readers tell little. */
export const STAR_PRIOR_READERS = 3;
/** With fewer readers of all other authors there is nothing to compare with. */
export const MIN_STAR_OTHER_READERS = 30;
/** An account is new where its first upvote came within so many days after it joined, and before it wrote anything. */
export const NEW_ACCOUNT_DAYS = 7;
/** Authors whose readers are looked at more closely: those with the most votes of such accounts. */
export const MAX_STAR_CANDIDATES = 500;
/** Voter and author looked at more closely in one question for patterns: those furthest above their expectation. */
export const MAX_PATTERN_CANDIDATES = 5_000;
/** Findings of a space that are shown, the least likely first. */
export const MAX_PATTERNS = 100;
/** Spaces whose patterns are counted for one moderator, those with the most votes. */
export const MAX_COUNTED_SPACES = 100;
export const CASES_PAGE_SIZE = 20;
/** Votes on one page of the list to choose from. */
export const JUDGED_VOTES_PAGE_SIZE = 100;

export const QUESTIONS_PAGE_SIZE = 20;
export const UNSOLVED_PAGE_SIZE = 10;
export const ANSWERS_PAGE_SIZE = 100;
export const ANSWER_COMMENTS_PAGE_SIZE = 100;
export const QUESTION_COMMENTS_PAGE_SIZE = 10;
/** Comments that come with the answers of one page, over all of them; further ones are read answer by answer. */
export const MAX_COMMENTS_AT_ONCE = 500;
export const NOTIFICATIONS_PAGE_SIZE = 50;
export const ACTIVITIES_PAGE_SIZE = 100;
export const REPORTS_PAGE_SIZE = 100;
export const MODERATION_PAGE_SIZE = 50;
/** Lists that are read whole: of longer ones the first are shown. */
export const MAX_SPACES_SHOWN = 1_000;
export const MAX_SUBJECTS_SHOWN = 500;
export const MAX_TOPICS_SHOWN = 1_000;
export const MAX_OWN_REMOVALS_SHOWN = 100;
export const MAX_SAVED_QUESTIONS = 1_000;
export const MAX_USER_SEARCH = 1_000;
export const NEWS_PAGE_SIZE = 5;
export const MANAGED_PAGE_SIZE = 20;
export const SEARCH_PAGE_SIZE = 10;
export const TOPIC_SEARCH_PAGE_SIZE = 10;
export const LEADERBOARD_PAGE_SIZE = 20;

/** What students are told of new scoring rules. */
export const MAX_SCORING_NOTE_LENGTH = 500;
/** Points that one fact may give or take. */
export const MAX_SCORING_WEIGHT = 1_000_000;
export const MAX_REPORT_THRESHOLD = 1_000;
/** How far ahead new scoring rules may begin: beyond a year it is a slip of the pen. */
export const MAX_SCORING_AHEAD_DAYS = 366;
/** How long the result of trying scoring rules can be looked at. */
export const SCORING_TRIAL_MINUTES = 15;
export const AUDIT_PAGE_SIZE = 50;
/** Lines that an export reads at a time. */
export const AUDIT_EXPORT_PAGE_SIZE = 1_000;
