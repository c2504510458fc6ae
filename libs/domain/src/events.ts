/**
 * Every event of the product, one registry. Each carries all ids that a projection needs: nobody looks anything up elsewhere.
 * `type` alone (not `interface`) so that the shapes are assignable to JSON objects.
 */
export type PostType = 'QUESTION' | 'ANSWER';
export type ReportedPostType = 'QUESTION' | 'ANSWER' | 'COMMENT' | 'QUESTION_COMMENT';
export type VoteDirection = 'UP' | 'DOWN';
export type TopicType = 'PRIMARY' | 'SECONDARY';
export type Role = 'MODERATOR' | 'MAINTAINER';
/** Who has blocked: nobody of a lower one takes it back. */
export type Rank = 'STUDENT' | 'MODERATOR' | 'MODERATOR_OF_ALL' | 'MAINTAINER' | 'OPERATOR';
export type ClaimKind = 'username' | 'phone' | 'email';

/** Where a post stands and whose it is. */
export type PostRef = {
  readonly postType: ReportedPostType;
  readonly postId: string;
  readonly questionId: string;
  readonly spaceId: string;
  readonly postAuthorId: string;
};

// --- student-<studentId> ---------------------------------------------------------------------------------------------
/** Signed up by phone or e-mail, not registered yet. Personal: phone, email. */
export type StudentSignedUp = {
  readonly type: 'StudentSignedUp';
  readonly data: {
    readonly studentId: string;
    readonly phone: string | null;
    readonly email: string | null;
    readonly registrationType: 'SELF';
  };
};
export type StudentPhoneVerified = {
  readonly type: 'StudentPhoneVerified';
  readonly data: { readonly studentId: string };
};
export type StudentEmailConfirmed = {
  readonly type: 'StudentEmailConfirmed';
  readonly data: { readonly studentId: string };
};
/** The profile is complete and the student may log in. Personal: userName, firstName, lastName, profileDesc, realProfilePicUrl. */
export type StudentRegistered = {
  readonly type: 'StudentRegistered';
  readonly data: {
    readonly studentId: string;
    readonly userName: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly profileDesc: string;
    readonly realProfilePicUrl: string | null;
  };
};
/** The whole profile after the change. Personal fields as in StudentRegistered. */
export type StudentProfileChanged = {
  readonly type: 'StudentProfileChanged';
  readonly data: StudentRegistered['data'];
};
/** A member of an imported community. A stand-in only carries votes whose voter the source does not tell. */
export type StudentImported = {
  readonly type: 'StudentImported';
  readonly data: StudentRegistered['data'] & {
    readonly source: string;
    readonly sourceId: string;
    readonly standIn: boolean;
  };
};
export type StudentBlocked = {
  readonly type: 'StudentBlocked';
  readonly data: {
    readonly studentId: string;
    readonly reason: string;
    /** Of whoever blocked. Since version 2; MAINTAINER before. */
    readonly rank: Rank;
  };
};
export type StudentUnblocked = {
  readonly type: 'StudentUnblocked';
  readonly data: { readonly studentId: string; readonly reason?: string };
};
/** For a lost device. What the factor was is in no event. */
export type SecondFactorReset = {
  readonly type: 'SecondFactorReset';
  readonly data: { readonly studentId: string; readonly reason: string };
};
export type StudentErased = { readonly type: 'StudentErased'; readonly data: { readonly studentId: string } };
/** `spaceId` null: for all spaces (always so for a maintainer). */
export type RoleGranted = {
  readonly type: 'RoleGranted';
  readonly data: { readonly studentId: string; readonly role: Role; readonly spaceId: string | null };
};
export type RoleRevoked = {
  readonly type: 'RoleRevoked';
  readonly data: { readonly studentId: string; readonly role: Role; readonly spaceId: string | null };
};

