import { describe, expect, it } from '@jest/globals';
import type { ImportReport } from '../features/imports/import-tally.js';
import { importTable } from './import.command.js';

const REPORT: ImportReport = {
  spaceId: 'space-1',
  space: 'French',
  standing: 'new',
  isDryRun: false,
  isComplete: true,
  files: [
    {
      file: 'users',
      rows: 3,
      cameIn: 2,
      skipped: [{ reason: 'a number that was there already', rows: 1 }],
      changed: [],
    },
    {
      file: 'posts',
      rows: 1,
      cameIn: 1,
      skipped: [],
      changed: [{ what: 'control characters dropped', count: 4 }],
    },
  ],
  made: { person: 2, question: 1 },
  before: {},
  seconds: 7.2,
};
const COUNTS = (students: number, questions: number): string =>
  `${questions} questions, 0 answers, 0 comments, ${students} students, 0 topics, 0 stand-in voters, 0 votes up, 0 votes down, 0 accepted answers, 0 bookmarks`;
const endOf = (changes: Partial<ImportReport>): readonly string[] =>
  importTable({ ...REPORT, ...changes })
    .split('\n\n')
    .at(-1)
    ?.trim()
    .split('\n') ?? [];

describe('what an import prints', () => {
  it('names every count of what was skipped or changed', () => {
    const text = importTable(REPORT);
    expect(text).toMatch(/ {2}a number that was there already +1\n/);
    expect(text).toMatch(/Posts\.xml: control characters dropped +4\n/);
    expect(endOf({})).toEqual([
      `Imported into "French" in 8 s: ${COUNTS(2, 1)}. Students see the space now.`,
    ]);
  });

  it('says that nothing was new', () =>
    expect(endOf({ standing: 'complete', before: REPORT.made })).toEqual([
      `Nothing was new: "French" already has ${COUNTS(2, 1)}.`,
    ]));

  it('tells what a resumed import added', () =>
    expect(endOf({ standing: 'unfinished', before: { person: 2 } })).toEqual([
      `Imported into "French" in 8 s: ${COUNTS(2, 1)}. Students see the space now.`,
      `New in this run: ${COUNTS(0, 1)}.`,
    ]));

  it('says how to resume after an interruption', () =>
    expect(endOf({ isComplete: false })).toEqual([
      'Interrupted after 8 s. Students do not see the space yet. Repeat the same command to resume.',
    ]));

  it.each([
    ['new', {}, 'There is no space "French" yet. All of it is new.'],
    [
      'unfinished',
      { person: 2 },
      `The space "French" is there; its import is not complete. New: ${COUNTS(0, 1)}.`,
    ],
    [
      'complete',
      { person: 2, question: 1 },
      'The space "French" is there, with all of this dump. Nothing of it is new.',
    ],
  ] as const)('tells of a dry run into a space that is %s', (standing, before, line) =>
    expect(endOf({ isDryRun: true, isComplete: false, standing, before })).toEqual([
      `The dump brings ${COUNTS(2, 1)}.`,
      line,
      'Nothing was written.',
    ]),
  );
});
