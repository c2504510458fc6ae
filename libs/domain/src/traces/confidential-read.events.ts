import { examplePost, type PostRef } from '../event-parts.js';
import { lineOf, placeOf } from '../audit.js';
import { slice } from '../vocabulary.js';

// In the streams `read-<readId>`.

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
  | 'NOTES'
  | 'AUDIT'
  | 'AUDIT_EXPORT'
  | 'PROVEN_AUDIT_EXPORT'
  | 'LOG_EXPORT'
  | 'SPACE_EXPORT'
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
export type ReadEvent = ConfidentialDataRead;

/** A line for each space and each person: a reader finds it in the space, and whom it is about does not. */
const ofRead = {
  class: 'READ',
  lines: ({ what, spaceIds, studentIds, post, caseId }: ConfidentialDataRead['data']) =>
    orNone(spaceIds).flatMap((spaceId) =>
      orNone(studentIds).map((receiverId) =>
        lineOf({ ...(post && placeOf(post)), spaceId, receiverId, caseId, about: what }),
      ),
    ),
} as const;
const orNone = (ids: readonly string[]): readonly (string | null)[] => (ids.length === 0 ? [null] : ids);

export const readEvents = slice<ReadEvent>()({
  streams: ['read-'],
  events: {
    ConfidentialDataRead: {
      example: {
        readId: 'read-1',
        what: 'REPORTERS',
        spaceIds: ['space-1'],
        studentIds: ['student-1'],
        post: examplePost,
        caseId: null,
        filter: 'ab12',
        rows: 3,
      },
      audit: ofRead,
    },
  },
});
