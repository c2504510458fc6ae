/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** Whether an account can log in. */
export type AccountStatus =
  /** Can log in. */
  | 'ACTIVE'
  /** Cannot log in until it is unblocked. */
  | 'BLOCKED';

/** Kind of post an activity is about. */
export type ActivityDataKind =
  /** An answer to a question. */
  | 'Answer'
  /** A comment on an answer. */
  | 'Comment'
  /** A question of a space. */
  | 'Question'
  /** A comment on a question. */
  | 'QuestionComment';

/** Kind of activity: creating a post or voting on one. */
export type ActivityType =
  /** Answered a question. */
  | 'CREATE_ANSWER'
  /** Commented on an answer. */
  | 'CREATE_COMMENT'
  /** Asked a question. */
  | 'CREATE_QUESTION'
  /** Commented on a question. */
  | 'CREATE_QUESTION_COMMENT'
  /** Downvoted an answer. */
  | 'DOWNVOTE_ANSWER'
  /** Downvoted a comment on an answer. */
  | 'DOWNVOTE_COMMENT'
  /** Downvoted a question. */
  | 'DOWNVOTE_QUESTION'
  /** Downvoted a comment on a question. */
  | 'DOWNVOTE_QUESTION_COMMENT'
  /** Upvoted an answer. */
  | 'UPVOTE_ANSWER'
  /** Upvoted a comment on an answer. */
  | 'UPVOTE_COMMENT'
  /** Upvoted a question. */
  | 'UPVOTE_QUESTION'
  /** Upvoted a comment on a question. */
  | 'UPVOTE_QUESTION_COMMENT';

/** Relative to the age below which a space requires a guardian’s consent. */
export type AgeBand =
  /** Younger. */
  | 'BELOW'
  /** This age or older. */
  | 'FROM';

/** A point in the past. Set exactly one field. */
export type AsOfInput = {
  /** Includes events that occurred up to this time, whenever they were recorded. */
  at?: string | null | undefined;
  /** Includes events up to this log position. */
  ordinal?: number | null | undefined;
};

/** Actor of an event: a signed-in user, the command line, the system, or an import on behalf of a user of another community. */
export type AuditActorKind =
  /** An import of another community’s history. */
  | 'import'
  /** An operator at the command line. */
  | 'operator'
  /** A signed-in person, including staff. */
  | 'student'
  /** Nimo itself. */
  | 'system';

/** Group of entries in the audit. */
export type AuditClass =
  /** A staff action. */
  | 'ACT'
  /** A view of confidential data by staff. */
  | 'READ'
  /** A report of a post, or a decision about one. */
  | 'REPORT'
  /** A vote that was cast or withdrawn. */
  | 'VOTE';

/** Fields that are not set do not filter. */
export type AuditFilterInput = {
  /** Excludes votes and reports. Lists each staff action once. */
  actionsOnly?: boolean | null | undefined;
  /** Person or system that performed the action. */
  actor?: string | null | undefined;
  /**
   * Old name of `actionsOnly`.
   * @deprecated Deprecated since 2026-11-28. Will not be removed before 2027-11-28. Use `actionsOnly`.
   */
  actsOnly?: boolean | null | undefined;
  /** Only entries of this case of invalidated votes. */
  caseId?: string | null | undefined;
  /** Occurred at or after this time. */
  from?: string | null | undefined;
  /** Only events from this position on. */
  fromOrdinal?: number | null | undefined;
  /** Only events of these types. */
  kinds?: Array<AuditKind> | null | undefined;
  /** Only entries about this post. */
  post?: string | null | undefined;
  /** Only the access log. Excluded by default unless `kinds` includes it. */
  readsOnly?: boolean | null | undefined;
  /** Author of the post, or subject of the staff action. */
  receiver?: string | null | undefined;
  /** Only entries of this space. */
  space?: string | null | undefined;
  /** Only events up to this position. */
  toOrdinal?: number | null | undefined;
  /** Occurred before this time. */
  until?: string | null | undefined;
  /** The voter or reporter. */
  voter?: string | null | undefined;
};

/** Event types with entries in the audit. */
export type AuditKind =
  /** A moderator let a student state their age again. */
  | 'AgeForgotten'
  /** A moderator accepted an answer for an author who has left. */
  | 'AnswerAccepted'
  /** Staff or the author deleted an answer. */
  | 'AnswerDeleted'
  /** An avatar was added. */
  | 'AvatarAdded'
  /** An avatar was changed. */
  | 'AvatarChanged'
  /** A retired avatar is offered again. */
  | 'AvatarRestored'
  /** An avatar is no longer offered. */
  | 'AvatarRetired'
  /** Staff or the author deleted a comment. */
  | 'CommentDeleted'
  /** Staff viewed confidential data. */
  | 'ConfidentialDataRead'
  /** A request to join was accepted. */
  | 'EntryRequestAccepted'
  /** A request to join was refused. */
  | 'EntryRequestRefused'
  /** The deletion of an account was requested. */
  | 'ErasureAsked'
  /** The request to delete an account was withdrawn. */
  | 'ErasureWithdrawn'
  /** A guardian consented to a student joining. */
  | 'GuardianConsented'
  /** A guardian refused or withdrew consent. */
  | 'GuardianRefused'
  /** A proposed invalidation was declined or withdrawn. */
  | 'InvalidationDeclined'
  /** A moderator proposed to invalidate many votes. */
  | 'InvalidationProposed'
  /** Invalidated votes count again. */
  | 'InvalidationReversed'
  /** An invitation link, code or list was created. */
  | 'InvitationMade'
  /** An invitation link, code or list was revoked. */
  | 'InvitationRevoked'
  /** A student was removed from a space. */
  | 'MemberRemoved'
  /** A student was suspended in a space. */
  | 'MemberSuspended'
  /** A student was warned in a space. */
  | 'MemberWarned'
  /** News was changed. */
  | 'NewspostChanged'
  /** News was published. */
  | 'NewspostPublished'
  /** News was removed. */
  | 'NewspostRemoved'
  /** Removed news was restored. */
  | 'NewspostRestored'
  /** A student reported a post. */
  | 'PostReported'
  /** All posts of a student in a space were removed. */
  | 'PostsRemoved'
  /** All removed posts of a student in a space were restored. */
  | 'PostsRestored'
  /** A stopped projection retried an event. */
  | 'ProjectionEventRetried'
  /** A projection skipped an event. */
  | 'ProjectionEventSkipped'
  /** The rebuild of a projection was cancelled. */
  | 'ProjectionRebuildCancelled'
  /** The rebuild of a projection was requested. */
  | 'ProjectionRebuildStarted'
  /** Another generation of a projection went live. */
  | 'ProjectionSwitched'
  /** The verification of a projection was stopped. */
  | 'ProjectionVerificationCancelled'
  /** A projection was compared with the log. */
  | 'ProjectionVerificationFinished'
  /** The verification of a projection was requested. */
  | 'ProjectionVerificationStarted'
  /** Staff or the author deleted a question. */
  | 'QuestionDeleted'
  /** Reports of a post were dismissed. */
  | 'ReportsDismissed'
  /** A case was handed over to another moderator. */
  | 'ReportsHandedOver'
  /** Reports were upheld and the post removed. */
  | 'ReportsUpheld'
  /** A role was granted. */
  | 'RoleGranted'
  /** A role was revoked. */
  | 'RoleRevoked'
  /** New scoring rules were published. */
  | 'ScoringRulesPublished'
  /** Scheduled scoring rules were withdrawn. */
  | 'ScoringRulesWithdrawn'
  /** A maintainer reset a second factor. */
  | 'SecondFactorReset'
  /** A space was archived. */
  | 'SpaceArchived'
  /** A space was changed. */
  | 'SpaceChanged'
  /** A space was created. */
  | 'SpaceCreated'
  /** A space was deleted, or removed because its import was abandoned. */
  | 'SpaceRemoved'
  /** An archived space was opened again. */
  | 'SpaceUnarchived'
  /** An account was blocked. */
  | 'StudentBlocked'
  /** An account was erased. */
  | 'StudentErased'
  /** The invitation of a student was revoked. */
  | 'StudentInvitationRevoked'
  /** A student was invited to a space. */
  | 'StudentInvited'
  /** A note on a student was removed. */
  | 'StudentNoteRemoved'
  /** A note on a student was written. */
  | 'StudentNoteWritten'
  /** An account was unblocked. */
  | 'StudentUnblocked'
  /** A subject was added. */
  | 'SubjectAdded'
  /** A subject was changed. */
  | 'SubjectChanged'
  /** The suspension of a student was lifted. */
  | 'SuspensionLifted'
  /** A topic was changed. */
  | 'TopicChanged'
  /** A topic was created. */
  | 'TopicCreated'
  /** The removal of a post was reversed. */
  | 'UpholdingReversed'
  /** A student voted. */
  | 'VoteCast'
  /** A moderator triaged a vote pattern. */
  | 'VotePatternTriaged'
  /** A student withdrew a vote. */
  | 'VoteWithdrawn'
  /** A moderator invalidated votes. */
  | 'VotesInvalidated';

/** Whose points an audit entry changed. */
export type AuditSide =
  /** The author of the post. */
  | 'RECEIVER'
  /** The student who voted. */
  | 'VOTER';

/** Fields that are not set stay unchanged. */
export type AvatarChange = {
  /** New group of the avatar. */
  group?: string | null | undefined;
  /** URL of the new picture, from an upload. */
  imageUrl?: string | null | undefined;
  /** New name of the avatar. */
  label?: string | null | undefined;
};

/** Whether an account was blocked or unblocked. */
export type BlockKind =
  /** The account was blocked. */
  | 'BLOCKED'
  /** The account was unblocked. */
  | 'UNBLOCKED';

/** Whether a block covers the whole account or participation in one space. */
export type BlockScope =
  /** Logging in, everywhere. */
  | 'ACCOUNT'
  /** Taking part in one space. */
  | 'SPACE';

/** Direction of a vote under review. */
export type CaseVoteDirection =
  /** A downvote. */
  | 'DOWN'
  /** An upvote. */
  | 'UP';

/** Way to reach an account. */
export type ContactKind =
  /** The email address. */
  | 'EMAIL'
  /** The mobile number. */
  | 'PHONE';

/** Outcome of a request to join, for the student who sent it. */
export type EntryRequestState =
  /** Not answered yet. */
  | 'OPEN'
  /** Refused by a moderator. */
  | 'REFUSED';

/** State of a guardian’s consent. */
export type GuardianConsentState =
  /** No answer yet. */
  | 'ASKED'
  /** The student may join and stay. */
  | 'GIVEN'
  /** Refused or withdrawn. */
  | 'REFUSED';

/** Reason shown to affected users. */
export type InvalidationCategory =
  /** Coordinated votes. */
  | 'ARRANGED'
  /** Another reason. */
  | 'OTHER'
  /** Votes in rapid succession. */
  | 'SERIAL'
  /** An account used only for voting. */
  | 'VOTING_ONLY';

/** State of a case of invalidated votes. */
export type InvalidationState =
  /** The proposal was declined or withdrawn. The votes count. */
  | 'DECLINED'
  /** The votes do not count. */
  | 'INVALIDATED'
  /** The votes count until another moderator confirms. */
  | 'PROPOSED'
  /** The votes count again. */
  | 'REVERSED';

/** How an invitation lets students in. */
export type InvitationKind =
  /** A class code to type in. */
  | 'CODE'
  /** Verified addresses in an email domain. */
  | 'DOMAIN'
  /** A group of a school’s login service. */
  | 'GROUP'
  /** A link to follow. */
  | 'LINK'
  /** A list of email addresses and mobile numbers. */
  | 'LIST';

/** Whether an invitation can still be used. */
export type InvitationState =
  /** Can be used. */
  | 'ACTIVE'
  /** Past its expiry date. */
  | 'EXPIRED'
  /** Revoked by staff. */
  | 'REVOKED'
  /** Reached its limit of students. */
  | 'USED_UP';

/** Decision of a moderator about a reported post. */
export type ModerationDecision =
  /** Staff deleted the post with a reason. */
  | 'DELETED'
  /** The reports were unfounded; the post stays. */
  | 'DISMISSED'
  /** The case was handed over to another moderator. */
  | 'HANDED_OVER'
  /** A removal was reversed; the post is visible again. */
  | 'REVERSED'
  /** The reports were upheld; the post was removed. */
  | 'UPHELD';

/** Whether to list open cases or decided ones. */
export type ModerationQueueState =
  /** Cases with a decision. */
  | 'DECIDED'
  /** Cases with open reports. */
  | 'OPEN';

/** Each kind uses only its own fields. */
export type NewInvitation = {
  /** Email addresses and mobile numbers, separated by newlines or commas. Stored only as keyed hashes. */
  contacts?: string | null | undefined;
  /** Lifetime of a link, a code or a list in days. */
  days?: number | null | undefined;
  /** For example `school.example`. Does not include subdomains. */
  domain?: string | null | undefined;
  /** Exact name at the provider. Takes effect at the next login with it. */
  group?: string | null | undefined;
  /** How it lets students in. */
  kind: InvitationKind;
  /** For a group: an enabled provider of `getSignInProviders`. */
  provider?: string | null | undefined;
  /** For a link or a code. */
  uses?: number | null | undefined;
};

/** A space to be created. */
export type NewSpace = {
  /** One of the caller's uploads. */
  bannerImageUrl?: string | null | undefined;
  /** Hex without #. */
  color: string;
  /** Younger students need a guardian’s consent, in years; null for no age check. */
  consentAge?: number | null | undefined;
  /** Plain text shown on the space’s card. */
  description?: string | null | undefined;
  /** How students join. */
  entry?: SpaceEntry | null | undefined;
  /** Whether public pages are hidden from search engines; true for a new space. */
  hiddenFromSearchEngines?: boolean | null | undefined;
  /** Name as shown. */
  name: string;
  /** Whether anyone with the link can read questions without an account. Open spaces only. */
  publicPages?: boolean | null | undefined;
};

/** Type of a notification. */
export type NotificationType =
  /** An answer by the caller was accepted. */
  | 'ANSWER_ACCEPTED'
  /** An answer by the caller was upvoted on a day. */
  | 'ANSWER_UPVOTED'
  /** A case reached the report threshold, or was handed over to the caller. */
  | 'CASE_ESCALATED'
  /** A student asks to join a space the caller moderates. */
  | 'ENTRY_REQUESTED'
  /** Another moderator proposed to invalidate many votes. */
  | 'INVALIDATION_PROPOSED'
  /** A comment mentions the caller. */
  | 'MENTION'
  /** A question by the caller was answered. */
  | 'NEW_ANSWER'
  /** An answer by the caller was commented on. */
  | 'NEW_COMMENT'
  /** A question was asked in a space of the caller. */
  | 'NEW_QUESTION'
  /** A question by the caller was commented on. */
  | 'NEW_QUESTION_COMMENT'
  /** A space the caller moderates has vote patterns to triage. */
  | 'PATTERNS_FOUND'
  /** A moderator removed all posts by the caller in the space. */
  | 'POSTS_REMOVED'
  /** A moderator restored the posts by the caller in the space. */
  | 'POSTS_RESTORED'
  /** Moderators removed a post by the caller. */
  | 'POST_REMOVED'
  /** A post was reported in a space the caller moderates. */
  | 'POST_REPORTED'
  /** A removed post by the caller is visible again. */
  | 'POST_RESTORED'
  /** A question by the caller was upvoted on a day. */
  | 'QUESTION_UPVOTED'
  /** A moderator suspended the caller in the space. */
  | 'SUSPENDED'
  /** A moderator warned the caller in the space. */
  | 'WARNED';

/** Purpose of a one-time code. */
export type OtpPurpose =
  /** To set a new password. */
  | 'FORGOT_PASSWORD'
  /** To create an account. */
  | 'SIGN_UP';

/** Status of a data export. */
export type OwnExportStatus =
  /** The export failed. Request it again. */
  | 'FAILED'
  /** Can be downloaded for a day. */
  | 'READY'
  /** Queued. */
  | 'WAITING'
  /** In progress. */
  | 'WORKING';

/** Points that upheld reports cost the author. */
export type Penalty =
  /** The penalty of reports, even below their threshold. */
  | 'FULL'
  /** No penalty, even if the reports reached their threshold before. */
  | 'NONE'
  /** The penalty that the scoring rules give. */
  | 'RULES';

/** Kind of post. */
export type PostType =
  /** An answer to a question. */
  | 'ANSWER'
  /** A comment on an answer. */
  | 'COMMENT'
  /** A question of a space. */
  | 'QUESTION'
  /** A comment on a question. */
  | 'QUESTION_COMMENT';

/** Kind of entry in the history of a projection. */
export type ProjectionActKind =
  /** A stopped projection retried an event. */
  | 'ProjectionEventRetried'
  /** A projection skipped an event. */
  | 'ProjectionEventSkipped'
  /** The rebuild of a projection was cancelled. */
  | 'ProjectionRebuildCancelled'
  /** The rebuild of a projection was requested. */
  | 'ProjectionRebuildStarted'
  /** Another generation of a projection went live. */
  | 'ProjectionSwitched'
  /** The verification of a projection was stopped. */
  | 'ProjectionVerificationCancelled'
  /** A projection was compared with the log. */
  | 'ProjectionVerificationFinished'
  /** The verification of a projection was requested. */
  | 'ProjectionVerificationStarted';

/** Role of a generation of a projection. */
export type ProjectionGenerationStatus =
  /** Building, or ready to switch. */
  | 'building'
  /** Serves all reads. */
  | 'live'
  /** Live before, and can go live again. */
  | 'retired'
  /** Scratch copy of a verification. */
  | 'verifying';

/** STOPPED at an event; AHEAD of the log, because an older log was restored; WAITING for a worker; BEHIND the log; otherwise FOLLOWING it. */
export type ProjectionState =
  /** Ahead of the log, because the log was restored from an older backup. */
  | 'AHEAD'
  /** Catching up. */
  | 'BEHIND'
  /** Up to date. */
  | 'FOLLOWING'
  /** Stopped at an event that it cannot apply. */
  | 'STOPPED'
  /** No worker runs it. */
  | 'WAITING';

/** Result of a comparison with the event log. */
export type ProjectionVerificationOutcome =
  /** Differs from the event log. */
  | 'DIFFERENT'
  /** Matches the event log. */
  | 'EQUAL'
  /** Could not be compared. */
  | 'FAILED';

/** Filters of a list of questions. Omitted ones do not apply. */
export type QuestionQueryVals = {
  /** Only questions by the caller. */
  myQuestions?: boolean | null | undefined;
  /** Only questions the caller saved. */
  savedQuestions?: boolean | null | undefined;
  /** Null or `world`: anything else is refused. Kept for older clients. */
  scope?: string | null | undefined;
  /** Only questions with an accepted answer. */
  solvedQuestions?: boolean | null | undefined;
  /** Space whose questions are listed. */
  space: string;
  /** Only questions in this subject. */
  subject?: string | null | undefined;
  /** Only questions in this topic. */
  topic?: string | null | undefined;
  /** Only questions without an accepted answer. */
  unsolvedQuestions?: boolean | null | undefined;
};

/** Whether a question existed at a point in time. */
export type QuestionState =
  /** Not asked yet at that time. */
  | 'NOT_ASKED_YET'
  /** Already removed at that time; visible to moderators only. */
  | 'REMOVED'
  /** Visible at that time. */
  | 'VISIBLE';