// --- username-<hmac>, phone-<hmac>, email-<hmac> ---------------------------------------------------------------------
export type ClaimReserved = {
  readonly type: 'ClaimReserved';
  readonly data: {
    readonly kind: ClaimKind;
    readonly claim: string;
    readonly studentId: string;
    readonly expiresAt: string;
  };
};
export type ClaimConfirmed = {
  readonly type: 'ClaimConfirmed';
  readonly data: { readonly kind: ClaimKind; readonly claim: string; readonly studentId: string };
};
export type ClaimReleased = {
  readonly type: 'ClaimReleased';
  readonly data: { readonly kind: ClaimKind; readonly claim: string; readonly studentId: string };
};

// --- space-<spaceId> -------------------------------------------------------------------------------------------------
export type SpaceCreated = {
  readonly type: 'SpaceCreated';
  readonly data: {
    readonly spaceId: string;
    readonly name: string;
    readonly description: string;
    readonly scope: 'world';
    readonly bannerImageUrl: string | null;
    /** Hex without #. */
    readonly color: string;
    readonly hiddenFromSearchEngines: boolean;
  };
};
export type SpaceChanged = { readonly type: 'SpaceChanged'; readonly data: SpaceCreated['data'] };
export type SubjectAdded = {
  readonly type: 'SubjectAdded';
  readonly data: {
    readonly spaceId: string;
    readonly subjectId: string;
    readonly subjectName: string;
    /** Hex without #. */
    readonly color: string;
  };
};
export type SubjectChanged = { readonly type: 'SubjectChanged'; readonly data: SubjectAdded['data'] };

// --- topic-<subjectId>-<slug> ----------------------------------------------------------------------------------------
export type TopicCreated = {
  readonly type: 'TopicCreated';
  readonly data: {
    readonly topicId: string;
    readonly spaceId: string;
    readonly subjectId: string;
    readonly topicName: string;
    readonly slug: string;
    readonly topicType: TopicType;
    readonly imageS3Url: string | null;
  };
};
export type TopicChanged = { readonly type: 'TopicChanged'; readonly data: TopicCreated['data'] };
/** In the stream of a later name of the topic; `slug` is still that of its first name, where its other events are. */
export type TopicNameTaken = { readonly type: 'TopicNameTaken'; readonly data: TopicCreated['data'] };

// --- avatars ---------------------------------------------------------------------------------------------------------
/** The whole avatar in each event: the built-in ones have no event of their own before somebody changes them. */
export type AvatarData = {
  /** `<group>/<name>` of a built-in one, a UUID otherwise. */
  readonly avatarId: string;
  readonly group: string;
  readonly label: string;
  readonly imageUrl: string;
};
export type AvatarAdded = { readonly type: 'AvatarAdded'; readonly data: AvatarData };
export type AvatarChanged = { readonly type: 'AvatarChanged'; readonly data: AvatarData };
/** Not offered any more; whoever wears it goes on. */
export type AvatarRetired = { readonly type: 'AvatarRetired'; readonly data: AvatarData };
export type AvatarRestored = { readonly type: 'AvatarRestored'; readonly data: AvatarData };

// --- membership-<spaceId>-<studentId> --------------------------------------------------------------------------------
export type SpaceJoined = {
  readonly type: 'SpaceJoined';
  readonly data: { readonly spaceId: string; readonly studentId: string };
};
export type SpaceLeft = {
  readonly type: 'SpaceLeft';
  readonly data: { readonly spaceId: string; readonly studentId: string };
};

/** May read in the space and do nothing there until it is lifted, also after leaving and joining again. */
export type MemberSuspended = {
  readonly type: 'MemberSuspended';
  readonly data: {
    readonly spaceId: string;
    readonly studentId: string;
    readonly reason: string;
    readonly rank: Rank;
  };
};
export type SuspensionLifted = {
  readonly type: 'SuspensionLifted';
  readonly data: { readonly spaceId: string; readonly studentId: string; readonly reason: string | null };
};

