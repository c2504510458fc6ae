import { requireMaintainer, type Authority } from '../authority.js';
import { DomainError } from '../errors.js';
import type { SpaceChanged, SpaceCreated, SubjectAdded, SubjectChanged } from '../events.js';
import {
  SCOPE,
  SPACE_DESCRIPTION_MAX_LENGTH,
  SPACE_NAME_MAX_LENGTH,
  SUBJECT_NAME_MAX_LENGTH,
} from '../limits.js';
import { requireAtMost, requireName } from '../validation/content.js';
import { findSubject, type Space, type SpaceState, type Subject } from './space.state.js';

type SpaceDetails = {
  readonly name: string;
  readonly description: string;
  readonly bannerImageUrl: string | null;
  /** Hex without #. */
  readonly color: string;
  readonly hiddenFromSearchEngines: boolean;
};

export type CreateSpace = SpaceDetails & { readonly by: Authority; readonly spaceId: string };

export const createSpace = (command: CreateSpace, state: SpaceState): readonly SpaceCreated[] => {
  requireMaintainer(command.by);
  const details = requireDetails(command);
  return state ? [] : [{ type: 'SpaceCreated', data: { spaceId: command.spaceId, ...details } }];
};

export type ChangeSpace = SpaceDetails & { readonly by: Authority };

export const changeSpace = (command: ChangeSpace, state: SpaceState): readonly SpaceChanged[] => {
  requireMaintainer(command.by);
  const { spaceId, ...before } = requireSpace(state);
  const details = requireDetails(command);
  const unchanged = DETAIL_KEYS.every((key) => before[key] === details[key]);
  return unchanged ? [] : [{ type: 'SpaceChanged', data: { spaceId, ...details } }];
};

export type AddSubject = {
  readonly by: Authority;
  readonly subjectId: string;
  readonly subjectName: string;
  readonly color: string;
};

export const addSubject = (command: AddSubject, state: SpaceState): readonly SubjectAdded[] => {
  requireMaintainer(command.by);
  const space = requireSpace(state);
  const subject = requireSubject(command, space);
  return findSubject(space, command.subjectId) ? [] : [{ type: 'SubjectAdded', data: subject }];
};

export type ChangeSubject = AddSubject;

export const changeSubject = (command: ChangeSubject, state: SpaceState): readonly SubjectChanged[] => {
  requireMaintainer(command.by);
  const space = requireSpace(state);
  const before = findSubject(space, command.subjectId);
  if (!before) throw new DomainError('SUBJECT_NOT_FOUND');
  const subject = requireSubject(command, space);
  const unchanged = before.subjectName === subject.subjectName && before.color === subject.color;
  return unchanged ? [] : [{ type: 'SubjectChanged', data: subject }];
};

const DETAIL_KEYS = ['name', 'description', 'bannerImageUrl', 'color', 'hiddenFromSearchEngines'] as const;
const COLOR = /^[0-9a-f]{6}$/i;

const requireSpace = (state: SpaceState): Space => {
  if (!state) throw new DomainError('SPACE_NOT_FOUND');
  return state;
};

const requireColor = (color: string): string => {
  if (!COLOR.test(color)) throw new DomainError('COLOR_INVALID');
  return color.toLowerCase();
};

const requireDetails = (details: SpaceDetails): Omit<SpaceCreated['data'], 'spaceId'> => ({
  name: requireName(details.name, SPACE_NAME_MAX_LENGTH, 'SPACE_NAME_REQUIRED', 'SPACE_NAME_TOO_LONG'),
  description: requireAtMost(
    details.description.trim(),
    SPACE_DESCRIPTION_MAX_LENGTH,
    'SPACE_DESCRIPTION_TOO_LONG',
  ),
  scope: SCOPE,
  bannerImageUrl: details.bannerImageUrl,
  color: requireColor(details.color),
  hiddenFromSearchEngines: details.hiddenFromSearchEngines,
});

const requireSubject = (
  { subjectId, subjectName: name, color }: Omit<AddSubject, 'by'>,
  space: Space,
): Subject => {
  const subjectName = requireName(
    name,
    SUBJECT_NAME_MAX_LENGTH,
    'SUBJECT_NAME_REQUIRED',
    'SUBJECT_NAME_TOO_LONG',
  );
  const taken = space.subjects.some(
    (other) => other.subjectId !== subjectId && other.subjectName.toLowerCase() === subjectName.toLowerCase(),
  );
  if (taken) throw new DomainError('SUBJECT_EXISTS');
  return { spaceId: space.spaceId, subjectId, subjectName, color: requireColor(color) };
};
