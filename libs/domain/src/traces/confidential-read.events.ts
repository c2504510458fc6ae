import { examplePost, type PostRef } from '../event-parts.js';
import { auditLine, postFields } from '../audit.js';
import { slice } from '../vocabulary.js';

// Streams: `read-<readId>`.

/** Data visible to staff only. */
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
  | 'WARNINGS'
  | 'AUDIT'
  | 'AUDIT_EXPORT'
  | 'PROVEN_AUDIT_EXPORT'
  | 'LOG'
  | 'LOG_EXPORT'
  | 'SPACE_EXPORT'
  | 'BACKUP';
/** A staff member viewed or exported data. Records neither the data nor the search terms. */
export type ConfidentialDataRead = {
  readonly type: 'ConfidentialDataRead';
  readonly data: {
    readonly readId: string;
    readonly what: ConfidentialKind;
    /** Empty for no space or all spaces. */
    readonly spaceIds: readonly string[];
    /** Subjects of the data, if there are only a few. */
    readonly studentIds: readonly string[];
    readonly post: PostRef | null;
    readonly caseId: string | null;
    /** Keyed hash of the search terms, which only reveals whether two searches are equal. */
    readonly filter: string | null;
    /** Rows in the first response; null for streamed exports. */
    readonly rows: number | null;
  };
};
export type ReadEvent = ConfidentialDataRead;

/** One line per space and person. Listed under the space, but hidden from its subject. */
const readAudit = {
  class: 'READ',
  lines: ({ what, spaceIds, studentIds, post, caseId }: ConfidentialDataRead['data']) =>
    orNull(spaceIds).flatMap((spaceId) =>
      orNull(studentIds).map((receiverId) =>
        auditLine({ ...(post && postFields(post)), spaceId, receiverId, caseId, about: what }),
      ),
    ),
} as const;
const orNull = (ids: readonly string[]): readonly (string | null)[] => (ids.length === 0 ? [null] : ids);

export const readEvents = slice<ReadEvent>()({
  streams: ['read-'],
  errors: {
    STREAM_NAMES_PERSON: {
      category: 'VALIDATION',
      field: 'streamId',
      message: 'Streams that name a student can’t be looked up by name. Open one from its events.',
    },
  },
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
      audit: readAudit,
    },
  },
});