/** State of a post of a removal. */
export type RemovedPostState =
  /** Its author or a moderator deleted it. */
  | 'DELETED'
  /** The removal reaches it within seconds. */
  | 'PENDING'
  /** It is removed. */
  | 'REMOVED'
  /** It is visible again. */
  | 'RESTORED';

/** Outcome of a report. */
export type ReportOutcome =
  /** Found to be unfounded. */
  | 'DISMISSED'
  /** Not decided yet. */
  | 'OPEN'
  /** Found to be justified. */
  | 'UPHELD';

/** Staff role. */
export type Role =
  /** Manages spaces, roles, scoring rules and projections. */
  | 'MAINTAINER'
  /** Decides on reports and reviews votes, in one space or in all. */
  | 'MODERATOR';

/** Threshold. MEDALS: the first three places; FIRST_PAGE: the first twenty; ABOVE_FLOOR: more than 1 merit. */
export type ScoreLine =
  /** Merit above the minimum of 1. */
  | 'ABOVE_FLOOR'
  /** The first twenty places. */
  | 'FIRST_PAGE'
  /** The first three places. */
  | 'MEDALS';

/** Order of students whose score other rules change. */
export type ScoreMoveSort =
  /** Most points gained first. */
  | 'GAIN'
  /** Most points lost first. */
  | 'LOSS'
  /** Best rank first. */
  | 'RANK';

/** Students whose score changes, or who cross a threshold. */
export type ScoreMoves =
  /** Students who rise above the minimum merit or drop to it. */
  | 'ABOVE_FLOOR'
  /** Students who enter or leave the first page. */
  | 'FIRST_PAGE'
  /** Students who win or lose a medal. */
  | 'MEDALS'
  /** Everyone whose score changes. */
  | 'MOVERS';

/** Whether votes were invalidated or count again. */
export type ScoreNoticeKind =
  /** The votes no longer count. */
  | 'INVALIDATED'
  /** The votes count again. */
  | 'VALID_AGAIN';

/** Reason for gaining or losing points. */
export type ScoreReasonKind =
  /** The student accepted an answer. */
  | 'ACCEPTED_AN_ANSWER'
  /** An answer by the student was accepted. */
  | 'ANSWER_ACCEPTED'
  /** An answer by the student was downvoted. */
  | 'ANSWER_DOWNVOTED'
  /** The student answered a question. */
  | 'ANSWER_POSTED'
  /** An answer by the student was upvoted. */
  | 'ANSWER_UPVOTED'
  /** The student commented. */
  | 'COMMENT_POSTED'
  /** The student downvoted a post. */
  | 'DOWNVOTE_CAST'
  /** Enough students reported a post by the student. */
  | 'POST_REPORTED'
  /** A question by the student was downvoted. */
  | 'QUESTION_DOWNVOTED'
  /** The student asked a question. */
  | 'QUESTION_POSTED'
  /** A question by the student was upvoted. */
  | 'QUESTION_UPVOTED'
  /** The student upvoted a post. */
  | 'UPVOTE_CAST';

/** A complete draft of scoring rules. It replaces the previous one. */
export type ScoringDraftInput = {
  /** Version the draft is based on. */
  basedOn: number;
  /** Defaults to the entire history. */
  effectiveFrom?: string | null | undefined;
  /** Number of reporters at which a post costs its author points. */
  reportThreshold: number;
  /** Defaults to those of the version the draft is based on. */
  safeguards?: ScoringSafeguardsInput | null | undefined;
  /** Each kind once. */
  weights: Array<ScoringWeightInput>;
};

/** Rules against farming points. */
export type ScoringSafeguardsInput = {
  /** Whether only the last acceptance of a question pays, on both sides. */
  acceptancePaysOncePerQuestion: boolean;
  /** A post earns its author nothing if the author deletes it within this many hours. 0 disables the rule. */
  deletionForfeitsWithinHours: number;
  /** Whether a downvote needs enough merit to pay for it. */
  downvotesNeedMerit: boolean;
  /** Whether upheld reports cost the author points even below the threshold. */
  upheldReportsCount: boolean;
};

/** State of a version of the scoring rules. */
export type ScoringVersionState =
  /** In force now. */
  | 'IN_FORCE'
  /** Replaced by a later version. */
  | 'REPLACED'
  /** Takes effect at its scheduled time and can be withdrawn until then. */
  | 'SCHEDULED'
  /** Withdrawn before it took effect. */
  | 'WITHDRAWN';

/** Points for one kind of event. */
export type ScoringWeightInput = {
  /** Points of commitment. Never negative. */
  impact: number;
  /** Why the points were earned or lost. */
  kind: ScoreReasonKind;
  /** Points of reputation; may be negative. */
  merit: number;
};

/** Type of a security log entry. */
export type SecurityKind =
  /** Logged out on all devices. */
  | 'ALL_SESSIONS_ENDED'
  /** Staff blocked the account. */
  | 'BLOCKED'
  /** A wrong code was entered. */
  | 'CODE_FAILED'
  /** A code was sent by text message. */
  | 'CODE_SENT'
  /** Codes to change a contact were sent. */
  | 'CONTACT_CHANGE_ASKED'
  /** The email address was changed. */
  | 'EMAIL_CHANGED'
  /** The email address was confirmed. */
  | 'EMAIL_CONFIRMED'
  /** A second factor was set up. */
  | 'FACTOR_ADDED'
  /** The password was correct and the second factor was requested. */
  | 'FACTOR_ASKED'
  /** A second factor was wrong. */
  | 'FACTOR_FAILED'
  /** A second factor was removed. */
  | 'FACTOR_REMOVED'
  /** A second factor was renamed. */
  | 'FACTOR_RENAMED'
  /** A maintainer removed all second factors. */
  | 'FACTOR_RESET'
  /** A second factor was confirmed. */
  | 'FACTOR_USED'
  /** A session was started. */
  | 'LOGGED_IN'
  /** A session was ended on its device. */
  | 'LOGGED_OUT'
  /** A wrong password was entered. */
  | 'LOG_IN_FAILED'
  /** Logged out on all other devices. */
  | 'OTHER_SESSIONS_ENDED'
  /** The password was changed in the settings. */
  | 'PASSWORD_CHANGED'
  /** A wrong password was entered in the settings. */
  | 'PASSWORD_CHECK_FAILED'
  /** A forgotten password was replaced. */
  | 'PASSWORD_RESET'
  /** A first password was set. */
  | 'PASSWORD_SET'
  /** The mobile number was changed. */
  | 'PHONE_CHANGED'
  /** An account at another service was linked. */
  | 'PROVIDER_LINKED'
  /** New recovery codes were created. */
  | 'RECOVERY_CODES_MADE'
  /** A recovery code was used. */
  | 'RECOVERY_CODE_USED'
  /** A password reset link was emailed. */
  | 'RESET_ASKED'
  /** A maintainer granted a role. */
  | 'ROLE_GRANTED'
  /** A maintainer revoked a role. */
  | 'ROLE_REVOKED'
  /** Logged out on one other device. */
  | 'SESSION_ENDED'
  /** Staff suspended the student in a space. */
  | 'SUSPENDED'
  /** The suspension in a space was lifted. */
  | 'SUSPENSION_LIFTED'
  /** Staff unblocked the account. */
  | 'UNBLOCKED';

/** An answer as its author saw it before editing. */
export type SeenAnswer = {
  /** Value the caller read. Null skips the comparison. */
  body?: string | null | undefined;
  /** Values the caller read. Null skips the comparison. */
  imageUrls?: Array<string> | null | undefined;
};

/** State of the case that the moderator saw. The decision is refused if the case has changed. */
export type SeenCaseInput = {
  /** Number of undecided reports. */
  openReports: number;
  /** Revision of the case the caller saw. */
  revision: number;
};

/** A question as its author saw it before editing. */
export type SeenQuestion = {
  /** Value the caller read. Null skips the comparison. */
  body?: string | null | undefined;
  /** Values the caller read. Null skips the comparison. */
  imageUrls?: Array<string> | null | undefined;
  /** Value the caller read. Null skips the comparison. */
  title?: string | null | undefined;
};

/** Omitted fields stay unchanged; a null banner is removed, and a null age ends the age check. */
export type SpaceChange = {
  /** URL of the banner; null if none. */
  bannerImageUrl?: string | null | undefined;
  /** Hex without #. */
  color?: string | null | undefined;
  /** Younger students need a guardian’s consent, in years; null for no age check. */
  consentAge?: number | null | undefined;
  /** New description, plain text. */
  description?: string | null | undefined;
  /** How students join. */
  entry?: SpaceEntry | null | undefined;
  /** Whether public pages are hidden from search engines. */
  hiddenFromSearchEngines?: boolean | null | undefined;
  /** New name of the space. */
  name?: string | null | undefined;
  /** Whether anyone with the link can read questions without an account. Open spaces only. */
  publicPages?: boolean | null | undefined;
};

/** Unless a space is OPEN, only its name, description and color are visible to non-members. */
export type SpaceEntry =
  /** An import is in progress. The space is hidden from students. */
  | 'IMPORTING'
  /** By invitation of its staff. */
  | 'INVITATION'
  /** Anyone can join. */
  | 'OPEN'
  /** By request; its moderators accept. */
  | 'REQUEST';

/** Omitted fields stay unchanged. */
export type SubjectChange = {
  /** Hex without #. */
  color?: string | null | undefined;
  /** New name of the subject. */
  subjectName?: string | null | undefined;
};

/** Omitted fields stay unchanged; a null picture is removed. */
export type TopicChange = {
  /** URL of the picture; null if none. */
  imageS3Url?: string | null | undefined;
  /** New name of the topic. */
  topicName?: string | null | undefined;
  /** Whether it is suggested first. */
  topicType?: TopicType | null | undefined;
};

/** Whether a topic is suggested first. */
export type TopicType =
  /** Suggested first. */
  | 'PRIMARY'
  /** Suggested after the primary ones. */
  | 'SECONDARY';

/** Up or down. */
export type VoteDirection =
  /** A downvote. */
  | 'DOWN'
  /** An upvote. */
  | 'UP';

/** Shape of a vote pattern. */
export type VotePatternKind =
  /** Many votes of one account for another within minutes. */
  | 'BURST'
  /** An account that votes for only one person. */
  | 'ONE_PERSON'
  /** Two accounts that vote for each other. */
  | 'PAIR'
  /** Accounts that vote for one another in a circle. */
  | 'RING'
  /** Accounts that rarely post and vote for one person. */
  | 'STAR';

/** Triage state of a vote pattern. */
export type VotePatternState =
  /** Reviewed and found harmless. */
  | 'HARMLESS'
  /** Not triaged yet, or has grown since it was found harmless. */
  | 'NEW'
  /** Seen by a moderator. */
  | 'SEEN'
  /** Moderators are notified when it grows. */
  | 'WATCHED';

/** Possible verdicts on a vote pattern. */
export type VotePatternVerdict =
  /** Reviewed and found harmless. */
  | 'HARMLESS'
  /** Seen by a moderator. */
  | 'SEEN'
  /** Moderators are notified when it grows. */
  | 'WATCHED';

/** Identifies a vote by voter and post. */
export type VoteRefInput = {
  /** Identifier of the post. */
  postId: string;
  /** Identifier of the student who voted. */
  voterId: string;
};

/** Whether the student cast the votes or received them. */
export type VoteSide =
  /** Votes cast by the student. */
  | 'GIVEN'
  /** Votes on posts by the student. */
  | 'RECEIVED';

export type AnswerDetailFragment = { _id: string, body: string, imageUrls: Array<string>, createdAt: string, editedAt: string | null, upvoteCount: number, downvoteCount: number, commentsCount: number, upvotedBy: Array<{ _id: string }>, downvotedBy: Array<{ _id: string }>, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, question: { _id: string }, comments: Array<{ _id: string, body: string, mentions: Array<string>, createdAt: string, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }> };

export type AnswerListQueryVariables = Exact<{
  questionId: string;
  page: number;
  limit: number;
}>;


export type AnswerListQuery = { getPaginatedAnswers: { page: number, totalPages: number, docs: Array<{ _id: string, body: string, imageUrls: Array<string>, createdAt: string, editedAt: string | null, upvoteCount: number, downvoteCount: number, commentsCount: number, upvotedBy: Array<{ _id: string }>, downvotedBy: Array<{ _id: string }>, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, question: { _id: string }, comments: Array<{ _id: string, body: string, mentions: Array<string>, createdAt: string, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }> }> } };

export type AddAnswerMutationVariables = Exact<{
  questionId: string;
  body: string;
  imageUrls?: Array<string> | string | null | undefined;
}>;


export type AddAnswerMutation = { createAnswer: { _id: string, body: string, imageUrls: Array<string>, createdAt: string, editedAt: string | null, upvoteCount: number, downvoteCount: number, commentsCount: number, upvotedBy: Array<{ _id: string }>, downvotedBy: Array<{ _id: string }>, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, question: { _id: string }, comments: Array<{ _id: string, body: string, mentions: Array<string>, createdAt: string, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }> } | null };

export type EditAnswerMutationVariables = Exact<{
  id: string;
  body: string;
  imageUrls?: Array<string> | string | null | undefined;
  seen?: SeenAnswer | null | undefined;
}>;


export type EditAnswerMutation = { updateAnswer: { _id: string, body: string, imageUrls: Array<string>, createdAt: string, editedAt: string | null, upvoteCount: number, downvoteCount: number, commentsCount: number, upvotedBy: Array<{ _id: string }>, downvotedBy: Array<{ _id: string }>, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, question: { _id: string }, comments: Array<{ _id: string, body: string, mentions: Array<string>, createdAt: string, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }> } | null };

export type DeleteAnswerMutationVariables = Exact<{
  id: string;
}>;


export type DeleteAnswerMutation = { deleteAnswerById: { _id: string } };

export type AcceptAnswerMutationVariables = Exact<{
  answerId: string;
  questionId: string;
}>;


export type AcceptAnswerMutation = { acceptAnswer: { _id: string } };

export type LogAlarmQueryVariables = Exact<{ [key: string]: never; }>;


export type LogAlarmQuery = { getLogProof: { mismatches: Array<{ detail: string, ordinal: number, foundAt: string }> } };

export type AsOfSpacesQueryVariables = Exact<{ [key: string]: never; }>;


export type AsOfSpacesQuery = { getSpaces: Array<{ _id: string, name: string, entry: SpaceEntry, consent: { age: number } | null }> };

export type ModerationCountsQueryVariables = Exact<{ [key: string]: never; }>;


export type ModerationCountsQuery = { getModerationCounts: { reportedPosts: number, entryRequests: number, votePatterns: number, proposedCases: number } };

export type OwnRolesQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnRolesQuery = { getStudent: { _id: string, roles: Array<{ role: Role, space: string | null }> } | null };

export type PatternCountsQueryVariables = Exact<{ [key: string]: never; }>;


export type PatternCountsQuery = { getVotePatternCounts: Array<{ untriaged: number, seen: number, watched: number, watchedAndGrown: number, harmless: number, space: { _id: string, name: string } }> };

export type SaveQuestionMutationVariables = Exact<{
  questionId: string;
}>;


export type SaveQuestionMutation = { saveQuestion: { _id: string } };

export type UnsaveQuestionMutationVariables = Exact<{
  questionId: string;
}>;


export type UnsaveQuestionMutation = { unsaveQuestion: { _id: string } };

export type CommentDetailFragment = { _id: string, body: string, mentions: Array<string>, createdAt: string, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } };

export type QuestionCommentsQueryVariables = Exact<{
  questionId: string;
  page: number;
  limit: number;
}>;


export type QuestionCommentsQuery = { getPaginatedQuestionComments: { page: number, totalPages: number, docs: Array<{ _id: string, body: string, mentions: Array<string>, createdAt: string, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }> } };

export type AnswerCommentsQueryVariables = Exact<{
  answerId: string;
  page: number;
  limit: number;
}>;


export type AnswerCommentsQuery = { getPaginatedComments: { page: number, totalPages: number, docs: Array<{ _id: string, body: string, mentions: Array<string>, createdAt: string, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }> } };

export type AddQuestionCommentMutationVariables = Exact<{
  questionId: string;
  body: string;
}>;


export type AddQuestionCommentMutation = { createQuestionComment: { _id: string, body: string, mentions: Array<string>, createdAt: string, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } } | null };

export type AddAnswerCommentMutationVariables = Exact<{
  answerId: string;
  body: string;
}>;


export type AddAnswerCommentMutation = { createComment: { _id: string, body: string, mentions: Array<string>, createdAt: string, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } } | null };

export type DeleteQuestionCommentMutationVariables = Exact<{
  id: string;
}>;


export type DeleteQuestionCommentMutation = { deleteQuestionCommentById: { _id: string } };

export type DeleteAnswerCommentMutationVariables = Exact<{
  id: string;
}>;


export type DeleteAnswerCommentMutation = { deleteCommentById: { _id: string } };

export type MentionCandidatesQueryVariables = Exact<{
  space: string;
  search: string;
  limit: number;
}>;


export type MentionCandidatesQuery = { searchUsers: { hits: Array<{ _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }> } };

export type ChangePasswordMutationVariables = Exact<{
  phone: string | number;
  password: string;
  grant: string;
  factorCode?: string | null | undefined;
}>;


export type ChangePasswordMutation = { changePassword: { flag: number } };

export type CheckUserNameQueryVariables = Exact<{
  userName: string;
}>;


export type CheckUserNameQuery = { checkUserName: boolean };

export type CreateSendChallengeMutationVariables = Exact<{ [key: string]: never; }>;


export type CreateSendChallengeMutation = { createSendChallenge: { algorithm: string, challenge: string, salt: string, signature: string, maxNumber: number } };

export type CreateStudentMutationVariables = Exact<{
  phone: string | number;
}>;


export type CreateStudentMutation = { createStudent: { _id: string } };

export type GetTermsQueryVariables = Exact<{ [key: string]: never; }>;


export type GetTermsQuery = { getTerms: { version: string, text: string | null, mustAccept: boolean } };

export type LoginMutationVariables = Exact<{
  userName?: string | null | undefined;
  phone?: string | number | null | undefined;
  password: string;
  rememberMe?: boolean | null | undefined;
}>;


export type LoginMutation = { login: { accessToken: string | null, error: string | null, rule: string | null, confirmation: string | null, secondFactor: { ticket: string, hasTotp: boolean, hasPasskey: boolean } | null } };

export type OwnStudentQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnStudentQuery = { getStudent: { _id: string, firstName: string | null, lastName: string | null, userName: string | null, profileDesc: string | null, realProfilePicUrl: string | null } | null };

export type SendOtpMutationVariables = Exact<{
  phone: string | number;
  purpose: OtpPurpose;
  requestKey: string;
  proof?: string | null | undefined;
}>;


export type SendOtpMutation = { sendOTP: { flag: number, refusal: { message: string, code: string, rule: string, field: string | null, params: Array<{ name: string, value: string }> } | null } };

export type VerifyOtpMutationVariables = Exact<{
  phone: string | number;
  verificationCode: string;
  purpose: OtpPurpose;
  requestKey: string;
}>;


export type VerifyOtpMutation = { verifyOTP: { flag: number, id: string | null, grant: string | null } };

export type EditableProfileFragment = { _id: string, userName: string | null, firstName: string | null, lastName: string | null, profileDesc: string | null, realProfilePicUrl: string | null };

