import { act } from '../audit.js';
import { slice } from '../vocabulary.js';

// In the streams `space-<spaceId>`.

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
export type SpaceEvent = SpaceCreated | SpaceChanged | SubjectAdded | SubjectChanged;

const space = {
  spaceId: 'space-1',
  name: 'French',
  description: 'La langue',
  scope: 'world',
  bannerImageUrl: null,
  color: '1e88e5',
  hiddenFromSearchEngines: false,
} as const;
const subject = { spaceId: 'space-1', subjectId: 'subject-1', subjectName: 'Grammar', color: 'ff8800' };

const ofSpace = act(({ spaceId, name }: (SpaceCreated | SpaceChanged)['data']) => ({
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
    SPACE_NOT_FOUND: { category: 'NOT_FOUND', message: 'Space does not exist.' },
    SPACE_NAME_REQUIRED: { category: 'VALIDATION', field: 'name', message: 'Please add a space name.' },
    SPACE_NAME_TOO_LONG: {
      category: 'VALIDATION',
      field: 'name',
      message: 'A space name may have at most {max} characters.',
    },
    SPACE_DESCRIPTION_TOO_LONG: {
      category: 'VALIDATION',
      field: 'description',
      message: 'A description may have at most {max} characters.',
    },
    COLOR_INVALID: { category: 'VALIDATION', field: 'color', message: 'A colour is six hexadecimal digits.' },
    SUBJECT_NOT_FOUND: { category: 'NOT_FOUND', message: 'Subject does not exist.' },
    SUBJECT_NAME_REQUIRED: {
      category: 'VALIDATION',
      field: 'subjectName',
      message: 'Please add a subject name.',
    },
    SUBJECT_NAME_TOO_LONG: {
      category: 'VALIDATION',
      field: 'subjectName',
      message: 'A subject name may have at most {max} characters.',
    },
    SUBJECT_EXISTS: {
      category: 'CONFLICT',
      field: 'subjectName',
      message: 'The space has this subject already.',
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
