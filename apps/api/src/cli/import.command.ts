import { CommandBus } from '@nestjs/cqrs';
import { type ArchiveReport, importArchive } from '../features/imports/archive/import-archive.js';
import type { Standing } from '../features/imports/import-people.js';
import type { ImportReport } from '../features/imports/import-tally.js';
import { EXIT } from './failure.js';
import { duration, grouped, type JsonFlag, printResult, textTable } from './output.js';
import { ProgressLine } from './progress-line.js';
import type { FileStore } from '../platform/adapters/files/file-store.js';
import { FILES } from '../platform/adapters/tokens.js';
import {
  type ImportPhase,
  type ImportProgress,
  importStackExchange,
} from '../features/imports/import-stack-exchange.js';
import { type CliSession, inSession, interruptible, operatorName, withProjections } from './cli-session.js';
import { FILE_NAMES, ImportError } from '../features/imports/dump-row.js';

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
  if (!isComplete) return interruptedText(seconds);
  const shown = standing === 'complete' ? '' : ' Students see the space now.';
  if (isNothingNew) return `Nothing was new: "${space}" already has ${listed(made)}.${shown}`;
  const resumed = standing === 'new' ? '' : `\nNew in this run: ${listed(fresh)}.`;
  return `Imported into "${space}" in ${duration(seconds)}: ${listed(made)}.${shown}${resumed}`;
}

const interruptedText = (seconds: number): string =>
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
function arrivalTable({
  space,
  people,
  pictures,
  events,
  fingerprint,
  standing,
  isComplete,
  seconds,
}: ArchiveReport): string {
  if (!isComplete) return `${interruptedText(seconds)}\n`;
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

interface ImportFlags extends JsonFlag {
  readonly space: string;
}

interface DumpFlags extends ImportFlags {
  readonly origin?: string;
  readonly dryRun?: true;
}

interface Reported {
  readonly isComplete: boolean;
  readonly isDryRun?: boolean;
}

interface Working {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => void;
}

export function importDump(folder: string, flags: DumpFlags): Promise<void> {
  const { space, origin, dryRun } = flags;
  const spaceName = nameOf(space);
  return importing(
    ({ container, order, runtime }, working) =>
      importStackExchange({
        runtime,
        commands: container.get(CommandBus, { strict: false }),
        order,
        folder,
        spaceName,
        origin,
        isDryRun: dryRun ?? false,
        operator: operatorName(runtime.settings),
        ...working,
      }),
    flags,
    importTable,
  );
}

interface ArchiveFlags extends ImportFlags {
  readonly fingerprint?: string;
  readonly otherRules?: true;
}

export function importSpace(file: string, flags: ArchiveFlags): Promise<void> {
  const { space, fingerprint, otherRules } = flags;
  const spaceName = nameOf(space);
  return importing(
    ({ container, runtime }, working) =>
      importArchive({
        runtime,
        commands: container.get(CommandBus, { strict: false }),
        files: container.get<FileStore>(FILES, { strict: false }),
        file,
        spaceName,
        fingerprint,
        otherRules: otherRules ?? false,
        operator: operatorName(runtime.settings),
        ...working,
      }),
    flags,
    arrivalTable,
  );
}

function nameOf(space: string): string {
  const spaceName = space.trim();
  if (spaceName === '') throw new ImportError('--space needs the name of the space to import into.');
  return spaceName;
}

/** Runs an import that Ctrl-C may end: it keeps what came in, and the same command resumes. */
function importing<Report extends Reported>(
  work: (session: CliSession, working: Working) => Promise<Report>,
  flags: JsonFlag,
  forPeople: (report: Report) => string,
): Promise<void> {
  return interruptible(async (signal) => {
    const { onProgress, keep } = phaseLine();
    const report = await inSession((session) =>
      withProjections(session.runtime, () => work(session, { signal, onProgress })),
    ).finally(keep);
    printResult(report, flags, () => forPeople(report));
    if (!report.isComplete && !report.isDryRun) process.exitCode = EXIT.interrupted;
  }, 'Interrupted. Repeat the same command to resume.');
}

const WORDS: Readonly<Record<ImportPhase, string>> = {
  reading: 'Reading the files',
  comparing: 'Comparing with the space',
  pictures: 'Importing pictures',
  people: 'Importing people',
  importing: 'Importing',
  following: 'Waiting for the read side',
};

/** A line for each phase, with its rate and the time left. */
function phaseLine(): { readonly onProgress: (progress: ImportProgress) => void; readonly keep: () => void } {
  const line = new ProgressLine();
  let phase: ImportPhase | undefined;
  let startedAt = 0;
  return {
    onProgress: (progress) => {
      const isNew = progress.phase !== phase;
      if (isNew) {
        line.keep();
        phase = progress.phase;
        startedAt = performance.now();
      }
      const isDue = isNew || progress.done >= progress.total;
      line.show(() => progressText(progress, (performance.now() - startedAt) / 1000), isDue);
    },
    keep: () => line.keep(),
  };
}

function progressText({ phase, done, total }: ImportProgress, seconds: number): string {
  if (phase === 'following') return `${WORDS[phase]} …`;
  const [shown, of, unit] =
    phase === 'reading' ? [mega(done), mega(total), ' MB'] : [grouped(done), grouped(total), ''];
  const part = `${WORDS[phase]}: ${shown} of ${of}${unit}`;
  if (seconds < 0.5) return part;
  const rate = done / seconds;
  const perSecond = phase === 'reading' ? `${mega(rate)} MB/s` : `${grouped(Math.round(rate))}/s`;
  return done < total
    ? `${part} · ${perSecond} · ${duration((total - done) / rate)} left`
    : `${part} · ${perSecond}`;
}

const mega = (bytes: number): string => (bytes / 1e6).toFixed(1);
