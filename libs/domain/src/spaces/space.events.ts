import { auditedAction } from '../audit.js';
import { slice } from '../vocabulary.js';

// Streams: `space-<spaceId>`.

/**
 * How students join: freely, by a request that a moderator accepts, or by invitation. Only members see the contents of the latter
 * two. A space that is being imported is hidden and cannot be joined.
 */
export type SpaceEntry = 'OPEN' | 'REQUEST' | 'INVITATION' | 'IMPORTING';

export type SpaceCreated = {
  readonly type: 'SpaceCreated';
  readonly data: {
    readonly spaceId: string;
    readonly name: string;
    readonly description: string;
    readonly scope: 'world';
    readonly bannerImageUrl: string | null;
    /** Hexadecimal without `#`. */
    readonly color: string;
    readonly hiddenFromSearchEngines: boolean;
    readonly entry: SpaceEntry;
    /** Whether questions can be read by link without an account. Open spaces only. */
    readonly publicPages: boolean;
    /** Younger students need a guardian's consent to join. Null if the space does not ask. */
    readonly consentAge: number | null;
  };
};
export type SpaceChanged = { readonly type: 'SpaceChanged'; readonly data: SpaceCreated['data'] };
/** For good: an archived space was deleted, or an import was abandoned. */
export type SpaceRemoved = {
  readonly type: 'SpaceRemoved';
  readonly data: { readonly spaceId: string; readonly name: string };
};
/** Members can still read the space, and nobody can write into it or join. */
export type SpaceArchived = {
  readonly type: 'SpaceArchived';
  readonly data: { readonly spaceId: string; readonly name: string };
};
/** With the settings that apply again. */
export type SpaceUnarchived = { readonly type: 'SpaceUnarchived'; readonly data: SpaceCreated['data'] };
export type SubjectAdded = {
  readonly type: 'SubjectAdded';
  readonly data: {
    readonly spaceId: string;
    readonly subjectId: string;
    readonly subjectName: string;
    /** Hexadecimal without `#`. */
    readonly color: string;
  };
};
export type SubjectChanged = { readonly type: 'SubjectChanged'; readonly data: SubjectAdded['data'] };
export type SpaceEvent =
  | SpaceCreated
  | SpaceChanged
  | SpaceRemoved
  | SpaceArchived
  | SpaceUnarchived
  | SubjectAdded
  | SubjectChanged;

const space = {
  spaceId: 'space-1',
  name: 'French',
  description: 'La langue',
  scope: 'world',
  bannerImageUrl: null,
  color: '1e88e5',
  hiddenFromSearchEngines: false,
  entry: 'OPEN',
  publicPages: true,
  consentAge: 16,
} as const;
const subject = { spaceId: 'space-1', subjectId: 'subject-1', subjectName: 'Grammar', color: 'ff8800' };

const spaceAudit = auditedAction(
  ({
    spaceId,
    name,
  }: (SpaceCreated | SpaceChanged | SpaceRemoved | SpaceArchived | SpaceUnarchived)['data']) => ({
    spaceId,
    about: name,
  }),
);
const subjectAudit = auditedAction(({ spaceId, subjectName }: (SubjectAdded | SubjectChanged)['data']) => ({
  spaceId,
  about: subjectName,
}));

export const spaceEvents = slice<SpaceEvent>()({
  streams: ['space-'],
  errors: {
    SPACE_NOT_FOUND: { category: 'NOT_FOUND', message: 'Space not found.' },
    SPACE_ARCHIVED: {
      category: 'CONFLICT',
      message: 'This space is archived. You can read it, but nobody can write in it.',
    },
    SPACE_NOT_ARCHIVED: {
      category: 'CONFLICT',
      message: 'Only an archived space can be deleted. Archive it first.',
    },
    SPACE_NAME_NOT_REPEATED: {
      category: 'VALIDATION',
      field: 'name',
      message: 'This is not the name of the space. Enter its name to confirm.',
    },
    SPACE_NAME_REQUIRED: { category: 'VALIDATION', field: 'name', message: 'Please add a space name.' },
    SPACE_NAME_TAKEN: {
      category: 'CONFLICT',
      field: 'name',
      message: 'Another space already has this name. Choose another.',
    },
    SPACE_NAME_TOO_LONG: {
      category: 'VALIDATION',
      field: 'name',
      message: 'Space names can’t be longer than {max} characters.',
    },
    SPACE_DESCRIPTION_TOO_LONG: {
      category: 'VALIDATION',
      field: 'description',
      message: 'Descriptions can’t be longer than {max} characters.',
    },
    CONSENT_AGE_INVALID: {
      category: 'VALIDATION',
      field: 'consentAge',
      message: 'The age of consent must be between {min} and {max} years.',
    },
    COLOR_INVALID: {
      category: 'VALIDATION',
      field: 'color',
      message: 'Enter the colour as six hexadecimal digits.',
    },
    SUBJECT_NOT_FOUND: { category: 'NOT_FOUND', message: 'Subject not found.' },
    SUBJECT_NAME_REQUIRED: {
      category: 'VALIDATION',
      field: 'subjectName',
      message: 'Please add a subject name.',
    },
    SUBJECT_NAME_TOO_LONG: {
      category: 'VALIDATION',
      field: 'subjectName',
      message: 'Subject names can’t be longer than {max} characters.',
    },
    SUBJECT_EXISTS: {
      category: 'CONFLICT',
      field: 'subjectName',
      message: 'This space already has a subject with this name.',
    },
  },
  events: {
    SpaceCreated: {
      example: space,
      audit: spaceAudit,
    },
    SpaceChanged: {
      example: space,
      audit: spaceAudit,
    },
    SpaceRemoved: {
      example: { spaceId: 'space-1', name: 'French' },
      audit: spaceAudit,
    },
    SpaceArchived: {
      example: { spaceId: 'space-1', name: 'French' },
      audit: spaceAudit,
    },
    SpaceUnarchived: {
      example: space,
      audit: spaceAudit,
    },
    SubjectAdded: {
      example: subject,
      audit: subjectAudit,
    },
    SubjectChanged: {
      example: subject,
      audit: subjectAudit,
    },
  },
});
