import type { Decider } from '../decider.js';
import { DomainError, unreachable } from '../errors.js';
import type {
  SpaceArchived,
  SpaceChanged,
  SpaceCreated,
  SpaceEntry,
  SpaceEvent,
  SpaceRemoved,
  SpaceUnarchived,
  SubjectAdded,
  SubjectChanged,
} from '../events.js';
import { spaceStream } from '../stream-ids.js';
import { type Authority, requireMaintainer } from '../authority.js';
import {
  MAX_CONSENT_AGE,
  MIN_CONSENT_AGE,
  SCOPE,
  MAX_SPACE_DESCRIPTION_LENGTH,
  MAX_SPACE_NAME_LENGTH,
  MAX_SUBJECT_NAME_LENGTH,
} from '../limits.js';
import { requireName, requireText } from '../validation/content.js';
import { requireUnchangedSince } from '../validation/seen.js';

export type Subject = SubjectAdded['data'];
export type Space = SpaceCreated['data'] & {
  readonly subjects: readonly Subject[];
  /** Nobody can write into it or join. */
  readonly isArchived: boolean;
};
export type SpaceState = Space | undefined;

export const spaceDecider: Decider<SpaceState, SpaceEvent, [spaceId: string]> = {
  stream: spaceStream,
  initial: undefined,
  evolve: (state, event) => {
    switch (event.type) {
      case 'SpaceCreated':
        return { ...event.data, subjects: [], isArchived: false };
      case 'SpaceChanged':
        return state && { ...state, ...event.data };
      case 'SpaceRemoved':
        return undefined;
      case 'SpaceArchived':
        return state && { ...state, isArchived: true };
      case 'SpaceUnarchived':
        return state && { ...state, ...event.data, isArchived: false };
      case 'SubjectAdded':
        return state && { ...state, subjects: [...state.subjects, event.data] };
      case 'SubjectChanged':
        return (
          state && {
            ...state,
            subjects: state.subjects.map((subject) =>
              subject.subjectId === event.data.subjectId ? event.data : subject,
            ),
          }
        );
      default:
        return unreachable(event);
    }
  },
};

export const findSubject = (state: SpaceState, subjectId: string): Subject | undefined =>
  state?.subjects.find((subject) => subject.subjectId === subjectId);

export type SpaceDetails = {
  readonly name: string;
  readonly description: string;
  readonly bannerImageUrl: string | null;
  /** Hexadecimal without `#`. */
  readonly color: string;
  readonly hiddenFromSearchEngines: boolean;
  /** Default: OPEN. */
  readonly entry?: SpaceEntry;
  /** Default: false. */
  readonly publicPages?: boolean;
  /** In years. Default: students are not asked for their age. */
  readonly consentAge?: number | null;
};

export type CreateSpace = SpaceDetails & { readonly by: Authority; readonly spaceId: string };

export const createSpace = (command: CreateSpace, state: SpaceState): readonly SpaceCreated[] => {
  requireMaintainer(command.by);
  const details = requireDetails(command);
  requireImporter(command.by, details.entry);
  return state ? [] : [{ type: 'SpaceCreated', data: { spaceId: command.spaceId, ...details } }];
};

/** Omitted fields stay. `seen` has the values that the form showed for the fields it changes. */
export type ChangeSpace = {
  readonly by: Authority;
  readonly change: Partial<SpaceDetails>;
  readonly seen?: Partial<SpaceDetails>;
};

export const changeSpace = (
  { by, change, seen }: ChangeSpace,
  state: SpaceState,
): readonly SpaceChanged[] => {
  requireMaintainer(by);
  const { spaceId, ...before } = requireSpace(state);
  const details = requireDetails({ ...before, ...change });
  if (before.entry !== details.entry) requireImporter(by, before.entry, details.entry);
  requireUnchangedSince(seen, before, details);
  const unchanged = DETAIL_KEYS.every((key) => before[key] === details[key]);
  return unchanged ? [] : [{ type: 'SpaceChanged', data: { spaceId, ...details } }];
};

export type RemoveSpace = {
  readonly by: Authority;
  /** Repeated by the maintainer to confirm. An incomplete import needs no confirmation. */
  readonly name?: string;
};

/** Removes an archived space for good, or a space whose import was abandoned before students have seen it. */
export const removeSpace = ({ by, name }: RemoveSpace, state: SpaceState): readonly SpaceRemoved[] => {
  requireMaintainer(by);
  const space = requireSpace(state);
  const removed: SpaceRemoved = { type: 'SpaceRemoved', data: { spaceId: space.spaceId, name: space.name } };
  if (space.entry === 'IMPORTING') {
    requireImporter(by, space.entry);
    return [removed];
  }
  if (!space.isArchived) throw new DomainError('SPACE_NOT_ARCHIVED');
  // As forgiving as uniqueness, so that a name with a character that nobody can type is no obstacle.
  if (spaceNameKey(name ?? '') !== spaceNameKey(space.name)) throw new DomainError('SPACE_NAME_NOT_REPEATED');
  return [removed];
};