export type UpdateProfileMutationVariables = Exact<{
  id: string;
  userName: string;
  firstName: string;
  lastName: string;
  profileDesc: string;
  realProfilePicUrl?: string | null | undefined;
}>;


export type UpdateProfileMutation = { updateStudent: { _id: string, userName: string | null, firstName: string | null, lastName: string | null, profileDesc: string | null, realProfilePicUrl: string | null } };

export type PersonByNameQueryVariables = Exact<{
  space: string;
  userName: string;
}>;


export type PersonByNameQuery = { searchUsers: { hits: Array<{ _id: string, userName: string }> } };

export type ManagedStudentPartsFragment = { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, isBlocked: boolean, hasSecondFactor: boolean, erasureDueAt: string | null, spaceCount: number, createdAt: string, roles: Array<{ role: Role, space: { _id: string, name: string } | null }> };

export type ManagedStudentsQueryVariables = Exact<{
  search?: string | null | undefined;
  isBlocked?: boolean | null | undefined;
  page: number;
}>;


export type ManagedStudentsQuery = { getManagedStudents: { page: number, hasNext: boolean, docs: Array<{ _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, isBlocked: boolean, hasSecondFactor: boolean, erasureDueAt: string | null, spaceCount: number, createdAt: string, roles: Array<{ role: Role, space: { _id: string, name: string } | null }> }> } };

export type CreateSpaceMutationVariables = Exact<{
  details: NewSpace;
}>;


export type CreateSpaceMutation = { createSpace: { act: number | null, space: { _id: string, name: string, description: string, bannerImageUrl: string | null, color: string, hiddenFromSearchEngines: boolean, entry: SpaceEntry, isArchived: boolean, publicPages: boolean, consentAge: number | null, memberCount: number, subjectCount: number, topicCount: number } } };

export type ChangeSpaceMutationVariables = Exact<{
  id: string;
  change: SpaceChange;
  seen?: SpaceChange | null | undefined;
}>;


export type ChangeSpaceMutation = { changeSpace: { act: number | null, space: { _id: string, name: string, description: string, bannerImageUrl: string | null, color: string, hiddenFromSearchEngines: boolean, entry: SpaceEntry, isArchived: boolean, publicPages: boolean, consentAge: number | null, memberCount: number, subjectCount: number, topicCount: number } } };

export type NotificationItemFragment = { _id: string, type: NotificationType, isNew: boolean, createdAt: string, payload:
    | { questionId: string | null, questionTitle: string, answer: { _id: string, excerpt: string } | null, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }
    | { postId: string, postType: PostType, questionTitle: string, openReports: number, spaceName: string }
    | { questionId: string | null, commentId: string, questionTitle: string, commentBody: string, answer: { _id: string, excerpt: string } | null, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }
    | { text: string | null, space: string, spaceName: string, student: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }
    | { patterns: number, space: string, spaceName: string }
    | { caseId: string, reason: string, votes: number, spaceName: string }
    | { questionId: string | null, commentId: string, questionTitle: string, commentBody: string, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }
    | { questionId: string | null, questionTitle: string, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }
    | { reason: string, posts: number, space: string, spaceName: string, objectTo: string | null }
    | { questionId: string | null, questionTitle: string, reason: string }
    | { reason: string, until: string | null, space: string, spaceName: string }
    | { questionId: string | null, questionTitle: string, upvotes: number, answer: { _id: string, excerpt: string } | null }
    | { warning: string, objectTo: string | null, spaceName: string, post: { questionId: string, questionTitle: string, answerId: string | null, commentId: string | null } | null }
   };

export type NotificationsQueryVariables = Exact<{
  space?: string | null | undefined;
  page: number;
}>;


export type NotificationsQuery = { getPaginatedNotifications: { page: number, totalPages: number, docs: Array<{ _id: string, type: NotificationType, isNew: boolean, createdAt: string, payload:
        | { questionId: string | null, questionTitle: string, answer: { _id: string, excerpt: string } | null, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }
        | { postId: string, postType: PostType, questionTitle: string, openReports: number, spaceName: string }
        | { questionId: string | null, commentId: string, questionTitle: string, commentBody: string, answer: { _id: string, excerpt: string } | null, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }
        | { text: string | null, space: string, spaceName: string, student: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }
        | { patterns: number, space: string, spaceName: string }
        | { caseId: string, reason: string, votes: number, spaceName: string }
        | { questionId: string | null, commentId: string, questionTitle: string, commentBody: string, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }
        | { questionId: string | null, questionTitle: string, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }
        | { reason: string, posts: number, space: string, spaceName: string, objectTo: string | null }
        | { questionId: string | null, questionTitle: string, reason: string }
        | { reason: string, until: string | null, space: string, spaceName: string }
        | { questionId: string | null, questionTitle: string, upvotes: number, answer: { _id: string, excerpt: string } | null }
        | { warning: string, objectTo: string | null, spaceName: string, post: { questionId: string, questionTitle: string, answerId: string | null, commentId: string | null } | null }
       }> } };

export type NewNotificationCountQueryVariables = Exact<{
  space?: string | null | undefined;
}>;


export type NewNotificationCountQuery = { getNewNotificationCount: number };

export type MarkNotificationsSeenMutationVariables = Exact<{
  space?: string | null | undefined;
  upTo?: string | null | undefined;
}>;


export type MarkNotificationsSeenMutation = { markNotificationsSeen: number };

export type NotificationArrivedSubscriptionVariables = Exact<{
  space?: string | null | undefined;
}>;


export type NotificationArrivedSubscription = { notificationArrived: { space: string } };

export type OwnErasureQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnErasureQuery = { getOwnErasure: { dueAt: string, withPosts: boolean } | null };

export type KeepOwnAccountMutationVariables = Exact<{ [key: string]: never; }>;


export type KeepOwnAccountMutation = { cancelOwnErasure: { flag: number } };

export type AvatarsQueryVariables = Exact<{ [key: string]: never; }>;


export type AvatarsQuery = { getAvatars: Array<{ category: string, urls: Array<string> }> };

export type OwnRemovalFragment = { postId: string, postType: PostType, title: string, body: string, reason: string, at: string, objectTo: string | null };

export type OwnRemovalsQueryVariables = Exact<{
  questionId: string;
}>;


export type OwnRemovalsQuery = { getOwnRemovals: Array<{ postId: string, postType: PostType, title: string, body: string, reason: string, at: string, objectTo: string | null }> };

export type PersonNameFragment = { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null };

export type QuestionCardFragment = { _id: string, title: string, excerpt: string, createdAt: string, upvoteCount: number, downvoteCount: number, answerCount: number, commentsCount: number, acceptedAnswer: { _id: string } | null, subject: { _id: string, subjectName: string, color: string }, topic: { _id: string, topicName: string }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } };

export type QuestionDetailFragment = { body: string, imageUrls: Array<string>, editedAt: string | null, isSaved: boolean, isAuthorizedToView: boolean, isAuthorizedToInteract: boolean, mayAccept: boolean, _id: string, title: string, excerpt: string, createdAt: string, upvoteCount: number, downvoteCount: number, answerCount: number, commentsCount: number, upvotedBy: Array<{ _id: string }>, downvotedBy: Array<{ _id: string }>, space: { _id: string, name: string, joined: boolean }, acceptedAnswer: { _id: string } | null, subject: { _id: string, subjectName: string, color: string }, topic: { _id: string, topicName: string }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } };

export type QuestionListQueryVariables = Exact<{
  page: number;
  limit: number;
  sort: number;
  queryVals: QuestionQueryVals;
  withFirst?: boolean;
}>;


export type QuestionListQuery = { getPaginatedQuestions: { page: number, totalPages: number, docs: Array<{ _id: string, title: string, excerpt: string, createdAt: string, upvoteCount: number, downvoteCount: number, answerCount: number, commentsCount: number, acceptedAnswer: { _id: string } | null, subject: { _id: string, subjectName: string, color: string }, topic: { _id: string, topicName: string }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }> }, first?: { docs: Array<{ body: string, imageUrls: Array<string>, editedAt: string | null, isSaved: boolean, isAuthorizedToView: boolean, isAuthorizedToInteract: boolean, mayAccept: boolean, _id: string, title: string, excerpt: string, createdAt: string, upvoteCount: number, downvoteCount: number, answerCount: number, commentsCount: number, upvotedBy: Array<{ _id: string }>, downvotedBy: Array<{ _id: string }>, space: { _id: string, name: string, joined: boolean }, acceptedAnswer: { _id: string } | null, subject: { _id: string, subjectName: string, color: string }, topic: { _id: string, topicName: string }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }> } };

export type WholeQuestionsQueryVariables = Exact<{
  page: number;
  limit: number;
  sort: number;
  queryVals: QuestionQueryVals;
}>;


export type WholeQuestionsQuery = { getPaginatedQuestions: { docs: Array<{ body: string, imageUrls: Array<string>, editedAt: string | null, isSaved: boolean, isAuthorizedToView: boolean, isAuthorizedToInteract: boolean, mayAccept: boolean, _id: string, title: string, excerpt: string, createdAt: string, upvoteCount: number, downvoteCount: number, answerCount: number, commentsCount: number, upvotedBy: Array<{ _id: string }>, downvotedBy: Array<{ _id: string }>, space: { _id: string, name: string, joined: boolean }, acceptedAnswer: { _id: string } | null, subject: { _id: string, subjectName: string, color: string }, topic: { _id: string, topicName: string }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }> } };

export type NewestQuestionsQueryVariables = Exact<{
  page: number;
  limit: number;
  sort: number;
  queryVals: QuestionQueryVals;
}>;


export type NewestQuestionsQuery = { getPaginatedQuestions: { docs: Array<{ _id: string }> } };

export type UnsolvedQuestionsQueryVariables = Exact<{
  spaceId: string;
  limit: number;
  subjectIds?: Array<string> | string | null | undefined;
}>;


export type UnsolvedQuestionsQuery = { getUnsolvedQuestions: { docs: Array<{ _id: string, title: string, excerpt: string, createdAt: string, upvoteCount: number, downvoteCount: number, answerCount: number, commentsCount: number, acceptedAnswer: { _id: string } | null, subject: { _id: string, subjectName: string, color: string }, topic: { _id: string, topicName: string }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }> } };

export type PublicQuestionQueryVariables = Exact<{
  questionId: string;
  withRest?: boolean;
}>;


export type PublicQuestionQuery = { getQuestionById: { body: string, imageUrls: Array<string>, editedAt: string | null, isSaved: boolean, isAuthorizedToView: boolean, isAuthorizedToInteract: boolean, mayAccept: boolean, _id: string, title: string, excerpt: string, createdAt: string, upvoteCount: number, downvoteCount: number, answerCount: number, commentsCount: number, upvotedBy: Array<{ _id: string }>, downvotedBy: Array<{ _id: string }>, space: { _id: string, name: string, joined: boolean }, acceptedAnswer: { _id: string } | null, subject: { _id: string, subjectName: string, color: string }, topic: { _id: string, topicName: string }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } } | null, getPaginatedQuestionComments?: { page: number, totalPages: number, docs: Array<{ _id: string, body: string, mentions: Array<string>, createdAt: string, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }> }, getPaginatedAnswers?: { page: number, totalPages: number, docs: Array<{ _id: string, body: string, imageUrls: Array<string>, createdAt: string, editedAt: string | null, upvoteCount: number, downvoteCount: number, commentsCount: number, upvotedBy: Array<{ _id: string }>, downvotedBy: Array<{ _id: string }>, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, question: { _id: string }, comments: Array<{ _id: string, body: string, mentions: Array<string>, createdAt: string, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }> }> } };

export type OwnQuestionQueryVariables = Exact<{
  questionId: string;
  withRest?: boolean;
}>;


export type OwnQuestionQuery = { getQuestionByIdWithUserAuthorization: { body: string, imageUrls: Array<string>, editedAt: string | null, isSaved: boolean, isAuthorizedToView: boolean, isAuthorizedToInteract: boolean, mayAccept: boolean, _id: string, title: string, excerpt: string, createdAt: string, upvoteCount: number, downvoteCount: number, answerCount: number, commentsCount: number, upvotedBy: Array<{ _id: string }>, downvotedBy: Array<{ _id: string }>, space: { _id: string, name: string, joined: boolean }, acceptedAnswer: { _id: string } | null, subject: { _id: string, subjectName: string, color: string }, topic: { _id: string, topicName: string }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } } | null, getPaginatedQuestionComments?: { page: number, totalPages: number, docs: Array<{ _id: string, body: string, mentions: Array<string>, createdAt: string, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }> }, getPaginatedAnswers?: { page: number, totalPages: number, docs: Array<{ _id: string, body: string, imageUrls: Array<string>, createdAt: string, editedAt: string | null, upvoteCount: number, downvoteCount: number, commentsCount: number, upvotedBy: Array<{ _id: string }>, downvotedBy: Array<{ _id: string }>, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, question: { _id: string }, comments: Array<{ _id: string, body: string, mentions: Array<string>, createdAt: string, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }> }> }, getOwnRemovals?: Array<{ postId: string }> };

export type AskQuestionMutationVariables = Exact<{
  subject: string;
  topic: string;
  title: string;
  body?: string | null | undefined;
  imageUrls?: Array<string> | string | null | undefined;
  space: string;
}>;


export type AskQuestionMutation = { createQuestion: { body: string, imageUrls: Array<string>, editedAt: string | null, isSaved: boolean, isAuthorizedToView: boolean, isAuthorizedToInteract: boolean, mayAccept: boolean, _id: string, title: string, excerpt: string, createdAt: string, upvoteCount: number, downvoteCount: number, answerCount: number, commentsCount: number, upvotedBy: Array<{ _id: string }>, downvotedBy: Array<{ _id: string }>, space: { _id: string, name: string, joined: boolean }, acceptedAnswer: { _id: string } | null, subject: { _id: string, subjectName: string, color: string }, topic: { _id: string, topicName: string }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } } | null };

export type EditQuestionMutationVariables = Exact<{
  id: string;
  title: string;
  body?: string | null | undefined;
  imageUrls?: Array<string> | string | null | undefined;
  seen?: SeenQuestion | null | undefined;
}>;


export type EditQuestionMutation = { updateQuestion: { body: string, imageUrls: Array<string>, editedAt: string | null, isSaved: boolean, isAuthorizedToView: boolean, isAuthorizedToInteract: boolean, mayAccept: boolean, _id: string, title: string, excerpt: string, createdAt: string, upvoteCount: number, downvoteCount: number, answerCount: number, commentsCount: number, upvotedBy: Array<{ _id: string }>, downvotedBy: Array<{ _id: string }>, space: { _id: string, name: string, joined: boolean }, acceptedAnswer: { _id: string } | null, subject: { _id: string, subjectName: string, color: string }, topic: { _id: string, topicName: string }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } } | null };

export type DeleteQuestionMutationVariables = Exact<{
  id: string;
}>;


export type DeleteQuestionMutation = { deleteQuestionById: { _id: string } };

export type QuestionUpdatedSubscriptionVariables = Exact<{
  questionId: string;
}>;


export type QuestionUpdatedSubscription = { questionUpdated: { questionId: string, sequence: number } };

export type PreviewPostsRemovalQueryVariables = Exact<{
  space: string;
  author: string;
}>;


export type PreviewPostsRemovalQuery = { previewPostsRemoval: { fingerprint: string, questions: number, answers: number, comments: number, answersOfOthers: number, leftOut: number, remaining: number } };

export type RemovePostsMutationVariables = Exact<{
  space: string;
  author: string;
  reason: string;
  fingerprint: string;
}>;


export type RemovePostsMutation = { removePosts: { _id: string } };

export type ReportedPostsFragment = { docs: Array<{ _id: string, post: string }> };

export type OwnReportsOfAllFragment = { QUESTION: { docs: Array<{ _id: string, post: string }> }, ANSWER: { docs: Array<{ _id: string, post: string }> }, ANSWER_COMMENT: { docs: Array<{ _id: string, post: string }> }, QUESTION_COMMENT: { docs: Array<{ _id: string, post: string }> } };

export type OwnReportsQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnReportsQuery = { QUESTION: { docs: Array<{ _id: string, post: string }> }, ANSWER: { docs: Array<{ _id: string, post: string }> }, ANSWER_COMMENT: { docs: Array<{ _id: string, post: string }> }, QUESTION_COMMENT: { docs: Array<{ _id: string, post: string }> } };

export type ReportPostMutationVariables = Exact<{
  postId: string;
  postType: PostType;
  reason: string;
}>;


export type ReportPostMutation = { reportPost: { _id: string } };

export type ScoringRulesQueryVariables = Exact<{ [key: string]: never; }>;


export type ScoringRulesQuery = { getScoringRules: { version: number, reportThreshold: number, weights: Array<{ kind: ScoreReasonKind, merit: number, impact: number }>, safeguards: { acceptancePaysOncePerQuestion: boolean, deletionForfeitsWithinHours: number, downvotesNeedMerit: boolean, upheldReportsCount: boolean }, changes: Array<{ version: number, note: string, publishedAt: string, effectiveFrom: string | null, isScheduled: boolean }> } };

export type MarkedTextFragment = { text: string, isMatch: boolean };

export type FoundQuestionFragment = { _id: string, title: Array<{ text: string, isMatch: boolean }>, excerpt: Array<{ text: string, isMatch: boolean }>, question: { _id: string, title: string, excerpt: string, createdAt: string, upvoteCount: number, downvoteCount: number, answerCount: number, commentsCount: number, acceptedAnswer: { _id: string } | null, subject: { _id: string, subjectName: string, color: string }, topic: { _id: string, topicName: string }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } } };

export type FoundAnswerFragment = { _id: string, title: Array<{ text: string, isMatch: boolean }>, excerpt: Array<{ text: string, isMatch: boolean }>, answer: { _id: string, createdAt: string, upvoteCount: number, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, question: { _id: string } } };

export type SearchQuestionsQueryVariables = Exact<{
  search: string;
  skip: number;
  limit: number;
  sort?: number | null | undefined;
  queryVals: QuestionQueryVals;
}>;


export type SearchQuestionsQuery = { searchQuestions: { degraded: boolean, hits: Array<{ _id: string, title: Array<{ text: string, isMatch: boolean }>, excerpt: Array<{ text: string, isMatch: boolean }>, question: { _id: string, title: string, excerpt: string, createdAt: string, upvoteCount: number, downvoteCount: number, answerCount: number, commentsCount: number, acceptedAnswer: { _id: string } | null, subject: { _id: string, subjectName: string, color: string }, topic: { _id: string, topicName: string }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } } }> } };

export type SearchAnswersQueryVariables = Exact<{
  search: string;
  skip: number;
  limit: number;
  sort?: number | null | undefined;
  space: string;
  subject?: string | null | undefined;
  topic?: string | null | undefined;
}>;


export type SearchAnswersQuery = { searchAnswers: { degraded: boolean, hits: Array<{ _id: string, title: Array<{ text: string, isMatch: boolean }>, excerpt: Array<{ text: string, isMatch: boolean }>, answer: { _id: string, createdAt: string, upvoteCount: number, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, question: { _id: string } } }> } };

export type SearchTopicsQueryVariables = Exact<{
  search: string;
  skip: number;
  limit: number;
  space: string;
  subject?: string | null | undefined;
}>;


export type SearchTopicsQuery = { searchTopics: { hits: Array<{ _id: string, topicName: string, subject: { _id: string, subjectName: string, color: string } }> } };

export type SearchPeopleQueryVariables = Exact<{
  search: string;
  skip: number;
  limit: number;
  space: string;
}>;