// --- question-<questionId> -------------------------------------------------------------------------------------------
export type QuestionAsked = {
  readonly type: 'QuestionAsked';
  readonly data: {
    readonly questionId: string;
    readonly spaceId: string;
    readonly subjectId: string;
    readonly topicId: string;
    readonly authorId: string;
    readonly title: string;
    /** Sanitised HTML, empty where there is no description. */
    readonly body: string;
    readonly imageUrls: readonly string[];
    readonly tags: readonly string[];
  };
};
export type QuestionEdited = {
  readonly type: 'QuestionEdited';
  readonly data: {
    readonly questionId: string;
    readonly spaceId: string;
    readonly authorId: string;
    readonly title: string;
    readonly body: string;
    readonly imageUrls: readonly string[];
  };
};
export type QuestionDeleted = {
  readonly type: 'QuestionDeleted';
  readonly data: {
    readonly questionId: string;
    readonly spaceId: string;
    readonly authorId: string;
    /** Null when the author deleted; a moderator tells why. */
    readonly reason: string | null;
  };
};
export type AnswerAccepted = {
  readonly type: 'AnswerAccepted';
  readonly data: {
    readonly questionId: string;
    readonly answerId: string;
    readonly spaceId: string;
    readonly questionAuthorId: string;
    readonly answerAuthorId: string;
  };
};

// --- answer-<answerId> -----------------------------------------------------------------------------------------------
export type AnswerPosted = {
  readonly type: 'AnswerPosted';
  readonly data: {
    readonly answerId: string;
    readonly questionId: string;
    readonly spaceId: string;
    readonly questionAuthorId: string;
    readonly authorId: string;
    readonly body: string;
    readonly imageUrls: readonly string[];
  };
};
export type AnswerEdited = {
  readonly type: 'AnswerEdited';
  readonly data: {
    readonly answerId: string;
    readonly questionId: string;
    readonly spaceId: string;
    readonly authorId: string;
    readonly body: string;
    readonly imageUrls: readonly string[];
  };
};
/** A question whose accepted answer this was becomes unsolved: the read side sees it by `questionId` and `answerId`. */
export type AnswerDeleted = {
  readonly type: 'AnswerDeleted';
  readonly data: {
    readonly answerId: string;
    readonly questionId: string;
    readonly spaceId: string;
    readonly authorId: string;
    readonly reason: string | null;
  };
};

// --- comment-<commentId> ---------------------------------------------------------------------------------------------
export type CommentPosted = {
  readonly type: 'CommentPosted';
  readonly data: {
    readonly commentId: string;
    readonly parentType: PostType;
    readonly parentId: string;
    readonly questionId: string;
    readonly spaceId: string;
    readonly parentAuthorId: string;
    readonly authorId: string;
    /** Sanitised text; a mention is `@[<studentId>]` here and `@[name]` on the wire. */
    readonly body: string;
    readonly mentionedStudentIds: readonly string[];
  };
};
export type CommentDeleted = {
  readonly type: 'CommentDeleted';
  readonly data: {
    readonly commentId: string;
    readonly parentType: PostType;
    readonly parentId: string;
    readonly questionId: string;
    readonly spaceId: string;
    readonly authorId: string;
    readonly reason: string | null;
  };
};

// --- vote-<postId>-<studentId> ---------------------------------------------------------------------------------------
export type VoteData = PostRef & {
  readonly postType: PostType;
  readonly voterId: string;
  readonly direction: VoteDirection;
  /** The voter is a stand-in of an import: counted on the post and for its author, never shown or scored as a person. */
  readonly voterIsStandIn: boolean;
};
export type VoteCast = { readonly type: 'VoteCast'; readonly data: VoteData };
export type VoteWithdrawn = { readonly type: 'VoteWithdrawn'; readonly data: VoteData };

// --- report-<postId>-<studentId> -------------------------------------------------------------------------------------
export type PostReported = {
  readonly type: 'PostReported';
  readonly data: PostRef & {
    readonly reporterId: string;
    readonly reason: string;
    /** Counts the dismissals and reversals of this post before: only reports of one round are added up. */
    readonly round: number;
  };
};

