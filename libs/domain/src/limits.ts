/** Every number of section 9 of the specification that the server enforces, and those chosen in docs/decisions/010. */
export const PHONE_DIGITS = 10;
export const PHONE_PREFIX = '91';
export const OTP_DIGITS = 4;
export const OTP_TTL_MINUTES = 10;
/** Of a code; of those that a phone is sent later on the same day one. */
export const OTP_MAX_ATTEMPTS = 5;
export const OTP_LATER_ATTEMPTS = 1;
export const OTP_FULL_CODES_PER_DAY = 2;
export const OTP_SENDS_PER_WINDOW = 3;
export const OTP_SEND_WINDOW_MINUTES = 10;
export const OTP_SENDS_PER_DAY = 10;
export const GRANT_TTL_MINUTES = 30;
export const CONFIRM_LINK_TTL_MINUTES = 24 * 60;
export const RESET_LINK_TTL_MINUTES = 60;
export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 256;
export const SCOPE = 'world';

export const TITLE_MAX_LENGTH = 300;
/** Of the sanitised HTML in UTF-8. */
export const BODY_MAX_BYTES = 64 * 1024;
export const COMMENT_MAX_LENGTH = 5_000;
export const REASON_MAX_LENGTH = 1_000;
export const IMAGES_MAX = 10;
export const USERNAME_MAX_LENGTH = 50;
export const PERSON_NAME_MAX_LENGTH = 100;
export const ABOUT_MAX_LENGTH = 2_000;
export const EMAIL_MAX_LENGTH = 254;
export const SPACE_NAME_MAX_LENGTH = 100;
export const SPACE_DESCRIPTION_MAX_LENGTH = 2_000;
export const SUBJECT_NAME_MAX_LENGTH = 100;
export const TOPIC_NAME_MAX_LENGTH = 100;
export const AVATAR_TEXT_MAX_LENGTH = 60;
/** Of those that were added, retired ones included: they are shown at once and kept in one stream. */
export const AVATARS_MAX = 500;
/** Of one invalidation: its event lists every vote. */
export const CASE_VOTES_MAX = 1_000;
/** Students and posts that the effect of a case is shown of, those that move most; the others are counted. */
export const CASE_EFFECTS_SHOWN_MAX = 100;

/**
 * How sure a pattern must be, over everything that could have been found in the space: chance alone would show something in one of a
 * hundred spaces of honest voters. It never decides; a moderator does.
 */
export const PATTERN_FALSE_ALARMS = 0.01;
/** Fewer votes from one account for another say nothing by themselves: friends read each other. */
export const PATTERN_VOTES_MIN = 5;
/** A significant excess may still be small: what is shown is at least so many times as often as others do it. */
export const PATTERN_TIMES_EXPECTED_MIN = 3;
/** More than a pair. */
export const RING_STUDENTS_MIN = 3;
/** From each to the other, to be looked at as a part of a ring: what few votes do not tell of two, they may tell of three. */
export const RING_LINK_VOTES_MIN = 3;
/** Of one account for one author in one direction within the window. Reading and voting on eight posts takes longer. */
export const BURST_VOTES_MIN = 8;
export const BURST_WINDOW_MINUTES = 10;
/** Of an account that does nothing but vote for one person: so many votes, this share of them for one author … */
export const ONE_PERSON_VOTES_MIN = 10;
export const ONE_PERSON_SHARE_MIN = 0.9;
/** … and at most this many posts of its own for each vote. */
export const ONE_PERSON_POSTS_PER_VOTE_MAX = 0.1;
/** Voter and author looked at more closely in one question for patterns: those furthest above their expectation. */
export const PATTERN_CANDIDATES_MAX = 5_000;
/** Findings of a space that are shown, the least likely first. */
export const PATTERNS_MAX = 100;
export const CASES_PAGE_SIZE = 20;
/** Votes on one page of the list to choose from. */
export const JUDGED_VOTES_PAGE_SIZE = 100;

export const SORT_NEWEST = 1;
export const SORT_MOST_ANSWERED = 2;
export const FIRST_PAGE = 1;
export const QUESTIONS_PAGE_SIZE = 20;
export const UNSOLVED_PAGE_SIZE = 10;
export const ANSWERS_PAGE_SIZE = 100;
export const ANSWER_COMMENTS_PAGE_SIZE = 100;
export const QUESTION_COMMENTS_PAGE_SIZE = 10;
/** Comments that come with the answers of one page, over all of them; further ones are read answer by answer. */
export const COMMENTS_AT_ONCE_MAX = 500;
export const NOTIFICATIONS_PAGE_SIZE = 50;
export const ACTIVITIES_PAGE_SIZE = 100;
export const REPORTS_PAGE_SIZE = 100;
export const MODERATION_PAGE_SIZE = 50;
/** Lists that are read whole: of longer ones the first are shown. */
export const SPACES_SHOWN_MAX = 1_000;
export const SUBJECTS_SHOWN_MAX = 500;
export const TOPICS_SHOWN_MAX = 1_000;
export const OWN_REMOVALS_SHOWN_MAX = 100;
export const SAVED_QUESTIONS_MAX = 1_000;
export const USER_SEARCH_MAX = 1_000;
export const NEWS_PAGE_SIZE = 5;
export const MANAGED_PAGE_SIZE = 20;
export const SEARCH_PAGE_SIZE = 10;
export const TOPIC_SEARCH_PAGE_SIZE = 10;
export const LEADERBOARD_PAGE_SIZE = 20;

/** What students are told of new scoring rules. */
export const SCORING_NOTE_MAX_LENGTH = 500;
/** Points that one fact may give or take. */
export const SCORING_WEIGHT_MAX = 1_000_000;
export const REPORT_THRESHOLD_MAX = 1_000;
/** How far ahead new scoring rules may begin: beyond a year it is a slip of the pen. */
export const SCORING_AHEAD_MAX_DAYS = 366;
/** How long the result of trying scoring rules can be looked at. */
export const SCORING_TRIAL_MINUTES = 15;
export const AUDIT_PAGE_SIZE = 50;
/** Lines that an export reads at a time. */
export const AUDIT_EXPORT_PAGE_SIZE = 1_000;