export type SearchPeopleQuery = { searchUsers: { hits: Array<{ profileDesc: string, _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }> } };

export type SearchElsewhereQueryVariables = Exact<{
  search: string;
  space: string;
  queryVals: QuestionQueryVals;
  limit: number;
  subject?: string | null | undefined;
  topic?: string | null | undefined;
}>;


export type SearchElsewhereQuery = { questions: { hits: Array<{ _id: string }> }, answers: { hits: Array<{ _id: string }> }, topics: { hits: Array<{ _id: string }> }, people: { hits: Array<{ _id: string }> } };

export type SimilarQuestionsQueryVariables = Exact<{
  title: string;
  space: string;
  limit: number;
}>;


export type SimilarQuestionsQuery = { getSimilarQuestions: { hits: Array<{ _id: string, title: Array<{ text: string, isMatch: boolean }>, excerpt: Array<{ text: string, isMatch: boolean }>, question: { _id: string, title: string, excerpt: string, createdAt: string, upvoteCount: number, downvoteCount: number, answerCount: number, commentsCount: number, acceptedAnswer: { _id: string } | null, subject: { _id: string, subjectName: string, color: string }, topic: { _id: string, topicName: string }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } } }> } };

export type OwnSecondFactorQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnSecondFactorQuery = { getSecondFactor: { isRequired: boolean, opensStaffAreas: boolean, isRecent: boolean, hasTotp: boolean, totpName: string | null, recoveryCodesLeft: number, passkeyHost: string, passkeys: Array<{ _id: string, name: string, createdAt: string, lastUsedAt: string | null }>, reset: { at: string, reason: string } | null } };

export type StartTotpMutationVariables = Exact<{
  password: string;
}>;


export type StartTotpMutation = { startTotp: { secret: string, address: string } };

export type FinishTotpMutationVariables = Exact<{
  code: string;
}>;


export type FinishTotpMutation = { finishTotp: { recoveryCodes: Array<string> | null } };

export type StartPasskeyMutationVariables = Exact<{
  password: string;
}>;


export type StartPasskeyMutation = { startPasskey: string };

export type FinishPasskeyMutationVariables = Exact<{
  name: string;
  passkey: string;
}>;


export type FinishPasskeyMutation = { finishPasskey: { recoveryCodes: Array<string> | null } };

export type RenameTotpMutationVariables = Exact<{
  name: string;
}>;


export type RenameTotpMutation = { renameTotp: { flag: number } };

export type RenamePasskeyMutationVariables = Exact<{
  id: string;
  name: string;
}>;


export type RenamePasskeyMutation = { renamePasskey: { flag: number } };

export type RemoveTotpMutationVariables = Exact<{ [key: string]: never; }>;


export type RemoveTotpMutation = { removeTotp: { flag: number } };

export type RemovePasskeyMutationVariables = Exact<{
  id: string;
}>;


export type RemovePasskeyMutation = { removePasskey: { flag: number } };

export type RenewRecoveryCodesMutationVariables = Exact<{ [key: string]: never; }>;


export type RenewRecoveryCodesMutation = { renewRecoveryCodes: Array<string> };

export type StartPasskeyConfirmationMutationVariables = Exact<{ [key: string]: never; }>;


export type StartPasskeyConfirmationMutation = { startPasskeyConfirmation: string };

export type ConfirmSecondFactorMutationVariables = Exact<{
  code?: string | null | undefined;
  passkey?: string | null | undefined;
}>;


export type ConfirmSecondFactorMutation = { confirmSecondFactor: { flag: number } };

export type DismissSecondFactorResetMutationVariables = Exact<{ [key: string]: never; }>;


export type DismissSecondFactorResetMutation = { dismissSecondFactorReset: { flag: number } };

export type SecurityLogPagePartsFragment = { page: number, hasNext: boolean, docs: Array<{ _id: string, kind: SecurityKind, at: string, browser: string | null, system: string | null, network: string | null }> };

export type OwnSecurityLogQueryVariables = Exact<{
  page: number;
}>;


export type OwnSecurityLogQuery = { getSecurityLog: { page: number, hasNext: boolean, docs: Array<{ _id: string, kind: SecurityKind, at: string, browser: string | null, system: string | null, network: string | null }> } };

export type StaffSecurityLogQueryVariables = Exact<{
  studentId: string;
  page: number;
}>;


export type StaffSecurityLogQuery = { getStaffSecurityLog: { page: number, hasNext: boolean, docs: Array<{ _id: string, kind: SecurityKind, at: string, browser: string | null, system: string | null, network: string | null }> } };

export type LeaveSpaceMutationVariables = Exact<{
  spaceId: string;
}>;


export type LeaveSpaceMutation = { leaveSpace: { _id: string, joined: boolean, memberCount: number | null } };

export type RegisterStudentMutationVariables = Exact<{
  id: string;
  grant: string;
  userName: string;
  password: string;
  firstName: string;
  lastName: string;
  profileDesc: string;
  realProfilePicUrl?: string | null | undefined;
}>;


export type RegisterStudentMutation = { updateStudent: { _id: string, userName: string | null } };

export type SpaceSubjectsQueryVariables = Exact<{
  space: string;
}>;


export type SpaceSubjectsQuery = { getSubjectsForSpace: Array<{ _id: string, subjectName: string, color: string }> };

export type SubjectTopicsQueryVariables = Exact<{
  subject: string;
  search?: string | null | undefined;
}>;


export type SubjectTopicsQuery = { getSubjectTopics: Array<{ _id: string, topicName: string, topicType: TopicType }> };

export type PopularTopicsQueryVariables = Exact<{
  spaceId: string;
  subjectIds?: Array<string> | string | null | undefined;
}>;


export type PopularTopicsQuery = { getPopularTopics: Array<{ _id: string, topicName: string, imageS3Url: string | null, subject: { _id: string, subjectName: string, color: string } }> };

export type CreateTopicMutationVariables = Exact<{
  topicName: string;
  subject: string;
}>;


export type CreateTopicMutation = { createTopic: { _id: string, topicName: string, topicType: TopicType } };

export type SuspendMemberMutationVariables = Exact<{
  studentId: string;
  space: string;
  reason: string;
  until?: string | null | undefined;
}>;


export type SuspendMemberMutation = { suspendMember: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, profileDesc: string, joinedAt: string, isMember: boolean, isRobot: boolean, reputations: number, commitments: number, score: number, rank: number | null, questionsAsked: number, questionsAnswered: number, answersAccepted: number, accountStatus: AccountStatus | null, blockScope: BlockScope | null, isBlockable: boolean, blockRefusal: string | null, isSuspendable: boolean, isWarnable: boolean, arePostsRemovable: boolean, suspendedUntil: string | null } };

export type CasePersonFragment = { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null };

export type JudgedVoteRowFragment = { postId: string, postType: PostType, direction: CaseVoteDirection, castAt: string | null, isHeld: boolean, caseIds: Array<string>, voter: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, question: { _id: string, title: string } };

export type CaseEffectFragment = { studentCount: number, postCount: number, students: Array<{ votesGiven: number, votesReceived: number, student: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, space: { _id: string, name: string }, before: { reputations: number, commitments: number, score: number, rank: number | null }, after: { reputations: number, commitments: number, score: number, rank: number | null } }>, posts: Array<{ postId: string, postType: PostType, question: { _id: string, title: string }, before: { upvotes: number, downvotes: number }, after: { upvotes: number, downvotes: number } }> };

export type PreviewInvalidationQueryVariables = Exact<{
  votes: Array<VoteRefInput> | VoteRefInput;
}>;


export type PreviewInvalidationQuery = { previewInvalidation: { fingerprint: string, needsConfirmation: boolean, effect: { studentCount: number, postCount: number, students: Array<{ votesGiven: number, votesReceived: number, student: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, space: { _id: string, name: string }, before: { reputations: number, commitments: number, score: number, rank: number | null }, after: { reputations: number, commitments: number, score: number, rank: number | null } }>, posts: Array<{ postId: string, postType: PostType, question: { _id: string, title: string }, before: { upvotes: number, downvotes: number }, after: { upvotes: number, downvotes: number } }> } } };

export type InvalidateVotesMutationVariables = Exact<{
  votes: Array<VoteRefInput> | VoteRefInput;
  category: InvalidationCategory;
  reason: string;
  fingerprint: string;
}>;


export type InvalidateVotesMutation = { invalidateVotes: { _id: string, state: InvalidationState } };

export type QuestionVotesFragment = { _id: string, upvoteCount: number, downvoteCount: number, upvotedBy: Array<{ _id: string }>, downvotedBy: Array<{ _id: string }> };

export type AnswerVotesFragment = { _id: string, upvoteCount: number, downvoteCount: number, upvotedBy: Array<{ _id: string }>, downvotedBy: Array<{ _id: string }> };

export type UpvoteQuestionMutationVariables = Exact<{
  id: string;
}>;


export type UpvoteQuestionMutation = { upvoteQuestion: { _id: string, question: { _id: string, upvoteCount: number, downvoteCount: number, upvotedBy: Array<{ _id: string }>, downvotedBy: Array<{ _id: string }> } | null } };

export type DownvoteQuestionMutationVariables = Exact<{
  id: string;
}>;


export type DownvoteQuestionMutation = { downvoteQuestion: { _id: string, question: { _id: string, upvoteCount: number, downvoteCount: number, upvotedBy: Array<{ _id: string }>, downvotedBy: Array<{ _id: string }> } | null } };

export type UpvoteAnswerMutationVariables = Exact<{
  id: string;
}>;


export type UpvoteAnswerMutation = { upvoteAnswer: { _id: string, answer: { _id: string, upvoteCount: number, downvoteCount: number, upvotedBy: Array<{ _id: string }>, downvotedBy: Array<{ _id: string }> } | null } };

export type DownvoteAnswerMutationVariables = Exact<{
  id: string;
}>;


export type DownvoteAnswerMutation = { downvoteAnswer: { _id: string, answer: { _id: string, upvoteCount: number, downvoteCount: number, upvotedBy: Array<{ _id: string }>, downvotedBy: Array<{ _id: string }> } | null } };

export type WarnMemberMutationVariables = Exact<{
  studentId: string;
  space: string;
  text: string;
  postId?: string | null | undefined;
}>;


export type WarnMemberMutation = { warnMember: { flag: number } };

export type SpaceStandingQueryVariables = Exact<{
  space: string;
}>;


export type SpaceStandingQuery = { getStudentSpaces: Array<{ _id: string, isArchived: boolean }>, getOwnSuspension: { since: string, until: string | null, reason: string, objectTo: string | null } | null };

export type SpaceStartQueryVariables = Exact<{
  space: string;
}>;


export type SpaceStartQuery = { getNewNotificationCount: number, getOwnSuspension: { since: string, until: string | null, reason: string, objectTo: string | null } | null, getOwnErasure: { dueAt: string, withPosts: boolean } | null, getStudentSpaces: Array<{ _id: string, isArchived: boolean }>, QUESTION: { docs: Array<{ _id: string, post: string }> }, ANSWER: { docs: Array<{ _id: string, post: string }> }, ANSWER_COMMENT: { docs: Array<{ _id: string, post: string }> }, QUESTION_COMMENT: { docs: Array<{ _id: string, post: string }> } };

export type UploadSlotQueryVariables = Exact<{
  contentType?: string | null | undefined;
  contentLength?: number | null | undefined;
  grant?: string | null | undefined;
}>;


export type UploadSlotQuery = { getPresignedS3Url: { url: string, key: string, doneUrl: string | null } };

export type LogEventLineFragment = { ordinal: number, type: string, streamId: string, revision: number, recordedAt: string };

export type LogEventsQueryVariables = Exact<{
  type?: string | null | undefined;
  category?: string | null | undefined;
  before?: number | null | undefined;
  after?: number | null | undefined;
}>;


export type LogEventsQuery = { getLogEvents: { fromOrdinal: number, toOrdinal: number, lastOrdinal: number, events: Array<{ ordinal: number, type: string, streamId: string, revision: number, recordedAt: string }> } };

export type LogFiltersQueryVariables = Exact<{ [key: string]: never; }>;


export type LogFiltersQuery = { getLogFilters: { types: Array<string>, categories: Array<string> } };

export type LogEventQueryVariables = Exact<{
  ordinal: number;
}>;


export type LogEventQuery = { getLogEvent: { undecodable: string | null, event: { eventId: string, occurredAt: string, actorKind: AuditActorKind, operator: string | null, commandId: string, correlationId: string, causationId: string, schemaVersion: number, isStaffAction: boolean, ordinal: number, type: string, streamId: string, revision: number, recordedAt: string }, data: Array<{ name: string, value: string, isProtected: boolean }> } | null };

export type LogStreamQueryVariables = Exact<{
  streamId?: string | null | undefined;
  ordinal?: number | null | undefined;
  fromRevision: number;
}>;


export type LogStreamQuery = { getLogStream: { streamId: string, hasMore: boolean, events: Array<{ ordinal: number, type: string, streamId: string, revision: number, recordedAt: string }> } | null };

export type ManagedAvatarPartsFragment = { _id: string, group: string, label: string, imageUrl: string, isRetired: boolean, isBuiltIn: boolean };

export type ManagedAvatarsQueryVariables = Exact<{ [key: string]: never; }>;


export type ManagedAvatarsQuery = { getManagedAvatars: Array<{ _id: string, group: string, label: string, imageUrl: string, isRetired: boolean, isBuiltIn: boolean }> };

export type AddAvatarMutationVariables = Exact<{
  group: string;
  label: string;
  imageUrl: string;
}>;


export type AddAvatarMutation = { addAvatar: { act: number | null } };

export type ChangeAvatarMutationVariables = Exact<{
  id: string;
  change: AvatarChange;
  seen?: AvatarChange | null | undefined;
}>;


export type ChangeAvatarMutation = { changeAvatar: { act: number | null } };

export type RetireAvatarMutationVariables = Exact<{
  id: string;
}>;


export type RetireAvatarMutation = { retireAvatar: { act: number | null } };

export type RestoreAvatarMutationVariables = Exact<{
  id: string;
}>;


export type RestoreAvatarMutation = { restoreAvatar: { act: number | null } };

export type ManagedNewsQueryVariables = Exact<{
  isRemoved?: boolean | null | undefined;
  page: number;
}>;


export type ManagedNewsQuery = { getManagedNews: { page: number, hasNext: boolean, docs: Array<{ _id: string, title: string, body: string, createdAt: string, isRemoved: boolean, author: { _id: string, userName: string }, space: { _id: string, name: string } | null }> } };

export type RoleHoldersQueryVariables = Exact<{ [key: string]: never; }>;


export type RoleHoldersQuery = { getRoleHolders: Array<{ _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, isBlocked: boolean, hasSecondFactor: boolean, erasureDueAt: string | null, spaceCount: number, createdAt: string, roles: Array<{ role: Role, space: { _id: string, name: string } | null }> }> };

export type GrantRoleMutationVariables = Exact<{
  studentId: string;
  role: Role;
  space?: string | null | undefined;
}>;


export type GrantRoleMutation = { grantRole: { act: number | null } };

export type RevokeRoleMutationVariables = Exact<{
  studentId: string;
  role: Role;
  space?: string | null | undefined;
}>;


export type RevokeRoleMutation = { revokeRole: { act: number | null } };

export type ManagedSubjectPartsFragment = { _id: string, subjectName: string, color: string, topicCount: number };

export type ManagedTopicPartsFragment = { _id: string, topicName: string, topicType: TopicType, imageS3Url: string | null, questionCount: number };

export type ManagedSpaceDetailQueryVariables = Exact<{
  id: string;
}>;


export type ManagedSpaceDetailQuery = { getManagedSpace: { _id: string, name: string, description: string, bannerImageUrl: string | null, color: string, hiddenFromSearchEngines: boolean, entry: SpaceEntry, isArchived: boolean, publicPages: boolean, consentAge: number | null, memberCount: number, subjectCount: number, topicCount: number } | null, getManagedSubjects: Array<{ _id: string, subjectName: string, color: string, topicCount: number }> };

export type ManagedTopicsQueryVariables = Exact<{
  subject: string;
  search?: string | null | undefined;
  page: number;
}>;


export type ManagedTopicsQuery = { getManagedTopics: { page: number, hasNext: boolean, docs: Array<{ _id: string, topicName: string, topicType: TopicType, imageS3Url: string | null, questionCount: number }> } };

export type AddSubjectMutationVariables = Exact<{
  space: string;
  subjectName: string;
  color: string;
}>;


export type AddSubjectMutation = { addSubject: { act: number | null } };

export type ChangeSubjectMutationVariables = Exact<{
  id: string;
  change: SubjectChange;
  seen?: SubjectChange | null | undefined;
}>;


export type ChangeSubjectMutation = { changeSubject: { act: number | null } };

export type AddTopicMutationVariables = Exact<{
  subject: string;
  topicName: string;
  imageS3Url?: string | null | undefined;
}>;


export type AddTopicMutation = { addTopic: { act: number | null } };

export type ChangeTopicMutationVariables = Exact<{
  id: string;
  change: TopicChange;
  seen?: TopicChange | null | undefined;
}>;


export type ChangeTopicMutation = { changeTopic: { act: number | null } };

export type ArchiveSpaceMutationVariables = Exact<{
  id: string;
}>;


export type ArchiveSpaceMutation = { archiveSpace: { act: number | null, space: { _id: string, name: string, description: string, bannerImageUrl: string | null, color: string, hiddenFromSearchEngines: boolean, entry: SpaceEntry, isArchived: boolean, publicPages: boolean, consentAge: number | null, memberCount: number, subjectCount: number, topicCount: number } } };

export type UnarchiveSpaceMutationVariables = Exact<{
  id: string;
}>;


export type UnarchiveSpaceMutation = { unarchiveSpace: { act: number | null, space: { _id: string, name: string, description: string, bannerImageUrl: string | null, color: string, hiddenFromSearchEngines: boolean, entry: SpaceEntry, isArchived: boolean, publicPages: boolean, consentAge: number | null, memberCount: number, subjectCount: number, topicCount: number } } };

export type DeleteSpaceMutationVariables = Exact<{
  id: string;
  name: string;
}>;


export type DeleteSpaceMutation = { deleteSpace: { _id: string } };

export type ManagedSpacePartsFragment = { _id: string, name: string, description: string, bannerImageUrl: string | null, color: string, hiddenFromSearchEngines: boolean, entry: SpaceEntry, isArchived: boolean, publicPages: boolean, consentAge: number | null, memberCount: number, subjectCount: number, topicCount: number };

export type ManagedSpacesQueryVariables = Exact<{ [key: string]: never; }>;


export type ManagedSpacesQuery = { getManagedSpaces: Array<{ _id: string, name: string, description: string, bannerImageUrl: string | null, color: string, hiddenFromSearchEngines: boolean, entry: SpaceEntry, isArchived: boolean, publicPages: boolean, consentAge: number | null, memberCount: number, subjectCount: number, topicCount: number }> };

export type BlockAccountMutationVariables = Exact<{
  studentId: string;
  reason: string;
}>;


export type BlockAccountMutation = { blockAccount: { act: number | null, student: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, isBlocked: boolean, hasSecondFactor: boolean, erasureDueAt: string | null, spaceCount: number, createdAt: string, roles: Array<{ role: Role, space: { _id: string, name: string } | null }> } } };

export type UnblockAccountMutationVariables = Exact<{
  studentId: string;
  reason?: string | null | undefined;
}>;