// --- moderation-<postId> ---------------------------------------------------------------------------------------------
export type ReportsUpheld = {
  readonly type: 'ReportsUpheld';
  readonly data: PostRef & { readonly moderatorId: string; readonly reason: string; readonly round: number };
};
export type ReportsDismissed = {
  readonly type: 'ReportsDismissed';
  readonly data: ReportsUpheld['data'];
};
/** The case is another moderator's to decide, or (null) given back to all. */
export type ReportsHandedOver = {
  readonly type: 'ReportsHandedOver';
  readonly data: PostRef & {
    readonly moderatorId: string;
    readonly toModeratorId: string | null;
    readonly note: string;
    readonly round: number;
  };
};
/** The post is visible again and the penalty is reversed: ends the round as a dismissal does. */
export type UpholdingReversed = {
  readonly type: 'UpholdingReversed';
  readonly data: ReportsUpheld['data'];
};

// --- case-<caseId> ---------------------------------------------------------------------------------------------------
/**
 * What those concerned are told of the reason; the words of the moderator may name people. None of them tells who voted: pairs
 * and rings are one category.
 */
export type InvalidationCategory = 'ARRANGED' | 'SERIAL' | 'VOTING_ONLY' | 'OTHER';

/** The votes that stop counting, each with all a fold needs. Inline, as no stream may be read by a projection. */
export type VotesInvalidated = {
  readonly type: 'VotesInvalidated';
  readonly data: {
    readonly caseId: string;
    readonly moderatorId: string;
    /** Since version 2; OTHER before. */
    readonly category: InvalidationCategory;
    readonly reason: string;
    readonly votes: readonly VoteData[];
  };
};
export type InvalidationReversed = {
  readonly type: 'InvalidationReversed';
  readonly data: VotesInvalidated['data'];
};

// --- bookmark-<questionId>-<studentId> -------------------------------------------------------------------------------
export type QuestionSaved = {
  readonly type: 'QuestionSaved';
  readonly data: { readonly questionId: string; readonly spaceId: string; readonly studentId: string };
};
export type QuestionUnsaved = {
  readonly type: 'QuestionUnsaved';
  readonly data: { readonly questionId: string; readonly spaceId: string; readonly studentId: string };
};

// --- newspost-<newspostId> -------------------------------------------------------------------------------------------
export type NewspostPublished = {
  readonly type: 'NewspostPublished';
  readonly data: {
    readonly newspostId: string;
    /** Null: for everybody, whatever the space. */
    readonly spaceId: string | null;
    readonly authorId: string;
    readonly title: string;
    /** Sanitised HTML. */
    readonly body: string;
  };
};
export type NewspostChanged = {
  readonly type: 'NewspostChanged';
  readonly data: {
    readonly newspostId: string;
    readonly spaceId: string | null;
    readonly editorId: string;
    readonly title: string;
    readonly body: string;
  };
};
export type NewspostRemoved = {
  readonly type: 'NewspostRemoved';
  readonly data: { readonly newspostId: string; readonly spaceId: string | null; readonly editorId: string };
};
export type NewspostRestored = {
  readonly type: 'NewspostRestored';
  readonly data: NewspostRemoved['data'];
};

// --- reaction-<newspostId>-<studentId> -------------------------------------------------------------------------------
type ReactionData = {
  readonly newspostId: string;
  readonly spaceId: string | null;
  readonly studentId: string;
};
export type NewspostLiked = { readonly type: 'NewspostLiked'; readonly data: ReactionData };
export type NewspostUnliked = { readonly type: 'NewspostUnliked'; readonly data: ReactionData };
export type NewspostSaved = { readonly type: 'NewspostSaved'; readonly data: ReactionData };
export type NewspostUnsaved = { readonly type: 'NewspostUnsaved'; readonly data: ReactionData };

