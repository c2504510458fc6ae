// Limits from section 9 of the specification that the server enforces, and those of docs/decisions/request-limits.md.

export const PHONE_DIGITS = 10;
export const PHONE_PREFIX = '91';
export const OTP_DIGITS = 4;
export const OTP_TTL_MINUTES = 10;
/** Per code. */
export const MAX_OTP_ATTEMPTS = 5;
/** Per code, after the first `OTP_FULL_CODES_PER_DAY` codes to a phone on one day. */
export const OTP_REDUCED_ATTEMPTS = 1;
export const OTP_FULL_CODES_PER_DAY = 2;
export const OTP_SENDS_PER_WINDOW = 3;
export const OTP_SEND_WINDOW_MINUTES = 10;
export const OTP_SENDS_PER_DAY = 10;
/** To change a phone or email: one code goes to the current contact, one to the new contact. */
export const CONTACT_CODE_DIGITS = 6;
export const CONTACT_CODE_TTL_MINUTES = 10;
/** After this, the contact of an unfinished sign-up is deleted. */
export const UNFINISHED_SIGN_UP_DAYS = 7;
export const GRANT_TTL_MINUTES = 30;
export const CONFIRM_LINK_TTL_MINUTES = 24 * 60;
export const RESET_LINK_TTL_MINUTES = 60;
export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 256;
export const SCOPE = 'world';

export const MAX_TITLE_LENGTH = 300;
/** Sanitised HTML in UTF-8. */
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
/** In years. Younger students need a guardian's consent to join a space. */
export const MIN_CONSENT_AGE = 10;
export const MAX_CONSENT_AGE = 21;
/** Unanswered links to guardians. */
export const GUARDIAN_LINK_TTL_DAYS = 14;
export const GUARDIAN_CONSENTS_PAGE_SIZE = 50;
/** Text of a request to join a space. */
export const MAX_ENTRY_TEXT_LENGTH = 500;
export const ENTRY_REQUESTS_PAGE_SIZE = 20;
/** Invited students who have not joined yet. */
export const MAX_INVITED_SHOWN = 500;
/** Per link or code. */
export const MAX_INVITATION_USES = 1_000;
/** Links, codes and lists. */
export const MAX_INVITATION_DAYS = 365;
export const MAX_INVITATION_GROUP_LENGTH = 200;
/** Email addresses and phone numbers per list. */
export const MAX_INVITED_CONTACTS = 500;
/** Active invitations per space. */
export const MAX_INVITATIONS = 100;
/** Active and recently ended invitations per space. */
export const MAX_INVITATIONS_SHOWN = 200;
export const MAX_SUBJECT_NAME_LENGTH = 100;
export const MAX_TOPIC_NAME_LENGTH = 100;
export const MAX_AVATAR_TEXT_LENGTH = 60;
/** Custom avatars, including retired ones. They share a stream and are shown on one page. */
export const MAX_AVATARS = 500;
/** Per removal of all posts of an author, because its event lists every post. */
export const MAX_REMOVAL_POSTS = 1_000;
/** Per invalidation, because its event lists every vote. */
export const MAX_CASE_VOTES = 1_000;
/** An invalidation of more votes takes effect once a second moderator confirms it. */
export const LARGE_CASE_VOTES = 100;
/** Votes for the same author that a moderator invalidated alone within these days count towards the limit. */
export const LARGE_CASE_DAYS = 7;
/** Students and posts shown in the effect of a case, largest changes first. The rest are only counted. */
export const MAX_CASE_EFFECTS_SHOWN = 100;

/**
 * Family-wise significance level of vote patterns: one in a hundred spaces of honest voters shows any pattern by coincidence. A pattern
 * never decides anything; moderators do.
 */
