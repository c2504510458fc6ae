import type { AgeBand } from '@nimo/domain';
import { type Columns, holding, type Projected, type RowOf, type Table } from '../projection.js';

/** What a student said in a space that asks, and what became of the consent. */
export interface AgeInSpace {
  readonly spaceId: string;
  /** In years, as the space asked; null once a moderator lets it be stated again. */
  readonly age: number | null;
  readonly band: AgeBand | null;
  readonly statedAt: string | null;
  readonly consent: 'ASKED' | 'GIVEN' | 'REFUSED' | null;
  readonly consentAt: string | null;
  /** Of the terms that the guardian was shown. */
  readonly termsVersion: string | null;
}

const COLUMNS = {
  student_id: { type: 'text' },
  /** Where the student said to be younger. */
  below_in: { type: 'text[]' },
  /** Of all spaces: an erasure names nothing but the student. */
  ages: holding<readonly AgeInSpace[]>('jsonb'),
} as const satisfies Columns;

type StatedAgesRow = RowOf<typeof COLUMNS>;

const ofStudent = ({ data }: { readonly data: { readonly studentId: string } }): readonly [string][] => [
  [data.studentId],
];

const UNSAID = {
  age: null,
  band: null,
  statedAt: null,
  consent: null,
  consentAt: null,
  termsVersion: null,
} as const;

type Consenting = Projected<'GuardianAsked' | 'GuardianConsented' | 'GuardianRefused'>;

/** With something else said of one space, in the order in which the spaces asked. */
const rowWith = (
  row: StatedAgesRow | undefined,
  { spaceId, studentId }: { readonly spaceId: string; readonly studentId: string },
  change: Partial<AgeInSpace>,
): StatedAgesRow => {
  const before = row?.ages ?? [];
  const known = before.find((age) => age.spaceId === spaceId) ?? { ...UNSAID, spaceId };
  const ages = [...before.filter((age) => age.spaceId !== spaceId), { ...known, ...change }];
  return {
    student_id: studentId,
    below_in: ages.filter(({ band }) => band === 'BELOW').map((age) => age.spaceId),
    ages,
  };
};

const consentOf = (event: Consenting): Partial<AgeInSpace> => {
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

const consenting = {
  keys: ofStudent,
  fold: (row: StatedAgesRow | undefined, event: Consenting) => rowWith(row, event.data, consentOf(event)),
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
    GuardianAsked: consenting,
    GuardianConsented: consenting,
    GuardianRefused: consenting,
    StudentErased: { keys: ofStudent, change: () => undefined },
  },
};
