import { act } from '../audit.js';
import { slice } from '../vocabulary.js';

// In the streams `space-<spaceId>`.

/**
 * How students join: by themselves, when a moderator accepts, or by an invitation. Of the latter two, everything is for members. While an
 * import is under way nobody joins, and students don't see the space.
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
    /** Hex without #. */
    readonly color: string;
    readonly hiddenFromSearchEngines: boolean;
    readonly entry: SpaceEntry;
    /** Anybody with the link of a question reads it without an account: in open spaces only. */
    readonly publicPages: boolean;
    /** Younger students join with a guardian's consent; null: nobody is asked. */
    readonly consentAge: number | null;
  };
};
export type SpaceChanged = { readonly type: 'SpaceChanged'; readonly data: SpaceCreated['data'] };
/** A space whose import was given up. */
export type SpaceRemoved = {
  readonly type: 'SpaceRemoved';
  readonly data: { readonly spaceId: string; readonly name: string };
};
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
export type SpaceEvent = SpaceCreated | SpaceChanged | SpaceRemoved | SubjectAdded | SubjectChanged;

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

const ofSpace = act(({ spaceId, name }: (SpaceCreated | SpaceChanged | SpaceRemoved)['data']) => ({
  spaceId,
  about: name,
}));
const ofSubject = act(({ spaceId, subjectName }: (SubjectAdded | SubjectChanged)['data']) => ({
  spaceId,
  about: subjectName,
}));

export const spaceEvents = slice<SpaceEvent>()({
  streams: ['space-'],
  errors: {
    SPACE_NOT_FOUND: { category: 'NOT_FOUND', message: 'Space not found.' },
    SPACE_NAME_REQUIRED: { category: 'VALIDATION', field: 'name', message: 'Please add a space name.' },
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
      audit: ofSpace,
    },
    SpaceChanged: {
      example: space,
      audit: ofSpace,
    },
    SpaceRemoved: {
      example: { spaceId: 'space-1', name: 'French' },
      audit: ofSpace,
    },
    SubjectAdded: {
      example: subject,
      audit: ofSubject,
    },
    SubjectChanged: {
      example: subject,
      audit: ofSubject,
    },
  },
});