export const PATTERN_FALSE_ALARM_RATE = 0.01;
/** Fewer votes between two accounts are not evidence: friends read each other's posts. */
export const MIN_PATTERN_VOTES = 5;
/** Minimum ratio of observed to expected votes, because a significant excess may still be small. */
export const MIN_PATTERN_TIMES_EXPECTED = 3;
export const MIN_RING_STUDENTS = 3;
/** Share of their upvotes that members of a pair or ring give each other. */
export const MIN_GROUP_SHARE = 1 / 3;
/** Number of such votes that is enough at any share. */
export const SUFFICIENT_GROUP_VOTES = 15;
/** Votes between the members of a ring. */
export const MIN_RING_VOTES = 20;
/** In each direction between two members of a ring. Lower than for pairs, because three accounts are stronger evidence. */
export const MIN_RING_LINK_VOTES = 3;
/** In each direction, if both members have such votes with a third. */
export const MIN_RING_WEAK_LINK_VOTES = 2;
/** By one account for one author in one direction within the window. Reading and voting on eight posts takes longer. */
export const MIN_BURST_VOTES = 8;
export const BURST_WINDOW_MINUTES = 10;
/** Single-target accounts: this many votes, this share of them for one author … */
export const MIN_ONE_PERSON_VOTES = 10;
export const MIN_ONE_PERSON_SHARE = 0.9;
/** … and at most this many posts per vote. */
export const MAX_ONE_PERSON_POSTS_PER_VOTE = 0.1;
/** Stars: accounts that rarely post and give nearly all of their votes to one author. At least this many accounts and votes … */
export const MIN_STAR_VOTERS = 3;
export const MIN_STAR_VOTES = 12;
/** … and from each account this many votes and this share of its upvotes. */
export const MIN_STAR_VOTER_VOTES = 2;
export const MIN_STAR_SHARE = 0.75;
/** Accounts shown per star, most votes first. All of them are counted. */
export const MAX_STAR_VOTERS_SHOWN = 40;
/** Variation in loyalty among readers of one author: intra-class correlation of the beta-binomial distribution. */
export const STAR_LOYALTY_CORRELATION = 0.1;
/** Variation among authors in how many readers return: intra-class correlation. */
export const STAR_AUTHOR_CORRELATION = 0.05;
/** Weight of the space average, in readers, for authors with few readers of their own. */
export const STAR_PRIOR_READERS = 3;
/**
 * Age and timing of accounts only count if their devotion is at most this likely: classmates also join and start voting on the same days.
 */
export const MAX_STAR_DEVOTION_CHANCE = 1e-2;
/** Readers of other authors needed for a comparison. */
export const MIN_STAR_OTHER_READERS = 30;
/** If an import brought votes without voters, this many count as one reader … */
export const STAND_IN_VOTES_PER_READER = 10;
/** … who gives this share of further upvotes to the same author, more than in any simulated community. */
export const STAND_IN_LOYALTY = 0.25;
/** An account is new if its first upvote came within this many days of joining and before its first post. */
export const NEW_ACCOUNT_DAYS = 7;
/** Authors examined for stars, most votes from such accounts first. */
export const MAX_STAR_CANDIDATES = 500;
/** Pairs of voter and author examined per query, furthest above expectation first. */
export const MAX_PATTERN_CANDIDATES = 5_000;
/** Patterns shown per space, least likely first. */
export const MAX_PATTERNS = 100;
/** Spaces whose patterns are counted for one moderator, most votes first. */
export const MAX_COUNTED_SPACES = 100;
export const CASES_PAGE_SIZE = 20;
export const REVIEWED_VOTES_PAGE_SIZE = 100;
export const MAX_SUSPENSION_DAYS = 366;
/** Per student and space. */
export const MAX_WARNINGS = 50;
export const VOTE_GIVERS_PAGE_SIZE = 50;

export const QUESTIONS_PAGE_SIZE = 20;
export const UNSOLVED_PAGE_SIZE = 10;
export const ANSWERS_PAGE_SIZE = 100;
export const ANSWER_COMMENTS_PAGE_SIZE = 100;
export const QUESTION_COMMENTS_PAGE_SIZE = 10;
/** Comments returned with one page of answers in total. More can be fetched per answer. */
export const MAX_COMMENTS_AT_ONCE = 500;
export const NOTIFICATIONS_PAGE_SIZE = 50;
export const ACTIVITIES_PAGE_SIZE = 100;
export const REPORTS_PAGE_SIZE = 100;
export const MODERATION_PAGE_SIZE = 50;
/** Lists without pages, cut off at these lengths. */
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

/** Note to students about new scoring rules. */
export const MAX_SCORING_NOTE_LENGTH = 500;
/** Points earned or lost per fact. */
export const MAX_SCORING_WEIGHT = 1_000_000;
export const MAX_REPORT_THRESHOLD = 1_000;
/** For the deletion of a post to forfeit its points. */
export const MAX_DELETION_FORFEIT_HOURS = 720;
/** How far ahead scoring rules may take effect. A later date is probably a typo. */
export const MAX_SCORING_AHEAD_DAYS = 366;
/** Lifetime of a preview of scoring rules. */
export const SCORING_TRIAL_MINUTES = 15;
export const AUDIT_PAGE_SIZE = 50;
/** Lines read at a time by an export. */
export const AUDIT_EXPORT_PAGE_SIZE = 1_000;
/** Lines of the audit that the screen adds up; exports add up all. */
export const MAX_SUMMED_AUDIT_LINES = 10_000;
