import type { AgeBand } from '@nimo/domain';
import { type Columns, typedColumn, type Projected, type RowOf, type Table } from '../projection.js';

/** A student's stated age in a space, with the guardian's consent. */
export interface AgeInSpace {
  readonly spaceId: string;
  /** Age asked for by the space, in years; null after a moderator resets the answer. */
  readonly age: number | null;
  readonly band: AgeBand | null;
  readonly statedAt: string | null;
  readonly consent: 'ASKED' | 'GIVEN' | 'REFUSED' | null;
  readonly consentAt: string | null;
  /** Version of the terms shown to the guardian. */
  readonly termsVersion: string | null;
}

const COLUMNS = {
  student_id: { type: 'text' },
  /** Spaces whose consent age the student is below. */
  below_in: { type: 'text[]' },
  /** All spaces in one row, because erasure events only contain the student's id. */
  ages: typedColumn<readonly AgeInSpace[]>('jsonb'),
} as const satisfies Columns;

type StatedAgesRow = RowOf<typeof COLUMNS>;

const ofStudent = ({ data }: { readonly data: { readonly studentId: string } }): readonly [string][] => [
  [data.studentId],
];

const NOT_STATED = {
  age: null,
  band: null,
  statedAt: null,
  consent: null,
  consentAt: null,
  termsVersion: null,
} as const;

type GuardianEvent = Projected<'GuardianAsked' | 'GuardianConsented' | 'GuardianRefused'>;

/** Changes the entry of a space and moves it to the end. */
const rowWith = (
  row: StatedAgesRow | undefined,
  { spaceId, studentId }: { readonly spaceId: string; readonly studentId: string },
  change: Partial<AgeInSpace>,
): StatedAgesRow => {
  const before = row?.ages ?? [];
  const known = before.find((age) => age.spaceId === spaceId) ?? { ...NOT_STATED, spaceId };
  const ages = [...before.filter((age) => age.spaceId !== spaceId), { ...known, ...change }];
  return {
    student_id: studentId,
    below_in: ages.filter(({ band }) => band === 'BELOW').map((age) => age.spaceId),
    ages,
  };
};

const consentOf = (event: GuardianEvent): Partial<AgeInSpace> => {
  const consentAt = event.metadata.occurredAt;
  switch (event.type) {
    case 'GuardianAsked':
      return { consent: 'ASKED', consentAt, termsVersion: null };
    case 'GuardianConsented':
      return { consent: 'GIVEN', consentAt, termsVersion: event.data.termsVersion };
    case 'GuardianRefused':
      return { consent: 'REFUSED', consentAt, termsVersion: null };
  }
};

const guardianHandler = {
  keys: ofStudent,
  fold: (row: StatedAgesRow | undefined, event: GuardianEvent) => rowWith(row, event.data, consentOf(event)),
};

export const statedAges: Table<StatedAgesRow> = {
  name: 'stated_ages',
  columns: COLUMNS,
  key: ['student_id'],
  indexes: ['create index stated_ages_below_{suffix} on {table} using gin (below_in)'],
  on: {
    AgeStated: {
      keys: ofStudent,
      fold: (row, { data, metadata }) =>
        data.band === null
          ? row
          : rowWith(row, data, { age: data.age, band: data.band, statedAt: metadata.occurredAt }),
    },
    AgeForgotten: {
      keys: ofStudent,
      fold: (row, { data }) => rowWith(row, data, { age: null, band: null, statedAt: null }),
    },
    GuardianAsked: guardianHandler,
    GuardianConsented: guardianHandler,
    GuardianRefused: guardianHandler,
    StudentErased: { keys: ofStudent, change: () => undefined },
  },
};