// --- scoring-rules ---------------------------------------------------------------------------------------------------
export type FactKind =
  | 'QUESTION_POSTED'
  | 'ANSWER_POSTED'
  | 'COMMENT_POSTED'
  | 'UPVOTE_CAST'
  | 'DOWNVOTE_CAST'
  | 'QUESTION_UPVOTED'
  | 'QUESTION_DOWNVOTED'
  | 'ANSWER_UPVOTED'
  | 'ANSWER_DOWNVOTED'
  | 'ANSWER_ACCEPTED'
  | 'ACCEPTED_AN_ANSWER'
  | 'POST_REPORTED';
export type Weight = { readonly merit: number; readonly impact: number };
export type ScoringRules = {
  readonly version: number;
  /** The rules hold for facts that occurred at or after this moment; null: for all of history. */
  readonly effectiveFrom: string | null;
  readonly weights: Readonly<Record<FactKind, Weight>>;
  /** How many distinct reporters of one round make the penalty fall due. */
  readonly reportThreshold: number;
  readonly note: string;
};
export type ScoringRulesPublished = { readonly type: 'ScoringRulesPublished'; readonly data: ScoringRules };

// --- day-<YYYY-MM-DD> ------------------------------------------------------------------------------------------------
/** The first of a day, in UTC: before the day's first vote, or when votes of earlier days have yet to count for others. */
export type DayBegan = { readonly type: 'DayBegan'; readonly data: { readonly day: string } };

// --- projection-<name> -----------------------------------------------------------------------------------------------
/** What maintainers do to a projection. Folds of the product pass these by: they are about the read side, not in it. */
export type ProjectionRebuildStarted = {
  readonly type: 'ProjectionRebuildStarted';
  readonly data: {
    readonly projection: string;
    /** Built and kept up to date, but put in the live one's place only by a switch. */
    readonly hold: boolean;
  };
};
export type ProjectionRebuildCancelled = {
  readonly type: 'ProjectionRebuildCancelled';
  readonly data: { readonly projection: string; readonly generation: number };
};
/** To a generation that was built and held, or back to the former one. */
export type ProjectionSwitched = {
  readonly type: 'ProjectionSwitched';
  readonly data: {
    readonly projection: string;
    readonly generation: number;
    readonly fromGeneration: number | null;
    /** Told by the worker when it had switched at the end of a rebuild; otherwise the switch is asked for. */
    readonly afterRebuild?: true;
  };
};
export type ProjectionVerificationStarted = {
  readonly type: 'ProjectionVerificationStarted';
  readonly data: { readonly projection: string };
};
export type ProjectionVerificationCancelled = {
  readonly type: 'ProjectionVerificationCancelled';
  readonly data: { readonly projection: string };
};
export type VerificationOutcome = 'EQUAL' | 'DIFFERENT' | 'FAILED';
/** By the worker that compared, whatever came of it. */
export type ProjectionVerificationFinished = {
  readonly type: 'ProjectionVerificationFinished';
  readonly data: {
    readonly projection: string;
    readonly outcome: VerificationOutcome;
    /** Both were compared as of this many events. */
    readonly ordinal: number;
    readonly liveHash: string | null;
    readonly rebuiltHash: string | null;
    /** Why it failed. */
    readonly error: string | null;
    /** How many rows differ, by table; which ones is in no event, as a key may tell who voted or reported. */
    readonly differing?: readonly { readonly table: string; readonly rows: number }[];
  };
};
/** Where a projection stopped. */
export type StoppedAt = {
  readonly eventId: string;
  readonly eventType: string;
  readonly ordinal: number;
};
export type ProjectionEventRetried = {
  readonly type: 'ProjectionEventRetried';
  readonly data: StoppedAt & { readonly projection: string };
};
export type ProjectionEventSkipped = {
  readonly type: 'ProjectionEventSkipped';
  readonly data: StoppedAt & {
    readonly projection: string;
    /** Of the code that could not digest the event; a later one tries it again. */
    readonly version: number;
    readonly reason: string;
  };
};

