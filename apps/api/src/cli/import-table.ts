import { FILE_NAMES } from '../features/imports/dump-files.js';
import type { ArchiveReport } from '../features/imports/archive/import-archive.js';
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

/** What came in, what was skipped and why. */
export function importTable({ files, made, space, isComplete, seconds }: ImportReport): string {
  const lines: Line[] = [['file', 'rows', 'came in', 'skipped']];
  for (const { file, rows, cameIn, skipped } of files) {
    const left = skipped.reduce((sum, reason) => sum + reason.rows, 0);
    lines.push([FILE_NAMES[file], grouped(rows), grouped(cameIn), grouped(left)]);
    for (const reason of skipped) lines.push([`  ${reason.reason}`, '', '', grouped(reason.rows)]);
  }
  const shown = Object.entries(MADE).map(([kind, name]) => `${grouped(made[kind] ?? 0)} ${name}`);
  const ending = isComplete
    ? `Imported into "${space}" in ${duration(seconds)}: ${shown.join(', ')}.`
    : `Interrupted after ${duration(seconds)}. The same command goes on where it was.`;
  return `${textTable(lines)}\n\n${ending}\n`;
}

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
  isComplete,
  seconds,
}: ArchiveReport): string {
  if (!isComplete)
    return `Interrupted after ${duration(seconds)}. The same command goes on where it was; until then nobody sees the space.\n`;
  const shown = Object.entries(ARRIVED).map(
    ([type, name]) => `${grouped(events[type as keyof typeof ARRIVED] ?? 0)} ${name}`,
  );
  return (
    `Imported into "${space}" in ${duration(seconds)}: ${grouped(people)} students, ${shown.join(', ')}, ${grouped(pictures)} pictures.\n` +
    `Fingerprint of the file: ${fingerprint}\n`
  );
}