/** Leaves out a space that is being imported: students cannot see it yet. */
export const archiveSpace = (
  { by }: { readonly by: Authority },
  state: SpaceState,
): readonly SpaceArchived[] => {
  requireMaintainer(by);
  const { spaceId, name, entry, isArchived } = requireSpace(state);
  if (entry === 'IMPORTING') throw new DomainError('SPACE_NOT_FOUND');
  return isArchived ? [] : [{ type: 'SpaceArchived', data: { spaceId, name } }];
};

export const unarchiveSpace = (
  { by }: { readonly by: Authority },
  state: SpaceState,
): readonly SpaceUnarchived[] => {
  requireMaintainer(by);
  const { subjects: _, isArchived, ...details } = requireSpace(state);
  return isArchived ? [{ type: 'SpaceUnarchived', data: details }] : [];
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

export type SubjectDetails = { readonly subjectName: string; readonly color: string };
export type ChangeSubject = {
  readonly by: Authority;
  readonly subjectId: string;
  readonly change: Partial<SubjectDetails>;
  readonly seen?: Partial<SubjectDetails>;
};

export const changeSubject = (
  { by, subjectId, change, seen }: ChangeSubject,
  state: SpaceState,
): readonly SubjectChanged[] => {
  requireMaintainer(by);
  const space = requireSpace(state);
  const before = findSubject(space, subjectId);
  if (!before) throw new DomainError('SUBJECT_NOT_FOUND');
  const subject = requireSubject({ ...before, ...change }, space);
  requireUnchangedSince(seen, before, subject);
  const unchanged = before.subjectName === subject.subjectName && before.color === subject.color;
  return unchanged ? [] : [{ type: 'SubjectChanged', data: subject }];
};

const DETAIL_KEYS = [
  'name',
  'description',
  'bannerImageUrl',
  'color',
  'hiddenFromSearchEngines',
  'entry',
  'publicPages',
  'consentAge',
] as const;
const COLOR = /^[0-9a-f]{6}$/i;

const requireSpace = (state: SpaceState): Space => {
  if (!state) throw new DomainError('SPACE_NOT_FOUND');
  return state;
};

/** Only an import can hide its space and show it once complete. */
const requireImporter = (by: Authority, ...entries: readonly SpaceEntry[]): void => {
  if (entries.includes('IMPORTING') && by.kind !== 'operator') throw new DomainError('FORBIDDEN');
};

/** Names with the same key are the same to a reader: ignores case, Unicode form, white space and invisible characters. */
export const spaceNameKey = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();

export const requireSpaceName = (name: string): string =>
  requireName(name, MAX_SPACE_NAME_LENGTH, 'SPACE_NAME_REQUIRED', 'SPACE_NAME_TOO_LONG');

const requireColor = (color: string): string => {
  if (!COLOR.test(color)) throw new DomainError('COLOR_INVALID');
  return color.toLowerCase();
};

const requireDetails = ({
  entry = 'OPEN',
  publicPages = false,
  consentAge = null,
  ...details
}: SpaceDetails): Omit<SpaceCreated['data'], 'spaceId'> => ({
  name: requireSpaceName(details.name),
  description: requireText(details.description, {
    max: MAX_SPACE_DESCRIPTION_LENGTH,
    tooLong: 'SPACE_DESCRIPTION_TOO_LONG',
  }),
  scope: SCOPE,
  bannerImageUrl: details.bannerImageUrl,
  color: requireColor(details.color),
  hiddenFromSearchEngines: details.hiddenFromSearchEngines,
  entry,
  publicPages: entry === 'OPEN' && publicPages,
  consentAge: requireConsentAge(consentAge),
});

const requireConsentAge = (age: number | null): number | null => {
  const isValid = age === null || (Number.isInteger(age) && age >= MIN_CONSENT_AGE && age <= MAX_CONSENT_AGE);
  if (!isValid) throw new DomainError('CONSENT_AGE_INVALID', { min: MIN_CONSENT_AGE, max: MAX_CONSENT_AGE });
  return age;
};

const requireSubject = (
  { subjectId, subjectName: name, color }: Omit<AddSubject, 'by'>,
  space: Space,
): Subject => {
  const subjectName = requireName(
    name,
    MAX_SUBJECT_NAME_LENGTH,
    'SUBJECT_NAME_REQUIRED',
    'SUBJECT_NAME_TOO_LONG',
  );
  const taken = space.subjects.some(
    (other) => other.subjectId !== subjectId && other.subjectName.toLowerCase() === subjectName.toLowerCase(),
  );
  if (taken) throw new DomainError('SUBJECT_EXISTS');
  return { spaceId: space.spaceId, subjectId, subjectName, color: requireColor(color) };
};
