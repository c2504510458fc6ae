import { FILE_NAMES } from '../features/imports/dump-reader.js';
import type { ArchiveReport } from '../features/imports/archive/import-archive.js';
import type { Standing } from '../features/imports/import-people.js';
import type { ImportReport } from '../features/imports/import-tally.js';
import { duration, grouped } from './progress-line.js';
import { textTable } from './text-table.js';

type Line = readonly [what: string, ...counts: string[]];

const MADE: Readonly<Record<string, string>> = {
  question: 'questions',
  answer: 'answers',
  comment: 'comments',
  person: 'students',
  topic: 'topics',
  'stand-in': 'stand-in voters',
  up: 'votes up',
  down: 'votes down',
  accept: 'accepted answers',
  bookmark: 'bookmarks',
};

/** Counts of imported, skipped and changed things, with the reasons for skipping. */
export function importTable(report: ImportReport): string {
  const lines: Line[] = [['file', 'rows', report.isDryRun ? 'would come in' : 'came in', 'skipped']];
  for (const { file, rows, cameIn, skipped } of report.files) {
    const left = skipped.reduce((sum, reason) => sum + reason.rows, 0);
    lines.push([FILE_NAMES[file], grouped(rows), grouped(cameIn), grouped(left)]);
    for (const reason of skipped) lines.push([`  ${reason.reason}`, '', '', grouped(reason.rows)]);
  }
  const changed = report.files.flatMap(({ file, changed: some }) =>
    some.map(({ what, count }) => [`${FILE_NAMES[file]}: ${what}`, grouped(count)]),
  );
  const changes = changed.length === 0 ? '' : `\n${textTable([['changed', 'times'], ...changed])}\n`;
  return `${textTable(lines)}\n${changes}\n${endingOf(report)}\n`;
}

function endingOf(report: ImportReport): string {
  const { made, before, space, standing, isComplete, isDryRun, seconds } = report;
  const fresh = Object.fromEntries(
    Object.entries(made).map(([kind, count]) => [kind, count - (before[kind] ?? 0)]),
  );
  const isNothingNew = standing === 'complete' || Object.values(fresh).every((count) => count === 0);
  if (isDryRun) {
    const news = isNothingNew
      ? 'Nothing of it is new.'
      : standing === 'new'
        ? 'All of it is new.'
        : `New: ${listed(fresh)}.`;
    return `The dump brings ${listed(made)}.\n${STANDING[standing](space)} ${news}\nNothing was written.`;
  }
  if (!isComplete) return INTERRUPTED(seconds);
  const shown = standing === 'complete' ? '' : ' Students see the space now.';
  if (isNothingNew) return `Nothing was new: "${space}" already has ${listed(made)}.${shown}`;
  const resumed = standing === 'new' ? '' : `\nNew in this run: ${listed(fresh)}.`;
  return `Imported into "${space}" in ${duration(seconds)}: ${listed(made)}.${shown}${resumed}`;
}

const INTERRUPTED = (seconds: number): string =>
  `Interrupted after ${duration(seconds)}. Students do not see the space yet. Repeat the same command to resume.`;

const STANDING: Readonly<Record<Standing, (space: string) => string>> = {
  new: (space) => `There is no space "${space}" yet.`,
  unfinished: (space) => `The space "${space}" is there; its import is not complete.`,
  complete: (space) => `The space "${space}" is there, with all of this dump.`,
};

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(MADE)
    .map(([kind, name]) => `${grouped(counts[kind] ?? 0)} ${name}`)
    .join(', ');

const ARRIVED = {
  QuestionAsked: 'questions',
  AnswerPosted: 'answers',
  CommentPosted: 'comments',
  VoteCast: 'votes',
  AnswerAccepted: 'accepted answers',
} as const;

/** What came in with an exported space. */
export function arrivalTable({
  space,
  people,
  pictures,
  events,
  fingerprint,
  standing,
  isComplete,
  seconds,
}: ArchiveReport): string {
  if (!isComplete) return `${INTERRUPTED(seconds)}\n`;
  const shown = Object.entries(ARRIVED).map(
    ([type, name]) => `${grouped(events[type as keyof typeof ARRIVED] ?? 0)} ${name}`,
  );
  const what = `${grouped(people)} students, ${shown.join(', ')}, ${grouped(pictures)} pictures`;
  return (
    (standing === 'complete'
      ? `Nothing was new: "${space}" already has ${what}.\n`
      : `Imported into "${space}" in ${duration(seconds)}: ${what}.\n`) +
    `Fingerprint of the file: ${fingerprint}\n`
  );
}