// --- read-<readId> ---------------------------------------------------------------------------------------------------
/** What staff see and members do not. */
export type ConfidentialKind =
  | 'VOTES'
  | 'VOTE_PATTERNS'
  | 'VOTE_CASES'
  | 'REPORTERS'
  | 'SCORES'
  | 'PAST_POSTS'
  | 'PEOPLE'
  | 'SECURITY_LOG'
  | 'AUDIT'
  | 'AUDIT_EXPORT'
  | 'PROVEN_AUDIT_EXPORT'
  | 'LOG_EXPORT'
  | 'BACKUP';
/** Somebody of the staff looked, or took a copy. What they saw is not in it, nor what they typed to find it. */
export type ConfidentialDataRead = {
  readonly type: 'ConfidentialDataRead';
  readonly data: {
    readonly readId: string;
    readonly what: ConfidentialKind;
    /** Empty: of no space, or of all. */
    readonly spaceIds: readonly string[];
    /** Whom it is about, where it is about a few. */
    readonly studentIds: readonly string[];
    readonly post: PostRef | null;
    readonly caseId: string | null;
    /** Keyed hash of what was looked for: tells equal searches from others, and nothing else. */
    readonly filter: string | null;
    /** Of the first answer; null where it goes out as it is read. */
    readonly rows: number | null;
  };
};

export type DomainEvent =
  | StudentSignedUp
  | StudentPhoneVerified
  | StudentEmailConfirmed
  | StudentRegistered
  | StudentProfileChanged
  | StudentImported
  | StudentBlocked
  | StudentUnblocked
  | SecondFactorReset
  | StudentErased
  | RoleGranted
  | RoleRevoked
  | ClaimReserved
  | ClaimConfirmed
  | ClaimReleased
  | SpaceCreated
  | SpaceChanged
  | SubjectAdded
  | SubjectChanged
  | TopicCreated
  | TopicChanged
  | TopicNameTaken
  | AvatarAdded
  | AvatarChanged
  | AvatarRetired
  | AvatarRestored
  | SpaceJoined
  | SpaceLeft
  | MemberSuspended
  | SuspensionLifted
  | QuestionAsked
  | QuestionEdited
  | QuestionDeleted
  | AnswerAccepted
  | AnswerPosted
  | AnswerEdited
  | AnswerDeleted
  | CommentPosted
  | CommentDeleted
  | VoteCast
  | VoteWithdrawn
  | PostReported
  | ReportsUpheld
  | ReportsDismissed
  | ReportsHandedOver
  | UpholdingReversed
  | VotesInvalidated
  | InvalidationReversed
  | QuestionSaved
  | QuestionUnsaved
  | NewspostPublished
  | NewspostChanged
  | NewspostRemoved
  | NewspostRestored
  | NewspostLiked
  | NewspostUnliked
  | NewspostSaved
  | NewspostUnsaved
  | ScoringRulesPublished
  | DayBegan
  | ProjectionRebuildStarted
  | ProjectionRebuildCancelled
  | ProjectionSwitched
  | ProjectionVerificationStarted
  | ProjectionVerificationCancelled
  | ProjectionVerificationFinished
  | ProjectionEventRetried
  | ProjectionEventSkipped
  | ConfidentialDataRead;

export type EventType = DomainEvent['type'];
export type EventOf<T extends EventType> = Extract<DomainEvent, { type: T }>;

/** Fields of the data that identify a person: sealed with that student's key before they reach a store, null once it is erased. */
export const PERSONAL_FIELDS = {
  StudentSignedUp: ['phone', 'email'],
  StudentRegistered: ['userName', 'firstName', 'lastName', 'profileDesc', 'realProfilePicUrl'],
  StudentProfileChanged: ['userName', 'firstName', 'lastName', 'profileDesc', 'realProfilePicUrl'],
  StudentImported: ['userName', 'firstName', 'lastName', 'profileDesc', 'realProfilePicUrl'],
} as const satisfies { readonly [T in EventType]?: readonly string[] };