export type UnblockAccountMutation = { unblockAccount: { act: number | null, student: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, isBlocked: boolean, hasSecondFactor: boolean, erasureDueAt: string | null, spaceCount: number, createdAt: string, roles: Array<{ role: Role, space: { _id: string, name: string } | null }> } } };

export type ResetSecondFactorMutationVariables = Exact<{
  studentId: string;
  reason: string;
}>;


export type ResetSecondFactorMutation = { resetSecondFactor: { act: number | null } };

export type EraseAccountMutationVariables = Exact<{
  studentId: string;
  reason: string;
  withPosts: boolean;
}>;


export type EraseAccountMutation = { eraseAccount: { act: number | null, student: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, isBlocked: boolean, hasSecondFactor: boolean, erasureDueAt: string | null, spaceCount: number, createdAt: string, roles: Array<{ role: Role, space: { _id: string, name: string } | null }> } } };

export type KeepAccountMutationVariables = Exact<{
  studentId: string;
}>;


export type KeepAccountMutation = { cancelErasure: { act: number | null, student: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, isBlocked: boolean, hasSecondFactor: boolean, erasureDueAt: string | null, spaceCount: number, createdAt: string, roles: Array<{ role: Role, space: { _id: string, name: string } | null }> } } };

export type ProjectionWorkPartsFragment = { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null };

export type ProjectionPartsFragment = { name: string, purpose: string, state: ProjectionState, lagEvents: number, lagMs: number, eventsPerSecond: number, live: { generation: number, leader: string | null } | null, error: { eventId: string, eventType: string, ordinal: number, message: string, at: string } | null, skipped: Array<{ eventId: string, eventType: string, ordinal: number, reason: string, at: string }>, rebuild: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null, isHeld: boolean, isReady: boolean, isRollback: boolean, error: { message: string } | null } | null, verification: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null } | null, lastVerification: { outcome: ProjectionVerificationOutcome, ordinal: number, liveHash: string | null, rebuiltHash: string | null, error: string | null, finishedAt: string, differing: Array<{ table: string, rows: number }> | null } | null };

export type ProjectionsQueryVariables = Exact<{ [key: string]: never; }>;


export type ProjectionsQuery = { getProjections: Array<{ name: string, purpose: string, state: ProjectionState, lagEvents: number, lagMs: number, eventsPerSecond: number, live: { generation: number, leader: string | null } | null, error: { eventId: string, eventType: string, ordinal: number, message: string, at: string } | null, skipped: Array<{ eventId: string, eventType: string, ordinal: number, reason: string, at: string }>, rebuild: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null, isHeld: boolean, isReady: boolean, isRollback: boolean, error: { message: string } | null } | null, verification: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null } | null, lastVerification: { outcome: ProjectionVerificationOutcome, ordinal: number, liveHash: string | null, rebuiltHash: string | null, error: string | null, finishedAt: string, differing: Array<{ table: string, rows: number }> | null } | null }> };

export type ProjectionDetailsFragment = { version: number, name: string, purpose: string, state: ProjectionState, lagEvents: number, lagMs: number, eventsPerSecond: number, generations: Array<{ generation: number, version: number, status: ProjectionGenerationStatus, ordinal: number, bytes: number, startedAt: string, switchedAt: string | null, leader: string | null, isSwitchable: boolean }>, history: Array<{ _id: string, kind: ProjectionActKind, at: string, actorKind: string, operator: string | null, generation: number | null, hold: boolean | null, outcome: ProjectionVerificationOutcome | null, eventType: string | null, ordinal: number | null, reason: string | null, actor: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, profileDesc: string } | null }>, live: { generation: number, leader: string | null } | null, error: { eventId: string, eventType: string, ordinal: number, message: string, at: string } | null, skipped: Array<{ eventId: string, eventType: string, ordinal: number, reason: string, at: string }>, rebuild: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null, isHeld: boolean, isReady: boolean, isRollback: boolean, error: { message: string } | null } | null, verification: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null } | null, lastVerification: { outcome: ProjectionVerificationOutcome, ordinal: number, liveHash: string | null, rebuiltHash: string | null, error: string | null, finishedAt: string, differing: Array<{ table: string, rows: number }> | null } | null };

export type ProjectionDetailQueryVariables = Exact<{
  name: string;
}>;


export type ProjectionDetailQuery = { getProjection: { version: number, name: string, purpose: string, state: ProjectionState, lagEvents: number, lagMs: number, eventsPerSecond: number, generations: Array<{ generation: number, version: number, status: ProjectionGenerationStatus, ordinal: number, bytes: number, startedAt: string, switchedAt: string | null, leader: string | null, isSwitchable: boolean }>, history: Array<{ _id: string, kind: ProjectionActKind, at: string, actorKind: string, operator: string | null, generation: number | null, hold: boolean | null, outcome: ProjectionVerificationOutcome | null, eventType: string | null, ordinal: number | null, reason: string | null, actor: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, profileDesc: string } | null }>, live: { generation: number, leader: string | null } | null, error: { eventId: string, eventType: string, ordinal: number, message: string, at: string } | null, skipped: Array<{ eventId: string, eventType: string, ordinal: number, reason: string, at: string }>, rebuild: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null, isHeld: boolean, isReady: boolean, isRollback: boolean, error: { message: string } | null } | null, verification: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null } | null, lastVerification: { outcome: ProjectionVerificationOutcome, ordinal: number, liveHash: string | null, rebuiltHash: string | null, error: string | null, finishedAt: string, differing: Array<{ table: string, rows: number }> | null } | null } };

export type RebuildProjectionsMutationVariables = Exact<{
  names: Array<string> | string;
  hold: boolean;
}>;


export type RebuildProjectionsMutation = { rebuildProjections: Array<{ version: number, name: string, purpose: string, state: ProjectionState, lagEvents: number, lagMs: number, eventsPerSecond: number, generations: Array<{ generation: number, version: number, status: ProjectionGenerationStatus, ordinal: number, bytes: number, startedAt: string, switchedAt: string | null, leader: string | null, isSwitchable: boolean }>, history: Array<{ _id: string, kind: ProjectionActKind, at: string, actorKind: string, operator: string | null, generation: number | null, hold: boolean | null, outcome: ProjectionVerificationOutcome | null, eventType: string | null, ordinal: number | null, reason: string | null, actor: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, profileDesc: string } | null }>, live: { generation: number, leader: string | null } | null, error: { eventId: string, eventType: string, ordinal: number, message: string, at: string } | null, skipped: Array<{ eventId: string, eventType: string, ordinal: number, reason: string, at: string }>, rebuild: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null, isHeld: boolean, isReady: boolean, isRollback: boolean, error: { message: string } | null } | null, verification: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null } | null, lastVerification: { outcome: ProjectionVerificationOutcome, ordinal: number, liveHash: string | null, rebuiltHash: string | null, error: string | null, finishedAt: string, differing: Array<{ table: string, rows: number }> | null } | null }> };

export type CancelRebuildMutationVariables = Exact<{
  name: string;
}>;


export type CancelRebuildMutation = { cancelRebuild: { version: number, name: string, purpose: string, state: ProjectionState, lagEvents: number, lagMs: number, eventsPerSecond: number, generations: Array<{ generation: number, version: number, status: ProjectionGenerationStatus, ordinal: number, bytes: number, startedAt: string, switchedAt: string | null, leader: string | null, isSwitchable: boolean }>, history: Array<{ _id: string, kind: ProjectionActKind, at: string, actorKind: string, operator: string | null, generation: number | null, hold: boolean | null, outcome: ProjectionVerificationOutcome | null, eventType: string | null, ordinal: number | null, reason: string | null, actor: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, profileDesc: string } | null }>, live: { generation: number, leader: string | null } | null, error: { eventId: string, eventType: string, ordinal: number, message: string, at: string } | null, skipped: Array<{ eventId: string, eventType: string, ordinal: number, reason: string, at: string }>, rebuild: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null, isHeld: boolean, isReady: boolean, isRollback: boolean, error: { message: string } | null } | null, verification: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null } | null, lastVerification: { outcome: ProjectionVerificationOutcome, ordinal: number, liveHash: string | null, rebuiltHash: string | null, error: string | null, finishedAt: string, differing: Array<{ table: string, rows: number }> | null } | null } };

export type SwitchProjectionMutationVariables = Exact<{
  name: string;
  generation: number;
}>;


export type SwitchProjectionMutation = { switchProjection: { version: number, name: string, purpose: string, state: ProjectionState, lagEvents: number, lagMs: number, eventsPerSecond: number, generations: Array<{ generation: number, version: number, status: ProjectionGenerationStatus, ordinal: number, bytes: number, startedAt: string, switchedAt: string | null, leader: string | null, isSwitchable: boolean }>, history: Array<{ _id: string, kind: ProjectionActKind, at: string, actorKind: string, operator: string | null, generation: number | null, hold: boolean | null, outcome: ProjectionVerificationOutcome | null, eventType: string | null, ordinal: number | null, reason: string | null, actor: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, profileDesc: string } | null }>, live: { generation: number, leader: string | null } | null, error: { eventId: string, eventType: string, ordinal: number, message: string, at: string } | null, skipped: Array<{ eventId: string, eventType: string, ordinal: number, reason: string, at: string }>, rebuild: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null, isHeld: boolean, isReady: boolean, isRollback: boolean, error: { message: string } | null } | null, verification: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null } | null, lastVerification: { outcome: ProjectionVerificationOutcome, ordinal: number, liveHash: string | null, rebuiltHash: string | null, error: string | null, finishedAt: string, differing: Array<{ table: string, rows: number }> | null } | null } };

export type VerifyProjectionMutationVariables = Exact<{
  name: string;
}>;


export type VerifyProjectionMutation = { verifyProjection: { version: number, name: string, purpose: string, state: ProjectionState, lagEvents: number, lagMs: number, eventsPerSecond: number, generations: Array<{ generation: number, version: number, status: ProjectionGenerationStatus, ordinal: number, bytes: number, startedAt: string, switchedAt: string | null, leader: string | null, isSwitchable: boolean }>, history: Array<{ _id: string, kind: ProjectionActKind, at: string, actorKind: string, operator: string | null, generation: number | null, hold: boolean | null, outcome: ProjectionVerificationOutcome | null, eventType: string | null, ordinal: number | null, reason: string | null, actor: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, profileDesc: string } | null }>, live: { generation: number, leader: string | null } | null, error: { eventId: string, eventType: string, ordinal: number, message: string, at: string } | null, skipped: Array<{ eventId: string, eventType: string, ordinal: number, reason: string, at: string }>, rebuild: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null, isHeld: boolean, isReady: boolean, isRollback: boolean, error: { message: string } | null } | null, verification: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null } | null, lastVerification: { outcome: ProjectionVerificationOutcome, ordinal: number, liveHash: string | null, rebuiltHash: string | null, error: string | null, finishedAt: string, differing: Array<{ table: string, rows: number }> | null } | null } };

export type CancelVerificationMutationVariables = Exact<{
  name: string;
}>;


export type CancelVerificationMutation = { cancelVerification: { version: number, name: string, purpose: string, state: ProjectionState, lagEvents: number, lagMs: number, eventsPerSecond: number, generations: Array<{ generation: number, version: number, status: ProjectionGenerationStatus, ordinal: number, bytes: number, startedAt: string, switchedAt: string | null, leader: string | null, isSwitchable: boolean }>, history: Array<{ _id: string, kind: ProjectionActKind, at: string, actorKind: string, operator: string | null, generation: number | null, hold: boolean | null, outcome: ProjectionVerificationOutcome | null, eventType: string | null, ordinal: number | null, reason: string | null, actor: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, profileDesc: string } | null }>, live: { generation: number, leader: string | null } | null, error: { eventId: string, eventType: string, ordinal: number, message: string, at: string } | null, skipped: Array<{ eventId: string, eventType: string, ordinal: number, reason: string, at: string }>, rebuild: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null, isHeld: boolean, isReady: boolean, isRollback: boolean, error: { message: string } | null } | null, verification: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null } | null, lastVerification: { outcome: ProjectionVerificationOutcome, ordinal: number, liveHash: string | null, rebuiltHash: string | null, error: string | null, finishedAt: string, differing: Array<{ table: string, rows: number }> | null } | null } };

export type RetryProjectionMutationVariables = Exact<{
  name: string;
}>;


export type RetryProjectionMutation = { retryProjection: { version: number, name: string, purpose: string, state: ProjectionState, lagEvents: number, lagMs: number, eventsPerSecond: number, generations: Array<{ generation: number, version: number, status: ProjectionGenerationStatus, ordinal: number, bytes: number, startedAt: string, switchedAt: string | null, leader: string | null, isSwitchable: boolean }>, history: Array<{ _id: string, kind: ProjectionActKind, at: string, actorKind: string, operator: string | null, generation: number | null, hold: boolean | null, outcome: ProjectionVerificationOutcome | null, eventType: string | null, ordinal: number | null, reason: string | null, actor: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, profileDesc: string } | null }>, live: { generation: number, leader: string | null } | null, error: { eventId: string, eventType: string, ordinal: number, message: string, at: string } | null, skipped: Array<{ eventId: string, eventType: string, ordinal: number, reason: string, at: string }>, rebuild: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null, isHeld: boolean, isReady: boolean, isRollback: boolean, error: { message: string } | null } | null, verification: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null } | null, lastVerification: { outcome: ProjectionVerificationOutcome, ordinal: number, liveHash: string | null, rebuiltHash: string | null, error: string | null, finishedAt: string, differing: Array<{ table: string, rows: number }> | null } | null } };

export type SkipProjectionEventMutationVariables = Exact<{
  name: string;
  eventId: string;
  reason: string;
}>;


export type SkipProjectionEventMutation = { skipProjectionEvent: { version: number, name: string, purpose: string, state: ProjectionState, lagEvents: number, lagMs: number, eventsPerSecond: number, generations: Array<{ generation: number, version: number, status: ProjectionGenerationStatus, ordinal: number, bytes: number, startedAt: string, switchedAt: string | null, leader: string | null, isSwitchable: boolean }>, history: Array<{ _id: string, kind: ProjectionActKind, at: string, actorKind: string, operator: string | null, generation: number | null, hold: boolean | null, outcome: ProjectionVerificationOutcome | null, eventType: string | null, ordinal: number | null, reason: string | null, actor: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, profileDesc: string } | null }>, live: { generation: number, leader: string | null } | null, error: { eventId: string, eventType: string, ordinal: number, message: string, at: string } | null, skipped: Array<{ eventId: string, eventType: string, ordinal: number, reason: string, at: string }>, rebuild: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null, isHeld: boolean, isReady: boolean, isRollback: boolean, error: { message: string } | null } | null, verification: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null } | null, lastVerification: { outcome: ProjectionVerificationOutcome, ordinal: number, liveHash: string | null, rebuiltHash: string | null, error: string | null, finishedAt: string, differing: Array<{ table: string, rows: number }> | null } | null } };

export type StoppedEventsQueryVariables = Exact<{ [key: string]: never; }>;


export type StoppedEventsQuery = { getStoppedEvents: Array<{ eventId: string, eventType: string, ordinal: number, projections: Array<string>, data: Array<{ name: string, value: string, isProtected: boolean }> | null }> };

export type SkipEventInAllProjectionsMutationVariables = Exact<{
  eventId: string;
  reason: string;
}>;


export type SkipEventInAllProjectionsMutation = { skipEventInAllProjections: Array<{ version: number, name: string, purpose: string, state: ProjectionState, lagEvents: number, lagMs: number, eventsPerSecond: number, generations: Array<{ generation: number, version: number, status: ProjectionGenerationStatus, ordinal: number, bytes: number, startedAt: string, switchedAt: string | null, leader: string | null, isSwitchable: boolean }>, history: Array<{ _id: string, kind: ProjectionActKind, at: string, actorKind: string, operator: string | null, generation: number | null, hold: boolean | null, outcome: ProjectionVerificationOutcome | null, eventType: string | null, ordinal: number | null, reason: string | null, actor: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, profileDesc: string } | null }>, live: { generation: number, leader: string | null } | null, error: { eventId: string, eventType: string, ordinal: number, message: string, at: string } | null, skipped: Array<{ eventId: string, eventType: string, ordinal: number, reason: string, at: string }>, rebuild: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null, isHeld: boolean, isReady: boolean, isRollback: boolean, error: { message: string } | null } | null, verification: { generation: number, done: number, total: number, eventsPerSecond: number, secondsLeft: number | null } | null, lastVerification: { outcome: ProjectionVerificationOutcome, ordinal: number, liveHash: string | null, rebuiltHash: string | null, error: string | null, finishedAt: string, differing: Array<{ table: string, rows: number }> | null } | null }> };

export type LogProofQueryVariables = Exact<{ [key: string]: never; }>;


export type LogProofQuery = { getLogProof: { ordinal: number, head: string, behind: number, verifiedAt: string | null, wholeVerifiedAt: string | null, keyId: string, publicKey: string, mismatches: Array<{ detail: string, ordinal: number, foundAt: string }>, signedHeads: Array<{ ordinal: number, head: string, at: string, keyId: string }> } };

export type ScoringVersionsQueryVariables = Exact<{ [key: string]: never; }>;


export type ScoringVersionsQuery = { getScoringVersions: Array<{ version: number, effectiveFrom: string | null, reportThreshold: number, note: string, publishedAt: string | null, state: ScoringVersionState, withdrawnAt: string | null, withdrawalReason: string | null, weights: Array<{ kind: ScoreReasonKind, merit: number, impact: number }>, safeguards: { acceptancePaysOncePerQuestion: boolean, deletionForfeitsWithinHours: number, downvotesNeedMerit: boolean, upheldReportsCount: boolean }, publishedBy: { _id: string, userName: string } | null, withdrawnBy: { _id: string, userName: string } | null }> };

export type ScoringDraftFieldsFragment = { revision: string, basedOn: number, effectiveFrom: string | null, reportThreshold: number, savedAt: string, weights: Array<{ kind: ScoreReasonKind, merit: number, impact: number }>, safeguards: { acceptancePaysOncePerQuestion: boolean, deletionForfeitsWithinHours: number, downvotesNeedMerit: boolean, upheldReportsCount: boolean }, savedBy: { _id: string, userName: string } | null };

export type ScoringDraftQueryVariables = Exact<{ [key: string]: never; }>;


export type ScoringDraftQuery = { getScoringDraft: { revision: string, basedOn: number, effectiveFrom: string | null, reportThreshold: number, savedAt: string, weights: Array<{ kind: ScoreReasonKind, merit: number, impact: number }>, safeguards: { acceptancePaysOncePerQuestion: boolean, deletionForfeitsWithinHours: number, downvotesNeedMerit: boolean, upheldReportsCount: boolean }, savedBy: { _id: string, userName: string } | null } | null };

export type SaveScoringDraftMutationVariables = Exact<{
  draft: ScoringDraftInput;
  revision?: string | null | undefined;
}>;


export type SaveScoringDraftMutation = { saveScoringDraft: { revision: string, basedOn: number, effectiveFrom: string | null, reportThreshold: number, savedAt: string, weights: Array<{ kind: ScoreReasonKind, merit: number, impact: number }>, safeguards: { acceptancePaysOncePerQuestion: boolean, deletionForfeitsWithinHours: number, downvotesNeedMerit: boolean, upheldReportsCount: boolean }, savedBy: { _id: string, userName: string } | null } };

