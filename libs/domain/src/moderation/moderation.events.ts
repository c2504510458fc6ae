import { examplePost, type PostRef } from '../event-parts.js';
import { auditedAction, postFields } from '../audit.js';
import { slice } from '../vocabulary.js';

// Streams: `moderation-<postId>`.

type Ruling = PostRef & { readonly moderatorId: string; readonly reason: string; readonly round: number };

/**
 * Points that the reports cost the author. RULES: what the scoring rules say. NONE: nothing, even if they reached the threshold
 * before. FULL: the penalty, even if they did not reach it.
 */
export type Penalty = 'RULES' | 'NONE' | 'FULL';

export type ReportsUpheld = {
  readonly type: 'ReportsUpheld';
  readonly data: Ruling & {
    /** Default: RULES. */
    readonly penalty?: Exclude<Penalty, 'RULES'>;
    /** Part of a removal of all posts of the author, also without reports. */
    readonly removalId?: string;
  };
};
export type ReportsDismissed = { readonly type: 'ReportsDismissed'; readonly data: Ruling };
/** Assigns the case to another moderator, or unassigns it (null). */
export type ReportsHandedOver = {
  readonly type: 'ReportsHandedOver';
  readonly data: PostRef & {
    readonly moderatorId: string;
    readonly toModeratorId: string | null;
    readonly note: string;
    readonly round: number;
  };
};
/** Restores the post, reverses the penalty and ends the round. */
export type UpholdingReversed = {
  readonly type: 'UpholdingReversed';
  /** `removalId`: reversed together with the other posts of the removal. */
  readonly data: Ruling & { readonly removalId?: string };
};
export type DecisionEvent = ReportsUpheld | ReportsDismissed | ReportsHandedOver | UpholdingReversed;

const exampleRuling = { ...examplePost, moderatorId: 'student-9', reason: 'Looked at it', round: 0 };

/** Texts about the post are sealed with its author's key. */
const sealedForAuthor = { of: 'postAuthorId', with: 'identity' } as const;
/** Leaves the reason out of the audit, because audit rows outlive an erasure. */
const ruling = {
  example: exampleRuling,
  sealed: [{ ...sealedForAuthor, gone: { reason: '' } }],
  audit: auditedAction(({ round, ...post }: Ruling) => ({ ...postFields(post), round })),
} as const;

export const decisionEvents = slice<DecisionEvent>()({
  streams: ['moderation-'],
  errors: {
    NOTHING_REPORTED: { category: 'CONFLICT', message: 'This post has no open reports.' },
    CASE_ALREADY_DECIDED: {
      category: 'CONFLICT',
      message: '{moderator} already decided this case. Your changes were not saved.',
    },
    CASE_CHANGED: {
      category: 'CONFLICT',
      message: 'The reports on this post have changed: {now} instead of {seen}. Review them again.',
    },
    NOT_UPHELD: { category: 'CONFLICT', message: 'This post was not removed because of reports.' },
    OWN_POST_CASE: { category: 'FORBIDDEN', message: 'You can’t decide a case about your own post.' },
    OWN_REPORT_CASE: {
      category: 'FORBIDDEN',
      message: 'You can’t decide a case you reported.',
    },
    HAND_OVER_TO_MODERATOR: {
      category: 'VALIDATION',
      field: 'toModeratorId',
      message: 'Please choose a moderator of this space.',
    },
  },
  events: {
    ReportsUpheld: {
      ...ruling,
      audit: auditedAction(({ round, penalty, ...post }) => ({
        ...postFields(post),
        round,
        about: penalty ?? null,
      })),
    },
    ReportsDismissed: ruling,
    ReportsHandedOver: {
      example: {
        ...examplePost,
        moderatorId: 'student-9',
        toModeratorId: 'student-8',
        note: 'You know him',
        round: 0,
      },
      sealed: [{ ...sealedForAuthor, gone: { note: '' } }],
      audit: auditedAction(({ round, ...post }) => ({ ...postFields(post), round })),
    },
    UpholdingReversed: ruling,
  },
});
