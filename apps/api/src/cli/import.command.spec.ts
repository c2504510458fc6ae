import { describe, expect, it } from '@jest/globals';
import type { ImportReport } from '../features/imports/import-tally.js';
import { ImportParts } from '../features/imports/import-stack-exchange.js';
import { importTable, progressText } from './import.command.js';

const REPORT: ImportReport = {
  spaceId: 'space-1',
  space: 'French',
  state: 'new',
  isDryRun: false,
  isComplete: true,
  files: [
    {
      file: 'users',
      rows: 3,
      imported: 2,
      skipped: [{ reason: 'a duplicate number', rows: 1 }],
      changed: [],
    },
    {
      file: 'posts',
      rows: 1,
      imported: 1,
      skipped: [],
      changed: [{ what: 'control characters dropped', count: 4 }],
    },
  ],
  items: { person: 2, question: 1 },
  existing: {},
  seconds: 7.2,
};
const COUNTS = (students: number, questions: number): string =>
  `${questions} questions, 0 answers, 0 comments, ${students} students, 0 topics, 0 stand-in voters, 0 upvotes, 0 downvotes, 0 accepted answers, 0 bookmarks`;
const endOf = (changes: Partial<ImportReport>): readonly string[] =>
  importTable({ ...REPORT, ...changes })
    .split('\n\n')
    .at(-1)
    ?.trim()
    .split('\n') ?? [];

describe('importTable', () => {
  it('lists every skipped and changed count', () => {
    const text = importTable(REPORT);
    expect(text).toMatch(/ {2}a duplicate number +1\n/);
    expect(text).toMatch(/Posts\.xml: control characters dropped +4\n/);
    expect(endOf({})).toEqual([
      `Imported into "French" in 8 s: ${COUNTS(2, 1)}. Students can now see the space.`,
    ]);
  });

  it('reports that nothing changed', () =>
    expect(endOf({ state: 'complete', existing: REPORT.items })).toEqual([
      `No changes: "French" already has ${COUNTS(2, 1)}.`,
    ]));

  it('reports what a resumed import added', () =>
    expect(endOf({ state: 'unfinished', existing: { person: 2 } })).toEqual([
      `Imported into "French" in 8 s: ${COUNTS(2, 1)}. Students can now see the space.`,
      `New in this run: ${COUNTS(0, 1)}.`,
    ]));

  it('explains how to resume after an interruption', () =>
    expect(endOf({ isComplete: false })).toEqual([
      'Interrupted after 8 s. Students cannot see the space yet. Repeat the command to resume.',
    ]));

  it.each([
    ['new', {}, 'The space "French" does not exist yet. Everything will be imported.'],
    [
      'unfinished',
      { person: 2 },
      `The space "French" exists, but its import is incomplete. New: ${COUNTS(0, 1)}.`,
    ],
    [
      'complete',
      { person: 2, question: 1 },
      'The space "French" already contains this dump. Nothing to import.',
    ],
  ] as const)('summarises a dry run into a space whose state is %s', (state, existing, line) =>
    expect(endOf({ isDryRun: true, isComplete: false, state, existing })).toEqual([
      `The dump contains ${COUNTS(2, 1)}.`,
      line,
      'Dry run: nothing was written.',
    ]),
  );
});

describe('progressText', () => {
  const planned = (
    [
      ['person', 278],
      ['stand-in', 29],
      ['question', 100],
      ['answer', 300],
      ['up', 1_104],
    ] as const
  ).map(([kind, rows]) => ({ kind, rows, file: null, first: new Date(0), last: new Date(0) }));

  it('says what the items of an import are', () => {
    const parts = new ImportParts(planned);
    for (let count = 0; count < 84; count += 1) parts.count('person');
    parts.count('question');
    const progress = { phase: 'importing', done: 86, total: 1_811, parts: parts.count('person') } as const;
    expect(progressText(progress, 0)).toBe(
      'People: 85 of 278 · Posts: 1 of 400 · Votes: 0 of 1,104 · Other: 0 of 29',
    );
    expect(progressText(progress, 2)).toMatch(/ of 29 · 43\/s · .+ left$/);
  });

  it('counts megabytes while reading', () =>
    expect(progressText({ phase: 'reading', done: 1_500_000, total: 3_000_000 }, 0)).toBe(
      'Reading the files: 1.5 of 3.0 MB',
    ));
});