export type DiscardScoringDraftMutationVariables = Exact<{
  revision: string;
}>;


export type DiscardScoringDraftMutation = { discardScoringDraft: { _id: string } };

export type PublishScoringDraftMutationVariables = Exact<{
  revision: string;
  expectedVersion: number;
  note: string;
}>;


export type PublishScoringDraftMutation = { publishScoringDraft: { _id: string } };

export type WithdrawScoringVersionMutationVariables = Exact<{
  version: number;
  reason: string;
}>;


export type WithdrawScoringVersionMutation = { withdrawScoringVersion: { _id: string } };

export type ScoringTrialFieldsFragment = { _id: string, effectiveFrom: string | null, calculatedAt: string, durationMs: number, students: number, movers: number, gainers: number, losers: number, reranked: number, refusedDownvotes: number, pointsBefore: number, pointsAfter: number, lines: Array<{ line: ScoreLine, entered: number, left: number }>, distribution: Array<{ from: number, to: number | null, before: number, after: number }> };

export type TryScoringDraftMutationVariables = Exact<{
  revision: string;
}>;


export type TryScoringDraftMutation = { tryScoringDraft: { _id: string, effectiveFrom: string | null, calculatedAt: string, durationMs: number, students: number, movers: number, gainers: number, losers: number, reranked: number, refusedDownvotes: number, pointsBefore: number, pointsAfter: number, lines: Array<{ line: ScoreLine, entered: number, left: number }>, distribution: Array<{ from: number, to: number | null, before: number, after: number }> } };

export type StopScoringTrialMutationVariables = Exact<{ [key: string]: never; }>;


export type StopScoringTrialMutation = { stopScoringTrial: boolean };

export type ScoringTrialOfSpaceQueryVariables = Exact<{
  trial: string;
  space?: string | null | undefined;
}>;


export type ScoringTrialOfSpaceQuery = { getScoringTrial: { _id: string, effectiveFrom: string | null, calculatedAt: string, durationMs: number, students: number, movers: number, gainers: number, losers: number, reranked: number, refusedDownvotes: number, pointsBefore: number, pointsAfter: number, lines: Array<{ line: ScoreLine, entered: number, left: number }>, distribution: Array<{ from: number, to: number | null, before: number, after: number }> } };

export type ScoreMoveRowFragment = { _id: string, spaceId: string, spaceName: string, change: number, student: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, before: { reputations: number, commitments: number, score: number, rank: number } | null, after: { reputations: number, commitments: number, score: number, rank: number } | null };

export type ScoringMovesQueryVariables = Exact<{
  trial: string;
  only?: ScoreMoves | null | undefined;
  sort?: ScoreMoveSort | null | undefined;
  space?: string | null | undefined;
  search?: string | null | undefined;
  page: number;
}>;


export type ScoringMovesQuery = { getScoringMoves: { page: number, totalPages: number, docs: Array<{ _id: string, spaceId: string, spaceName: string, change: number, student: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, before: { reputations: number, commitments: number, score: number, rank: number } | null, after: { reputations: number, commitments: number, score: number, rank: number } | null }> } };

export type LeaderboardUnderRulesQueryVariables = Exact<{
  version: number;
  space: string;
  page: number;
}>;


export type LeaderboardUnderRulesQuery = { getLeaderboardUnderRules: { page: number, totalPages: number, version: number, calculatedAt: string, docs: Array<{ _id: string, spaceId: string, spaceName: string, change: number, student: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, before: { reputations: number, commitments: number, score: number, rank: number } | null, after: { reputations: number, commitments: number, score: number, rank: number } | null }> } };

export type HistoryRangeQueryVariables = Exact<{
  space: string;
}>;


export type HistoryRangeQuery = { getHistoryRange: { firstOrdinal: number, firstAt: string, lastOrdinal: number, lastAt: string, marks: Array<{ ordinal: number, at: string, kind: string }> } | null };

export type QuestionHistoryRangeQueryVariables = Exact<{
  questionId: string;
}>;


export type QuestionHistoryRangeQuery = { getQuestionHistoryRange: { firstOrdinal: number, firstAt: string, lastOrdinal: number, lastAt: string, marks: Array<{ ordinal: number, at: string, kind: string }> } | null };

export type HistoryRangePartsFragment = { firstOrdinal: number, firstAt: string, lastOrdinal: number, lastAt: string, marks: Array<{ ordinal: number, at: string, kind: string }> };

export type LeaderboardAsOfQueryVariables = Exact<{
  space: string;
  asOf: AsOfInput;
  page: number;
}>;


export type LeaderboardAsOfQuery = { getLeaderboardAsOf: { page: number, totalPages: number, rulesVersion: number, docs: Array<{ _id: string, rank: number, score: number, reputations: number, commitments: number, student: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, now: { rank: number, score: number } | null }> } };

export type QuestionAsOfQueryVariables = Exact<{
  questionId: string;
  asOf: AsOfInput;
}>;


export type QuestionAsOfQuery = { getQuestionAsOf: { state: QuestionState, question: { title: string, _id: string, body: string, imageUrls: Array<string>, createdAt: string, editedAt: string | null, upvoteCount: number, downvoteCount: number, acceptedAnswer: { _id: string } | null, subject: { _id: string, subjectName: string, color: string }, topic: { _id: string, topicName: string }, space: { _id: string, name: string }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } } | null, comments: Array<{ _id: string, body: string, mentions: Array<string>, createdAt: string, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }>, answers: Array<{ _id: string, body: string, imageUrls: Array<string>, createdAt: string, editedAt: string | null, upvoteCount: number, downvoteCount: number, comments: Array<{ _id: string, body: string, mentions: Array<string>, createdAt: string, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }>, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }> } };

export type PostThenFragment = { _id: string, body: string, imageUrls: Array<string>, createdAt: string, editedAt: string | null, upvoteCount: number, downvoteCount: number, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } };

export type AnswerThenFragment = { _id: string, body: string, imageUrls: Array<string>, createdAt: string, editedAt: string | null, upvoteCount: number, downvoteCount: number, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } };

export type AuditPersonLineFragment = { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, isErased: boolean, isStandIn: boolean };

export type AuditLineFragment = { ordinal: number, line: number, lines: number, kind: AuditKind, class: AuditClass, eventId: string, commandId: string, occurredAt: string, recordedAt: string, actorKind: AuditActorKind, operator: string | null, direction: VoteDirection | null, isSwitch: boolean, reason: string | null, round: number | null, caseId: string | null, about: string | null, actor: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, isErased: boolean, isStandIn: boolean } | null, voter: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, isErased: boolean, isStandIn: boolean } | null, receiver: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, isErased: boolean, isStandIn: boolean } | null, space: { _id: string, name: string } | null, post: { _id: string, postType: PostType, questionId: string, title: string } | null, points: Array<{ side: AuditSide, kind: ScoreReasonKind, merit: number, impact: number, rulesVersion: number }> };

export type AuditEntriesQueryVariables = Exact<{
  filter?: AuditFilterInput | null | undefined;
  after?: string | null | undefined;
}>;


export type AuditEntriesQuery = { getAuditEntries: { nodes: Array<{ ordinal: number, line: number, lines: number, kind: AuditKind, class: AuditClass, eventId: string, commandId: string, occurredAt: string, recordedAt: string, actorKind: AuditActorKind, operator: string | null, direction: VoteDirection | null, isSwitch: boolean, reason: string | null, round: number | null, caseId: string | null, about: string | null, actor: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, isErased: boolean, isStandIn: boolean } | null, voter: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, isErased: boolean, isStandIn: boolean } | null, receiver: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, isErased: boolean, isStandIn: boolean } | null, space: { _id: string, name: string } | null, post: { _id: string, postType: PostType, questionId: string, title: string } | null, points: Array<{ side: AuditSide, kind: ScoreReasonKind, merit: number, impact: number, rulesVersion: number }> }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } };

export type AuditTotalsQueryVariables = Exact<{
  filter?: AuditFilterInput | null | undefined;
}>;


export type AuditTotalsQuery = { getAuditTotals: { lines: number, entries: number, receiverMerit: number, receiverImpact: number, voterMerit: number, voterImpact: number, isComplete: boolean } };

export type AuditActQueryVariables = Exact<{
  ordinal: number;
}>;


export type AuditActQuery = { getAuditEntry: { streamId: string, revision: number, schemaVersion: number, correlationId: string, causationId: string, entry: { ordinal: number, line: number, lines: number, kind: AuditKind, class: AuditClass, eventId: string, commandId: string, occurredAt: string, recordedAt: string, actorKind: AuditActorKind, operator: string | null, direction: VoteDirection | null, isSwitch: boolean, reason: string | null, round: number | null, caseId: string | null, about: string | null, actor: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, isErased: boolean, isStandIn: boolean } | null, voter: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, isErased: boolean, isStandIn: boolean } | null, receiver: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, isErased: boolean, isStandIn: boolean } | null, space: { _id: string, name: string } | null, post: { _id: string, postType: PostType, questionId: string, title: string } | null, points: Array<{ side: AuditSide, kind: ScoreReasonKind, merit: number, impact: number, rulesVersion: number }> }, data: Array<{ name: string, value: string | null, isErased: boolean, person: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, isErased: boolean, isStandIn: boolean } | null }> } | null };

export type AuditSpacesQueryVariables = Exact<{ [key: string]: never; }>;


export type AuditSpacesQuery = { getSpaces: Array<{ _id: string, name: string }> };

export type JoinedStudentFragment = { _id: string, userName: string, firstName: string, lastName: string };

export type ShownClassCodeFragment = { spaceName: string, invitation: { _id: string, state: InvitationState, secret: string | null, uses: number | null, used: number }, students: Array<{ _id: string, userName: string, firstName: string, lastName: string }> };

export type ClassCodeQueryVariables = Exact<{
  space: string;
  id: string;
}>;


export type ClassCodeQuery = { getClassCode: { spaceName: string, invitation: { _id: string, state: InvitationState, secret: string | null, uses: number | null, used: number }, students: Array<{ _id: string, userName: string, firstName: string, lastName: string }> } };

export type EntryRequestRowFragment = { _id: string, text: string | null, requestedAt: string, student: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } };

export type EntryRequestsQueryVariables = Exact<{
  space: string;
  page: number;
}>;


export type EntryRequestsQuery = { getEntryRequests: { page: number, hasNext: boolean, docs: Array<{ _id: string, text: string | null, requestedAt: string, student: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }> } };

export type AnswerEntryRequestMutationVariables = Exact<{
  space: string;
  studentId: string;
  isAccepted: boolean;
  reason?: string | null | undefined;
}>;


export type AnswerEntryRequestMutation = { answerEntryRequest: { flag: number } };

export type InvitedStudentsQueryVariables = Exact<{
  space: string;
}>;


export type InvitedStudentsQuery = { getInvitedStudents: Array<{ _id: string, userName: string, firstName: string, lastName: string }> };

export type InviteStudentMutationVariables = Exact<{
  space: string;
  userName: string;
}>;


export type InviteStudentMutation = { inviteStudent: { flag: number } };

export type RevokeStudentInvitationMutationVariables = Exact<{
  space: string;
  studentId: string;
}>;


export type RevokeStudentInvitationMutation = { revokeStudentInvitation: { flag: number } };

export type InvitationRowFragment = { _id: string, kind: InvitationKind, state: InvitationState, secret: string | null, rule: string | null, uses: number | null, used: number, expiresAt: string | null, createdBy: { _id: string, userName: string } | null };

export type GroupProvidersQueryVariables = Exact<{ [key: string]: never; }>;


export type GroupProvidersQuery = { getSignInProviders: Array<{ _id: string, label: string, isEnabled: boolean }> };

export type InvitationsQueryVariables = Exact<{
  space: string;
}>;


export type InvitationsQuery = { getInvitations: Array<{ _id: string, kind: InvitationKind, state: InvitationState, secret: string | null, rule: string | null, uses: number | null, used: number, expiresAt: string | null, createdBy: { _id: string, userName: string } | null }> };

export type CreateInvitationMutationVariables = Exact<{
  space: string;
  details: NewInvitation;
}>;


export type CreateInvitationMutation = { createInvitation: string };

export type RevokeInvitationMutationVariables = Exact<{
  space: string;
  id: string;
}>;


export type RevokeInvitationMutation = { revokeInvitation: { flag: number } };

export type YoungerStudentRowFragment = { _id: string, age: number, consent: GuardianConsentState | null, consentAt: string | null, termsVersion: string | null, isMember: boolean, student: { _id: string, userName: string, firstName: string, lastName: string } };

export type YoungerStudentsQueryVariables = Exact<{
  space: string;
  page: number;
}>;


export type YoungerStudentsQuery = { getYoungerStudents: { page: number, hasNext: boolean, docs: Array<{ _id: string, age: number, consent: GuardianConsentState | null, consentAt: string | null, termsVersion: string | null, isMember: boolean, student: { _id: string, userName: string, firstName: string, lastName: string } }> } };

export type ForgetAgeMutationVariables = Exact<{
  space: string;
  studentId: string;
}>;


export type ForgetAgeMutation = { clearAge: { flag: number } };

export type PostsRemovalRowFragment = { _id: string, posts: number, reason: string, removedAt: string, restoredAt: string | null, space: { _id: string, name: string }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } };

export type PostsRemovalPartsFragment = { _id: string, posts: number, reason: string, removedAt: string, restoredAt: string | null, restoreReason: string | null, space: { _id: string, name: string }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, restoredBy: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, removedPosts: Array<{ postId: string, postType: PostType, questionId: string, title: string, excerpt: string, state: RemovedPostState }> };

export type PostsRemovalsQueryVariables = Exact<{
  page: number;
}>;


export type PostsRemovalsQuery = { getPostsRemovals: { page: number, totalPages: number, docs: Array<{ _id: string, posts: number, reason: string, removedAt: string, restoredAt: string | null, space: { _id: string, name: string }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }> } };

export type PostsRemovalQueryVariables = Exact<{
  removalId: string;
}>;


export type PostsRemovalQuery = { getPostsRemoval: { _id: string, posts: number, reason: string, removedAt: string, restoredAt: string | null, restoreReason: string | null, space: { _id: string, name: string }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, restoredBy: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, removedPosts: Array<{ postId: string, postType: PostType, questionId: string, title: string, excerpt: string, state: RemovedPostState }> } };

export type RestorePostsMutationVariables = Exact<{
  removalId: string;
  reason: string;
}>;


export type RestorePostsMutation = { restorePosts: { _id: string } };

export type QueuedCaseFragment = { postId: string, postType: PostType, spaceName: string, title: string, excerpt: string, openReports: number, weight: number | null, lastDecision: ModerationDecision | null, decidedAt: string | null, lastReportedAt: string | null, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, reasons: Array<{ reason: string, count: number }>, assignee: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null };

export type CaseDecisionFragment = { ordinal: number, postId: string, decision: ModerationDecision, reason: string, penalty: Penalty | null, at: string, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, toModerator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null };

export type ModerationCaseFragment = { _id: string, postType: PostType, questionId: string, spaceId: string, spaceName: string, isSpaceArchived: boolean, title: string, body: string, imageUrls: Array<string>, createdAt: string | null, isDeleted: boolean, isUpheld: boolean, removalId: string | null, revision: number, openReports: number, weight: number | null, reportsTotal: number, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, assignee: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, reports: Array<{ reporterId: string, reason: string, at: string, outcome: ReportOutcome, upheldBefore: number, dismissedBefore: number, reporter: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null }>, decisions: Array<{ ordinal: number, postId: string, decision: ModerationDecision, reason: string, penalty: Penalty | null, at: string, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, toModerator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null }>, record: { score: number, questionsAsked: number, questionsAnswered: number, joinedAt: string | null, reportedPosts: number, removedPosts: number, upheldReports: number, dismissedReports: number, warnings: number, accountStatus: AccountStatus | null, isBlockable: boolean, blockScope: BlockScope | null, isSuspendable: boolean, isWarnable: boolean, arePostsRemovable: boolean, suspendedUntil: string | null, blocks: Array<{ kind: BlockKind, reason: string | null, at: string }>, decisions: Array<{ ordinal: number, postId: string, decision: ModerationDecision, reason: string, penalty: Penalty | null, at: string, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, toModerator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null }> }, voteDays: Array<{ day: string, up: number, down: number, withdrawn: number }> };

export type ModerationQueueQueryVariables = Exact<{
  state: ModerationQueueState;
  isMine: boolean;
  after?: string | null | undefined;
}>;


export type ModerationQueueQuery = { getModerationQueue: { next: string | null, totalOpen: number, docs: Array<{ postId: string, postType: PostType, spaceName: string, title: string, excerpt: string, openReports: number, weight: number | null, lastDecision: ModerationDecision | null, decidedAt: string | null, lastReportedAt: string | null, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, reasons: Array<{ reason: string, count: number }>, assignee: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null }> } };

export type ModerationCaseQueryVariables = Exact<{
  postId: string;
}>;


export type ModerationCaseQuery = { getModerationCase: { _id: string, postType: PostType, questionId: string, spaceId: string, spaceName: string, isSpaceArchived: boolean, title: string, body: string, imageUrls: Array<string>, createdAt: string | null, isDeleted: boolean, isUpheld: boolean, removalId: string | null, revision: number, openReports: number, weight: number | null, reportsTotal: number, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, assignee: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, reports: Array<{ reporterId: string, reason: string, at: string, outcome: ReportOutcome, upheldBefore: number, dismissedBefore: number, reporter: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null }>, decisions: Array<{ ordinal: number, postId: string, decision: ModerationDecision, reason: string, penalty: Penalty | null, at: string, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, toModerator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null }>, record: { score: number, questionsAsked: number, questionsAnswered: number, joinedAt: string | null, reportedPosts: number, removedPosts: number, upheldReports: number, dismissedReports: number, warnings: number, accountStatus: AccountStatus | null, isBlockable: boolean, blockScope: BlockScope | null, isSuspendable: boolean, isWarnable: boolean, arePostsRemovable: boolean, suspendedUntil: string | null, blocks: Array<{ kind: BlockKind, reason: string | null, at: string }>, decisions: Array<{ ordinal: number, postId: string, decision: ModerationDecision, reason: string, penalty: Penalty | null, at: string, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, toModerator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null }> }, voteDays: Array<{ day: string, up: number, down: number, withdrawn: number }> } };

export type PenaltyEffectsQueryVariables = Exact<{
  postId: string;
}>;


export type PenaltyEffectsQuery = { getModerationCase: { _id: string, penaltyEffects: Array<{ penalty: Penalty, points: number }> } };

export type SpaceModeratorsQueryVariables = Exact<{
  space: string;
}>;


export type SpaceModeratorsQuery = { getSpaceModerators: Array<{ _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }> };

export type UpholdReportsMutationVariables = Exact<{
  postId: string;
  reason: string;
  seen: SeenCaseInput;
  penalty: Penalty;
}>;


export type UpholdReportsMutation = { upholdReports: { _id: string, postType: PostType, questionId: string, spaceId: string, spaceName: string, isSpaceArchived: boolean, title: string, body: string, imageUrls: Array<string>, createdAt: string | null, isDeleted: boolean, isUpheld: boolean, removalId: string | null, revision: number, openReports: number, weight: number | null, reportsTotal: number, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, assignee: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, reports: Array<{ reporterId: string, reason: string, at: string, outcome: ReportOutcome, upheldBefore: number, dismissedBefore: number, reporter: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null }>, decisions: Array<{ ordinal: number, postId: string, decision: ModerationDecision, reason: string, penalty: Penalty | null, at: string, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, toModerator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null }>, record: { score: number, questionsAsked: number, questionsAnswered: number, joinedAt: string | null, reportedPosts: number, removedPosts: number, upheldReports: number, dismissedReports: number, warnings: number, accountStatus: AccountStatus | null, isBlockable: boolean, blockScope: BlockScope | null, isSuspendable: boolean, isWarnable: boolean, arePostsRemovable: boolean, suspendedUntil: string | null, blocks: Array<{ kind: BlockKind, reason: string | null, at: string }>, decisions: Array<{ ordinal: number, postId: string, decision: ModerationDecision, reason: string, penalty: Penalty | null, at: string, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, toModerator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null }> }, voteDays: Array<{ day: string, up: number, down: number, withdrawn: number }> } };

export type DismissReportsMutationVariables = Exact<{
  postId: string;
  reason: string;
  seen: SeenCaseInput;
}>;


export type DismissReportsMutation = { dismissReports: { _id: string, postType: PostType, questionId: string, spaceId: string, spaceName: string, isSpaceArchived: boolean, title: string, body: string, imageUrls: Array<string>, createdAt: string | null, isDeleted: boolean, isUpheld: boolean, removalId: string | null, revision: number, openReports: number, weight: number | null, reportsTotal: number, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, assignee: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, reports: Array<{ reporterId: string, reason: string, at: string, outcome: ReportOutcome, upheldBefore: number, dismissedBefore: number, reporter: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null }>, decisions: Array<{ ordinal: number, postId: string, decision: ModerationDecision, reason: string, penalty: Penalty | null, at: string, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, toModerator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null }>, record: { score: number, questionsAsked: number, questionsAnswered: number, joinedAt: string | null, reportedPosts: number, removedPosts: number, upheldReports: number, dismissedReports: number, warnings: number, accountStatus: AccountStatus | null, isBlockable: boolean, blockScope: BlockScope | null, isSuspendable: boolean, isWarnable: boolean, arePostsRemovable: boolean, suspendedUntil: string | null, blocks: Array<{ kind: BlockKind, reason: string | null, at: string }>, decisions: Array<{ ordinal: number, postId: string, decision: ModerationDecision, reason: string, penalty: Penalty | null, at: string, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, toModerator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null }> }, voteDays: Array<{ day: string, up: number, down: number, withdrawn: number }> } };

export type ReverseUpholdingMutationVariables = Exact<{
  postId: string;
  reason: string;
  seen: SeenCaseInput;
}>;


export type ReverseUpholdingMutation = { reverseUpholding: { _id: string, postType: PostType, questionId: string, spaceId: string, spaceName: string, isSpaceArchived: boolean, title: string, body: string, imageUrls: Array<string>, createdAt: string | null, isDeleted: boolean, isUpheld: boolean, removalId: string | null, revision: number, openReports: number, weight: number | null, reportsTotal: number, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, assignee: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, reports: Array<{ reporterId: string, reason: string, at: string, outcome: ReportOutcome, upheldBefore: number, dismissedBefore: number, reporter: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null }>, decisions: Array<{ ordinal: number, postId: string, decision: ModerationDecision, reason: string, penalty: Penalty | null, at: string, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, toModerator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null }>, record: { score: number, questionsAsked: number, questionsAnswered: number, joinedAt: string | null, reportedPosts: number, removedPosts: number, upheldReports: number, dismissedReports: number, warnings: number, accountStatus: AccountStatus | null, isBlockable: boolean, blockScope: BlockScope | null, isSuspendable: boolean, isWarnable: boolean, arePostsRemovable: boolean, suspendedUntil: string | null, blocks: Array<{ kind: BlockKind, reason: string | null, at: string }>, decisions: Array<{ ordinal: number, postId: string, decision: ModerationDecision, reason: string, penalty: Penalty | null, at: string, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, toModerator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null }> }, voteDays: Array<{ day: string, up: number, down: number, withdrawn: number }> } };

export type HandOverReportsMutationVariables = Exact<{
  postId: string;
  toModeratorId?: string | null | undefined;
  note?: string | null | undefined;
  seen: SeenCaseInput;
}>;


export type HandOverReportsMutation = { handOverReports: { _id: string, postType: PostType, questionId: string, spaceId: string, spaceName: string, isSpaceArchived: boolean, title: string, body: string, imageUrls: Array<string>, createdAt: string | null, isDeleted: boolean, isUpheld: boolean, removalId: string | null, revision: number, openReports: number, weight: number | null, reportsTotal: number, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, assignee: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, reports: Array<{ reporterId: string, reason: string, at: string, outcome: ReportOutcome, upheldBefore: number, dismissedBefore: number, reporter: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null }>, decisions: Array<{ ordinal: number, postId: string, decision: ModerationDecision, reason: string, penalty: Penalty | null, at: string, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, toModerator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null }>, record: { score: number, questionsAsked: number, questionsAnswered: number, joinedAt: string | null, reportedPosts: number, removedPosts: number, upheldReports: number, dismissedReports: number, warnings: number, accountStatus: AccountStatus | null, isBlockable: boolean, blockScope: BlockScope | null, isSuspendable: boolean, isWarnable: boolean, arePostsRemovable: boolean, suspendedUntil: string | null, blocks: Array<{ kind: BlockKind, reason: string | null, at: string }>, decisions: Array<{ ordinal: number, postId: string, decision: ModerationDecision, reason: string, penalty: Penalty | null, at: string, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, toModerator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null }> }, voteDays: Array<{ day: string, up: number, down: number, withdrawn: number }> } };

export type ModerationChangedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type ModerationChangedSubscription = { moderationChanged: { postId: string | null } };

export type InvalidationCaseRowFragment = { _id: string, category: InvalidationCategory, reason: string, votes: number, state: InvalidationState, openedAt: string, reversedAt: string | null, reversalReason: string | null, spaces: Array<{ _id: string, name: string }>, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, reversedBy: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null };

export type InvalidationCasePartsFragment = { _id: string, category: InvalidationCategory, reason: string, votes: number, state: InvalidationState, canBeConfirmed: boolean, openedAt: string, invalidatedAt: string | null, declinedAt: string | null, declineReason: string | null, reversedAt: string | null, reversalReason: string | null, spaces: Array<{ _id: string, name: string }>, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, proposedBy: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, declinedBy: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, reversedBy: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, reviewedVotes: Array<{ postId: string, postType: PostType, direction: CaseVoteDirection, castAt: string | null, isHeld: boolean, caseIds: Array<string>, voter: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, question: { _id: string, title: string } }>, effect: { studentCount: number, postCount: number, students: Array<{ votesGiven: number, votesReceived: number, student: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, space: { _id: string, name: string }, before: { reputations: number, commitments: number, score: number, rank: number | null }, after: { reputations: number, commitments: number, score: number, rank: number | null } }>, posts: Array<{ postId: string, postType: PostType, question: { _id: string, title: string }, before: { upvotes: number, downvotes: number }, after: { upvotes: number, downvotes: number } }> } | null };

export type InvalidationCasesQueryVariables = Exact<{
  page: number;
}>;


export type InvalidationCasesQuery = { getInvalidationCases: { page: number, totalPages: number, docs: Array<{ _id: string, category: InvalidationCategory, reason: string, votes: number, state: InvalidationState, openedAt: string, reversedAt: string | null, reversalReason: string | null, spaces: Array<{ _id: string, name: string }>, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, reversedBy: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null }> } };

export type InvalidationCaseQueryVariables = Exact<{
  caseId: string;
}>;


export type InvalidationCaseQuery = { getInvalidationCase: { _id: string, category: InvalidationCategory, reason: string, votes: number, state: InvalidationState, canBeConfirmed: boolean, openedAt: string, invalidatedAt: string | null, declinedAt: string | null, declineReason: string | null, reversedAt: string | null, reversalReason: string | null, spaces: Array<{ _id: string, name: string }>, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, proposedBy: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, declinedBy: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, reversedBy: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } | null, reviewedVotes: Array<{ postId: string, postType: PostType, direction: CaseVoteDirection, castAt: string | null, isHeld: boolean, caseIds: Array<string>, voter: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, question: { _id: string, title: string } }>, effect: { studentCount: number, postCount: number, students: Array<{ votesGiven: number, votesReceived: number, student: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, space: { _id: string, name: string }, before: { reputations: number, commitments: number, score: number, rank: number | null }, after: { reputations: number, commitments: number, score: number, rank: number | null } }>, posts: Array<{ postId: string, postType: PostType, question: { _id: string, title: string }, before: { upvotes: number, downvotes: number }, after: { upvotes: number, downvotes: number } }> } | null } };

export type PreviewReversalQueryVariables = Exact<{
  caseId: string;
}>;


export type PreviewReversalQuery = { previewReversal: { studentCount: number, postCount: number, students: Array<{ votesGiven: number, votesReceived: number, student: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, space: { _id: string, name: string }, before: { reputations: number, commitments: number, score: number, rank: number | null }, after: { reputations: number, commitments: number, score: number, rank: number | null } }>, posts: Array<{ postId: string, postType: PostType, question: { _id: string, title: string }, before: { upvotes: number, downvotes: number }, after: { upvotes: number, downvotes: number } }> } };

export type ReverseInvalidationMutationVariables = Exact<{
  caseId: string;
  reason: string;
}>;


export type ReverseInvalidationMutation = { reverseInvalidation: { _id: string } };

export type ConfirmInvalidationMutationVariables = Exact<{
  caseId: string;
  fingerprint: string;
}>;


export type ConfirmInvalidationMutation = { confirmInvalidation: { _id: string } };

export type DeclineInvalidationMutationVariables = Exact<{
  caseId: string;
  reason: string;
}>;


export type DeclineInvalidationMutation = { declineInvalidation: { _id: string } };

export type VotePatternRowFragment = { _id: string, kind: VotePatternKind, votes: number, expected: number, chanceLog10: number, from: string | null, until: string | null, state: VotePatternState, hasGrown: boolean, revision: number, triage: { verdict: VotePatternVerdict, at: string, votes: number, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } } | null, students: Array<{ _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }> };

export type VotePatternNumbersFragment = { newAccounts: number | null, links: Array<{ direction: CaseVoteDirection, votes: number, given: number, expected: number, chanceLog10: number, voter: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }> };

export type VotePatternsQueryVariables = Exact<{
  space: string;
}>;


export type VotePatternsQuery = { getVotePatterns: Array<{ _id: string, kind: VotePatternKind, votes: number, expected: number, chanceLog10: number, from: string | null, until: string | null, state: VotePatternState, hasGrown: boolean, revision: number, triage: { verdict: VotePatternVerdict, at: string, votes: number, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } } | null, students: Array<{ _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }> }> };

export type VotePatternQueryVariables = Exact<{
  space: string;
  pattern: string;
}>;


export type VotePatternQuery = { getVotePattern: { _id: string, kind: VotePatternKind, votes: number, expected: number, chanceLog10: number, from: string | null, until: string | null, state: VotePatternState, hasGrown: boolean, revision: number, newAccounts: number | null, evidence: Array<{ postId: string, postType: PostType, direction: CaseVoteDirection, castAt: string | null, isHeld: boolean, caseIds: Array<string>, voter: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, question: { _id: string, title: string } }>, triage: { verdict: VotePatternVerdict, at: string, votes: number, moderator: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } } | null, students: Array<{ _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }>, links: Array<{ direction: CaseVoteDirection, votes: number, given: number, expected: number, chanceLog10: number, voter: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }> } | null };

export type TriageVotePatternMutationVariables = Exact<{
  space: string;
  pattern: string;
  verdict: VotePatternVerdict;
  votes: number;
  revision: number;
}>;


export type TriageVotePatternMutation = { triageVotePattern: { _id: string } };

export type VotesForReviewQueryVariables = Exact<{
  space: string;
  voter?: string | null | undefined;
  author?: string | null | undefined;
  post?: string | null | undefined;
  from?: string | null | undefined;
  until?: string | null | undefined;
  page: number;
}>;


export type VotesForReviewQuery = { getVotesForReview: { page: number, totalPages: number, docs: Array<{ postId: string, postType: PostType, direction: CaseVoteDirection, castAt: string | null, isHeld: boolean, caseIds: Array<string>, voter: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, question: { _id: string, title: string } }> } };

export type VoteGiversQueryVariables = Exact<{
  space: string;
  author: string;
  page: number;
}>;


export type VoteGiversQuery = { getVoteGivers: { page: number, totalPages: number, total: number, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, received: { upvotes: number, downvotes: number }, unknown: { upvotes: number, downvotes: number }, docs: Array<{ upvotes: number, downvotes: number, posts: number, memberSince: string | null, firstVoteAt: string | null, lastVoteAt: string | null, voter: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, given: { upvotes: number, downvotes: number } }> } };

export type ReviewedPersonQueryVariables = Exact<{
  studentId: string;
  space: string;
}>;


export type ReviewedPersonQuery = { getStudentDetail: { _id: string, userName: string } | null };

export type AnswerGuardianConsentMutationVariables = Exact<{
  token: string;
  isGiven: boolean;
  termsVersion: string;
}>;


export type AnswerGuardianConsentMutation = { answerGuardianConsent: { userName: string, spaceName: string, spaceDescription: string, consentAge: number, state: GuardianConsentState, termsVersion: string } };

export type GetGuardianConsentQueryVariables = Exact<{
  token: string;
}>;


export type GetGuardianConsentQuery = { getGuardianConsent: { userName: string, spaceName: string, spaceDescription: string, consentAge: number, state: GuardianConsentState, termsVersion: string } };

export type ForgotPasswordMutationVariables = Exact<{
  email: string;
}>;


export type ForgotPasswordMutation = { forgotPassword: { flag: number } };

export type ResetPasswordMutationVariables = Exact<{
  token: string;
  password: string;
  factorCode?: string | null | undefined;
}>;


export type ResetPasswordMutation = { resetPassword: { flag: number } };

export type LeaderboardQueryVariables = Exact<{
  space: string;
  page: number;
}>;


export type LeaderboardQuery = { getPaginatedLeaderboardScores: { page: number, totalPages: number, docs: Array<{ _id: string, rank: number, score: number, reputations: number, commitments: number, questionsAsked: number, questionsAnswered: number, answersAccepted: number, student: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }> } };

export type OwnScoreQueryVariables = Exact<{
  space: string;
}>;


export type OwnScoreQuery = { getLeaderboardScores: { scores: { _id: string, rank: number, score: number } | null } };

export type LeaderboardRowFragment = { _id: string, rank: number, score: number, reputations: number, commitments: number, questionsAsked: number, questionsAnswered: number, answersAccepted: number, student: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } };

export type FinishSecondFactorMutationVariables = Exact<{
  ticket: string;
  code?: string | null | undefined;
  passkey?: string | null | undefined;
}>;


export type FinishSecondFactorMutation = { finishSecondFactor: { accessToken: string | null } };

export type FinishSignInMutationVariables = Exact<{
  code: string;
  secret: string;
}>;


export type FinishSignInMutation = { finishSignIn: { accessToken: string | null, remember: boolean, id: string | null, grant: string | null, secondFactor: { ticket: string, hasTotp: boolean, hasPasskey: boolean } | null } };

export type SendConfirmationMutationVariables = Exact<{
  confirmation: string;
}>;


export type SendConfirmationMutation = { sendConfirmation: { flag: number } };

export type SignInProvidersQueryVariables = Exact<{ [key: string]: never; }>;


export type SignInProvidersQuery = { getSignInProviders: Array<{ _id: string, label: string, isEnabled: boolean }> };

export type StartPasskeySignInMutationVariables = Exact<{
  ticket: string;
}>;


export type StartPasskeySignInMutation = { startPasskeySignIn: string };

export type StartSignInMutationVariables = Exact<{
  provider: string;
  remember: boolean;
}>;


export type StartSignInMutation = { startSignIn: { url: string, secret: string } };

export type LogoutMutationVariables = Exact<{ [key: string]: never; }>;


export type LogoutMutation = { logout: { flag: number } };

export type NewsItemFragment = { _id: string, title: string, body: string, liked: boolean, saved: boolean, likeCount: number, createdAt: string, editedAt: string | null, isEditable: boolean, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, space: { _id: string, name: string } | null };

export type NewsQueryVariables = Exact<{
  space?: string | null | undefined;
  saved: boolean;
  page: number;
}>;


export type NewsQuery = { getPaginatedNewsposts: { page: number, totalPages: number, docs: Array<{ _id: string, title: string, body: string, liked: boolean, saved: boolean, likeCount: number, createdAt: string, editedAt: string | null, isEditable: boolean, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, space: { _id: string, name: string } | null }> } };

export type LikeNewsMutationVariables = Exact<{
  id: string;
}>;


export type LikeNewsMutation = { likeNewspost: { _id: string, title: string, body: string, liked: boolean, saved: boolean, likeCount: number, createdAt: string, editedAt: string | null, isEditable: boolean, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, space: { _id: string, name: string } | null } | null };

export type SaveNewsMutationVariables = Exact<{
  id: string;
}>;


export type SaveNewsMutation = { saveNewspost: { _id: string, title: string, body: string, liked: boolean, saved: boolean, likeCount: number, createdAt: string, editedAt: string | null, isEditable: boolean, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, space: { _id: string, name: string } | null } | null };

export type PublishNewsMutationVariables = Exact<{
  space?: string | null | undefined;
  title: string;
  body: string;
}>;


export type PublishNewsMutation = { publishNewspost: { _id: string, title: string, body: string, liked: boolean, saved: boolean, likeCount: number, createdAt: string, editedAt: string | null, isEditable: boolean, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, space: { _id: string, name: string } | null } | null };

export type UpdateNewsMutationVariables = Exact<{
  id: string;
  title: string;
  body: string;
}>;


export type UpdateNewsMutation = { updateNewspost: { act: number | null, _id: string, title: string, body: string, liked: boolean, saved: boolean, likeCount: number, createdAt: string, editedAt: string | null, isEditable: boolean, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, space: { _id: string, name: string } | null } | null };

export type RemoveNewsMutationVariables = Exact<{
  id: string;
}>;


export type RemoveNewsMutation = { removeNewspost: { _id: string, act: number | null } };

export type RestoreNewsMutationVariables = Exact<{
  id: string;
}>;


export type RestoreNewsMutation = { restoreNewspost: { act: number | null, _id: string, title: string, body: string, liked: boolean, saved: boolean, likeCount: number, createdAt: string, editedAt: string | null, isEditable: boolean, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null }, space: { _id: string, name: string } | null } | null };

export type SpaceStatisticsQueryVariables = Exact<{
  space: string;
  from: string;
  to: string;
  subjectIds?: Array<string> | string | null | undefined;
}>;


export type SpaceStatisticsQuery = { getSpaceStatistics: { from: string, to: string, workload: Array<{ day: string, questions: number, answers: number }>, subjects: Array<{ questions: number, solved: number, unsolved: number, withinHour: number, withinDay: number, withinWeek: number, later: number, unanswered: number, subject: { _id: string, subjectName: string, color: string } }> } };

export type SolvedShareQueryVariables = Exact<{
  space: string;
  subjectIds?: Array<string> | string | null | undefined;
}>;


export type SolvedShareQuery = { getSolvedShare: { questions: number, solved: number } };

export type OwnScoreHistoryQueryVariables = Exact<{
  space: string;
}>;


export type OwnScoreHistoryQuery = { getOwnScoreHistory: Array<{ day: string, reputationsAfter: number, commitmentsAfter: number, scoreAfter: number }> };

export type ProfileQueryVariables = Exact<{
  space: string;
}>;


export type ProfileQuery = { getStudent: { _id: string, userName: string | null, firstName: string | null, lastName: string | null, profileDesc: string | null, realProfilePicUrl: string | null } | null, getLeaderboardScores: { scores: { _id: string, score: number, reputations: number, commitments: number, questionsAsked: number, questionsAnswered: number, answersAccepted: number } | null } };

export type ActivityFragment = { _id: string, createdAt: string, activityType: ActivityType, dataResolve: ActivityDataKind, subject: { _id: string, subjectName: string, color: string }, topic: { _id: string, topicName: string }, data:
    | { __typename: 'ActivityAnswer', _id: string, title: string, body: string, question: { _id: string } | null }
    | { __typename: 'ActivityComment', _id: string, title: string, body: string, mentions: Array<string>, answer: { _id: string, question: { _id: string } | null } | null }
    | { __typename: 'ActivityQuestion', _id: string, title: string, body: string }
    | { __typename: 'ActivityQuestionComment', _id: string, title: string, body: string, mentions: Array<string>, question: { _id: string } | null }
   };

export type OwnActivitiesQueryVariables = Exact<{
  space: string;
  page: number;
}>;


export type OwnActivitiesQuery = { getPaginatedStudentActivities: { page: number, totalPages: number, docs: Array<{ _id: string, createdAt: string, activityType: ActivityType, dataResolve: ActivityDataKind, subject: { _id: string, subjectName: string, color: string }, topic: { _id: string, topicName: string }, data:
        | { __typename: 'ActivityAnswer', _id: string, title: string, body: string, question: { _id: string } | null }
        | { __typename: 'ActivityComment', _id: string, title: string, body: string, mentions: Array<string>, answer: { _id: string, question: { _id: string } | null } | null }
        | { __typename: 'ActivityQuestion', _id: string, title: string, body: string }
        | { __typename: 'ActivityQuestionComment', _id: string, title: string, body: string, mentions: Array<string>, question: { _id: string } | null }
       }> } };

export type SavedQuestionFragment = { _id: string, title: string, createdAt: string, answerCount: number, acceptedAnswer: { _id: string } | null, subject: { _id: string, subjectName: string, color: string }, topic: { _id: string, topicName: string }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } };

export type SavedQuestionsQueryVariables = Exact<{
  space: string;
  page: number;
}>;


export type SavedQuestionsQuery = { getPaginatedSavedQuestions: { page: number, totalPages: number, docs: Array<{ _id: string, title: string, createdAt: string, answerCount: number, acceptedAnswer: { _id: string } | null, subject: { _id: string, subjectName: string, color: string }, topic: { _id: string, topicName: string }, author: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null } }> } };

export type ConfirmEmailMutationVariables = Exact<{
  token: string;
  password: string;
  userName?: string | null | undefined;
}>;


export type ConfirmEmailMutation = { confirmEmail: { userName: string } };

export type IsEmailConfirmedQueryVariables = Exact<{
  token: string;
}>;


export type IsEmailConfirmedQuery = { isEmailConfirmed: boolean };

export type RegisterByEmailMutationVariables = Exact<{
  email: string;
  userName: string;
  password: string;
}>;


export type RegisterByEmailMutation = { registerByEmail: { flag: number } };

export type ScorePointLineFragment = { _id: string, kind: ScoreReasonKind, day: string, occurredAt: string | null, count: number, reputations: number, commitments: number, rulesVersion: number, post: { _id: string, postType: PostType, isRemoved: boolean, question: { _id: string, title: string } | null } };

export type ScoreDaySumFragment = { day: string, reputations: number, commitments: number, heldByFloor: number, scoreAfter: number };

export type ScoreExplanationQueryVariables = Exact<{
  space: string;
  studentId?: string | null | undefined;
  kinds?: Array<ScoreReasonKind> | ScoreReasonKind | null | undefined;
  page: number;
}>;


export type ScoreExplanationQuery = { getScoreExplanation: { heldByFloor: number, page: number, totalPages: number, startingReputations: number, reputations: number, commitments: number, score: number, rulesVersion: number, docs: Array<{ _id: string, kind: ScoreReasonKind, day: string, occurredAt: string | null, count: number, reputations: number, commitments: number, rulesVersion: number, post: { _id: string, postType: PostType, isRemoved: boolean, question: { _id: string, title: string } | null } }>, days: Array<{ day: string, reputations: number, commitments: number, heldByFloor: number, scoreAfter: number }>, reasons: Array<{ kind: ScoreReasonKind, count: number, reputations: number, commitments: number }>, student: { _id: string, userName: string } | null } };

export type ScoreNoticesQueryVariables = Exact<{
  space: string;
  studentId?: string | null | undefined;
}>;


export type ScoreNoticesQuery = { getScoreNotices: Array<{ _id: string, day: string, kind: ScoreNoticeKind, side: VoteSide, category: InvalidationCategory, count: number, post: { _id: string, postType: PostType, question: { _id: string, title: string } | null } }> };

export type OwnAccountQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnAccountQuery = { getStudent: { _id: string, userName: string | null, firstName: string | null, lastName: string | null, profileDesc: string | null, realProfilePicUrl: string | null, email: string | null, phone: string | null, roles: Array<{ role: Role, space: string | null }> } | null, getSpaces: Array<{ _id: string, name: string, joined: boolean }> };

export type SaveOwnProfileMutationVariables = Exact<{
  id: string;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  realProfilePicUrl?: string | null | undefined;
}>;


export type SaveOwnProfileMutation = { updateStudent: { _id: string, firstName: string | null, lastName: string | null, realProfilePicUrl: string | null } };

export type RenameStudentMutationVariables = Exact<{
  id: string;
  userName: string;
}>;


export type RenameStudentMutation = { updateStudent: { _id: string, userName: string | null } };

export type ReplacePasswordMutationVariables = Exact<{
  oldPassword: string;
  password: string;
}>;


export type ReplacePasswordMutation = { changePassword: { flag: number, refusal: { message: string, code: string, rule: string, field: string | null, params: Array<{ name: string, value: string }> } | null } };

export type OwnSessionsQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnSessionsQuery = { getSessions: Array<{ _id: string, browser: string | null, system: string | null, address: string, createdAt: string, lastUsedAt: string, isCurrent: boolean, factorAt: string | null }> };

export type EndSessionMutationVariables = Exact<{
  id: string;
}>;


export type EndSessionMutation = { endSession: { flag: number } };

export type EndOtherSessionsMutationVariables = Exact<{ [key: string]: never; }>;


export type EndOtherSessionsMutation = { endOtherSessions: { flag: number } };

export type StartContactChangeMutationVariables = Exact<{
  kind: ContactKind;
  value: string;
  password: string;
  via?: ContactKind | null | undefined;
  proof?: string | null | undefined;
}>;


export type StartContactChangeMutation = { startContactChange: { _id: string, sentTo: string, ownSentTo: string | null } };

export type FinishContactChangeMutationVariables = Exact<{
  id: string;
  newCode: string;
  ownCode?: string | null | undefined;
}>;


export type FinishContactChangeMutation = { finishContactChange: { flag: number } };

export type DeleteOwnAccountMutationVariables = Exact<{
  password: string;
  withPosts: boolean;
}>;


export type DeleteOwnAccountMutation = { deleteOwnAccount: { dueAt: string, withPosts: boolean } };

export type OwnDataExportQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnDataExportQuery = { getOwnExport: { status: OwnExportStatus, percent: number, requestedAt: string, expiresAt: string | null, kilobytes: number | null } | null };

export type RequestOwnExportMutationVariables = Exact<{
  language?: string | null | undefined;
}>;


export type RequestOwnExportMutation = { requestOwnExport: { status: OwnExportStatus, percent: number, requestedAt: string, expiresAt: string | null, kilobytes: number | null } };

export type DeleteOwnExportMutationVariables = Exact<{ [key: string]: never; }>;


export type DeleteOwnExportMutation = { deleteOwnExport: { flag: number } };

export type InvitedSpaceQueryVariables = Exact<{
  secret: string;
}>;


export type InvitedSpaceQuery = { getInvitedSpace: { _id: string, name: string, description: string, bannerImageUrl: string | null, color: string, joined: boolean, memberCount: number | null, entry: SpaceEntry, isArchived: boolean, request: EntryRequestState | null, isInvited: boolean, requestReason: string | null, consent: { age: number, stated: AgeBand | null, guardian: GuardianConsentState | null } | null } };

export type JoinByInvitationMutationVariables = Exact<{
  secret: string;
}>;


export type JoinByInvitationMutation = { joinByInvitation: { _id: string, name: string, description: string, bannerImageUrl: string | null, color: string, joined: boolean, memberCount: number | null, entry: SpaceEntry, isArchived: boolean, request: EntryRequestState | null, isInvited: boolean, requestReason: string | null, consent: { age: number, stated: AgeBand | null, guardian: GuardianConsentState | null } | null } };

export type SpaceCardFragment = { _id: string, name: string, description: string, bannerImageUrl: string | null, color: string, joined: boolean, memberCount: number | null, entry: SpaceEntry, isArchived: boolean, request: EntryRequestState | null, isInvited: boolean, requestReason: string | null, consent: { age: number, stated: AgeBand | null, guardian: GuardianConsentState | null } | null };

export type SpacesQueryVariables = Exact<{ [key: string]: never; }>;


export type SpacesQuery = { getSpaces: Array<{ _id: string, name: string, description: string, bannerImageUrl: string | null, color: string, joined: boolean, memberCount: number | null, entry: SpaceEntry, isArchived: boolean, request: EntryRequestState | null, isInvited: boolean, requestReason: string | null, consent: { age: number, stated: AgeBand | null, guardian: GuardianConsentState | null } | null }> };

export type JoinSpaceMutationVariables = Exact<{
  spaceId: string;
}>;


export type JoinSpaceMutation = { joinSpace: { _id: string, name: string, description: string, bannerImageUrl: string | null, color: string, joined: boolean, memberCount: number | null, entry: SpaceEntry, isArchived: boolean, request: EntryRequestState | null, isInvited: boolean, requestReason: string | null, consent: { age: number, stated: AgeBand | null, guardian: GuardianConsentState | null } | null } };

export type RequestEntryMutationVariables = Exact<{
  spaceId: string;
  text?: string | null | undefined;
}>;


export type RequestEntryMutation = { requestEntry: { _id: string, name: string, description: string, bannerImageUrl: string | null, color: string, joined: boolean, memberCount: number | null, entry: SpaceEntry, isArchived: boolean, request: EntryRequestState | null, isInvited: boolean, requestReason: string | null, consent: { age: number, stated: AgeBand | null, guardian: GuardianConsentState | null } | null } };

export type WithdrawEntryRequestMutationVariables = Exact<{
  spaceId: string;
}>;


export type WithdrawEntryRequestMutation = { withdrawEntryRequest: { _id: string, name: string, description: string, bannerImageUrl: string | null, color: string, joined: boolean, memberCount: number | null, entry: SpaceEntry, isArchived: boolean, request: EntryRequestState | null, isInvited: boolean, requestReason: string | null, consent: { age: number, stated: AgeBand | null, guardian: GuardianConsentState | null } | null } };

export type StateAgeMutationVariables = Exact<{
  spaceId: string;
  band: AgeBand;
}>;


export type StateAgeMutation = { declareAge: { _id: string, name: string, description: string, bannerImageUrl: string | null, color: string, joined: boolean, memberCount: number | null, entry: SpaceEntry, isArchived: boolean, request: EntryRequestState | null, isInvited: boolean, requestReason: string | null, consent: { age: number, stated: AgeBand | null, guardian: GuardianConsentState | null } | null } };

export type AskGuardianMutationVariables = Exact<{
  spaceId: string;
  email: string;
}>;


export type AskGuardianMutation = { requestGuardianConsent: { _id: string, name: string, description: string, bannerImageUrl: string | null, color: string, joined: boolean, memberCount: number | null, entry: SpaceEntry, isArchived: boolean, request: EntryRequestState | null, isInvited: boolean, requestReason: string | null, consent: { age: number, stated: AgeBand | null, guardian: GuardianConsentState | null } | null } };

export type AcceptTermsMutationVariables = Exact<{
  version: string;
}>;


export type AcceptTermsMutation = { acceptTerms: { flag: number } };

export type StudentDetailFragment = { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, profileDesc: string, joinedAt: string, isMember: boolean, isRobot: boolean, reputations: number, commitments: number, score: number, rank: number | null, questionsAsked: number, questionsAnswered: number, answersAccepted: number, accountStatus: AccountStatus | null, blockScope: BlockScope | null, isBlockable: boolean, blockRefusal: string | null, isSuspendable: boolean, isWarnable: boolean, arePostsRemovable: boolean, suspendedUntil: string | null };

export type StudentPostFragment = { _id: string, postType: string, title: string, excerpt: string, createdAt: string, upvoteCount: number, isAccepted: boolean, question: { _id: string } };

export type UserDetailQueryVariables = Exact<{
  studentId: string;
  space: string;
}>;


export type UserDetailQuery = { getStudentDetail: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, profileDesc: string, joinedAt: string, isMember: boolean, isRobot: boolean, reputations: number, commitments: number, score: number, rank: number | null, questionsAsked: number, questionsAnswered: number, answersAccepted: number, accountStatus: AccountStatus | null, blockScope: BlockScope | null, isBlockable: boolean, blockRefusal: string | null, isSuspendable: boolean, isWarnable: boolean, arePostsRemovable: boolean, suspendedUntil: string | null } | null };

export type StudentPostsQueryVariables = Exact<{
  student: string;
  space: string;
  page: number;
}>;


export type StudentPostsQuery = { getStudentPosts: { page: number, totalPages: number, docs: Array<{ _id: string, postType: string, title: string, excerpt: string, createdAt: string, upvoteCount: number, isAccepted: boolean, question: { _id: string } }> } };

export type BlockStudentMutationVariables = Exact<{
  studentId: string;
  space: string;
  reason: string;
}>;


export type BlockStudentMutation = { blockStudent: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, profileDesc: string, joinedAt: string, isMember: boolean, isRobot: boolean, reputations: number, commitments: number, score: number, rank: number | null, questionsAsked: number, questionsAnswered: number, answersAccepted: number, accountStatus: AccountStatus | null, blockScope: BlockScope | null, isBlockable: boolean, blockRefusal: string | null, isSuspendable: boolean, isWarnable: boolean, arePostsRemovable: boolean, suspendedUntil: string | null } };

export type UnblockStudentMutationVariables = Exact<{
  studentId: string;
  space: string;
  reason?: string | null | undefined;
}>;


export type UnblockStudentMutation = { unblockStudent: { _id: string, userName: string, firstName: string, lastName: string, realProfilePicUrl: string | null, profileDesc: string, joinedAt: string, isMember: boolean, isRobot: boolean, reputations: number, commitments: number, score: number, rank: number | null, questionsAsked: number, questionsAnswered: number, answersAccepted: number, accountStatus: AccountStatus | null, blockScope: BlockScope | null, isBlockable: boolean, blockRefusal: string | null, isSuspendable: boolean, isWarnable: boolean, arePostsRemovable: boolean, suspendedUntil: string | null } };

export type RemoveMemberMutationVariables = Exact<{
  space: string;
  studentId: string;
  reason: string;
}>;


export type RemoveMemberMutation = { removeMember: { flag: number } };

export type StudentWarningFragment = { _id: string, text: string, warnedAt: string, spaceName: string, moderator: { _id: string, userName: string } | null, post: { postId: string, title: string } | null };

export type StudentWarningsQueryVariables = Exact<{
  studentId: string;
}>;


export type StudentWarningsQuery = { getStudentWarnings: Array<{ _id: string, text: string, warnedAt: string, spaceName: string, moderator: { _id: string, userName: string } | null, post: { postId: string, title: string } | null }> };

export type StudentNoteFragment = { _id: string, text: string, writtenAt: string, author: { _id: string, userName: string } | null };

export type StudentNotesQueryVariables = Exact<{
  studentId: string;
  space: string;
}>;


export type StudentNotesQuery = { getStudentNotes: Array<{ _id: string, text: string, writtenAt: string, author: { _id: string, userName: string } | null }> };

export type WriteStudentNoteMutationVariables = Exact<{
  studentId: string;
  space: string;
  text: string;
}>;


export type WriteStudentNoteMutation = { writeStudentNote: { flag: number } };

export type RemoveStudentNoteMutationVariables = Exact<{
  studentId: string;
  space: string;
  note: string;
}>;


export type RemoveStudentNoteMutation = { removeStudentNote: { flag: number } };

export * from './documents/answers';
export * from './documents/log-alarm';
export * from './documents/moderated-spaces';
export * from './documents/moderation-counts';
export * from './documents/own-roles';
export * from './documents/pattern-counts';
export * from './documents/bookmarks';
export * from './documents/comments';
export * from './documents/change-password';
export * from './documents/check-user-name';
export * from './documents/create-send-challenge';
export * from './documents/create-student';
export * from './documents/get-terms';
export * from './documents/login';
export * from './documents/own-student';
export * from './documents/send-otp';
export * from './documents/verify-otp';
export * from './documents/editable-profile';
export * from './documents/subject-input';
export * from './documents/managed-student';
export * from './documents/space-form';
export * from './documents/notifications';
export * from './documents/own-erasure';
export * from './documents/avatars';
export * from './documents/own-removals';
export * from './documents/questions';
export * from './documents/removals';
export * from './documents/reports';
export * from './documents/current-rules';
export * from './documents/search';
export * from './documents/second-factor';
export * from './documents/security-log';
export * from './documents/leave-space';
export * from './documents/register-student';
export * from './documents/subjects';
export * from './documents/suspension';
export * from './documents/vote-cases';
export * from './documents/votes';
export * from './documents/warning';
export * from './documents/space-standing';
export * from './documents/space-start';
export * from './documents/upload-slot';
export * from './documents/event-log';
export * from './documents/managed-avatars';
export * from './documents/managed-news';
export * from './documents/managed-roles';
export * from './documents/managed-space';
export * from './documents/managed-spaces';
export * from './documents/managed-students';
export * from './documents/projections';
export * from './documents/proof';
export * from './documents/scoring-rules';
export * from './documents/as-of';
export * from './documents/audit';
export * from './documents/class-code';
export * from './documents/entry';
export * from './documents/removals-screen';
export * from './documents/moderation';
export * from './documents/vote-cases-screen';
export * from './documents/vote-patterns';
export * from './documents/answer-consent';
export * from './documents/consent';
export * from './documents/forgot-password';
export * from './documents/reset-password';
export * from './documents/leaderboard';
export * from './documents/finish-second-factor';
export * from './documents/finish-sign-in';
export * from './documents/send-confirmation';
export * from './documents/sign-in-providers';
export * from './documents/start-passkey-sign-in';
export * from './documents/start-sign-in';
export * from './documents/logout';
export * from './documents/news';
export * from './documents/nimo-sense';
export * from './documents/profile';
export * from './documents/confirm-email';
export * from './documents/email-confirmed';
export * from './documents/register-by-email';
export * from './documents/score-explanation';
export * from './documents/settings';
export * from './documents/invitation';
export * from './documents/space-card';
export * from './documents/spaces';
export * from './documents/accept-terms';
export * from './documents/user-detail';
