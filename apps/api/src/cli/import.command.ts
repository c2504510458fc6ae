import { CommandBus } from '@nestjs/cqrs';
import { type ArchiveReport, importArchive } from '../features/imports/archive/import-archive.js';
import type { ImportState } from '../features/imports/import-people.js';
import type { ImportReport } from '../features/imports/import-tally.js';
import { EXIT } from './failure.js';
import { formatDuration, formatCount, type JsonFlag, printResult, textTable } from './output.js';
import { ProgressLine } from './progress-line.js';
import type { FileStore } from '../platform/adapters/files/file-store.js';
import { FILES } from '../platform/adapters/tokens.js';
import {
  type ImportPart,
  type ImportPhase,
  type ImportProgress,
  importStackExchange,
} from '../features/imports/import-stack-exchange.js';
import { type CliSession, withSession, interruptible, operatorName, withProjections } from './cli-session.js';
import { DUMP_FILE_NAMES, ImportError } from '../features/imports/dump-row.js';

type Line = readonly [what: string, ...counts: string[]];

const IMPORTED_LABELS: Readonly<Record<string, string>> = {
  question: 'questions',
  answer: 'answers',
  comment: 'comments',
  person: 'students',
  topic: 'topics',
  'stand-in': 'stand-in voters',
  up: 'upvotes',
  down: 'downvotes',
  accept: 'accepted answers',
  bookmark: 'bookmarks',
};

/** Table of imported, skipped and changed rows, with the reasons for skipping. */
export function importTable(report: ImportReport): string {
  const lines: Line[] = [['file', 'rows', report.isDryRun ? 'to import' : 'imported', 'skipped']];
  for (const { file, rows, imported, skipped } of report.files) {
    const skippedRows = skipped.reduce((sum, reason) => sum + reason.rows, 0);
    lines.push([DUMP_FILE_NAMES[file], formatCount(rows), formatCount(imported), formatCount(skippedRows)]);
    for (const reason of skipped) lines.push([`  ${reason.reason}`, '', '', formatCount(reason.rows)]);
  }
  const changed = report.files.flatMap(({ file, changed: changes }) =>
    changes.map(({ what, count }) => [`${DUMP_FILE_NAMES[file]}: ${what}`, formatCount(count)]),
  );
  const changeTable = changed.length === 0 ? '' : `\n${textTable([['changed', 'times'], ...changed])}\n`;
  return `${textTable(lines)}\n${changeTable}\n${summaryOf(report)}\n`;
}

function summaryOf(report: ImportReport): string {
  const { items, existing, space, state, isComplete, isDryRun, seconds } = report;
  const added = Object.fromEntries(
    Object.entries(items).map(([kind, count]) => [kind, count - (existing[kind] ?? 0)]),
  );
  const isUnchanged = state === 'complete' || Object.values(added).every((count) => count === 0);
  if (isDryRun) {
    const effect = isUnchanged
      ? 'Nothing to import.'
      : state === 'new'
        ? 'Everything will be imported.'
        : `New: ${countsText(added)}.`;
    return `The dump contains ${countsText(items)}.\n${STATE_TEXT[state](space)} ${effect}\nDry run: nothing was written.`;
  }
  if (!isComplete) return interruptedText(seconds);
  const visibility = state === 'complete' ? '' : ' Students can now see the space.';
  if (isUnchanged) return `No changes: "${space}" already has ${countsText(items)}.${visibility}`;
  const resumed = state === 'new' ? '' : `\nNew in this run: ${countsText(added)}.`;
  return `Imported into "${space}" in ${formatDuration(seconds)}: ${countsText(items)}.${visibility}${resumed}`;
}

const interruptedText = (seconds: number): string =>
  `Interrupted after ${formatDuration(seconds)}. Students cannot see the space yet. Repeat the command to resume.`;

const STATE_TEXT: Readonly<Record<ImportState, (space: string) => string>> = {
  new: (space) => `The space "${space}" does not exist yet.`,
  unfinished: (space) => `The space "${space}" exists, but its import is incomplete.`,
  complete: (space) => `The space "${space}" already contains this dump.`,
};

const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(IMPORTED_LABELS)
    .map(([kind, name]) => `${formatCount(counts[kind] ?? 0)} ${name}`)
    .join(', ');

const EVENT_LABELS = {
  QuestionAsked: 'questions',
  AnswerPosted: 'answers',
  CommentPosted: 'comments',
  VoteCast: 'votes',
  AnswerAccepted: 'accepted answers',
} as const;

/** Summary of an imported space archive. */
function archiveText({
  space,
  people,
  pictures,
  events,
  fingerprint,
  state,
  isComplete,
  seconds,
}: ArchiveReport): string {
  if (!isComplete) return `${interruptedText(seconds)}\n`;
  const shown = Object.entries(EVENT_LABELS).map(
    ([type, name]) => `${formatCount(events[type as keyof typeof EVENT_LABELS] ?? 0)} ${name}`,
  );
  const what = `${formatCount(people)} students, ${shown.join(', ')}, ${formatCount(pictures)} pictures`;
  return (
    (state === 'complete'
      ? `No changes: "${space}" already has ${what}.\n`
      : `Imported into "${space}" in ${formatDuration(seconds)}: ${what}.\n`) +
    `File fingerprint: ${fingerprint}\n`
  );
}

interface ImportFlags extends JsonFlag {
  readonly space: string;
}

interface DumpFlags extends ImportFlags {
  readonly origin?: string;
  readonly dryRun?: true;
}

interface ImportOutcome {
  readonly isComplete: boolean;
  readonly isDryRun?: boolean;
}

interface ImportControls {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => void;
}

export function importDump(folder: string, flags: DumpFlags): Promise<void> {
  const { space, origin, dryRun } = flags;
  const spaceName = nameOf(space);
  return runImport(
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
  readonly allowOtherRules?: true;
}

export function importSpace(file: string, flags: ArchiveFlags): Promise<void> {
  const { space, fingerprint, allowOtherRules } = flags;
  const spaceName = nameOf(space);
  return runImport(
    ({ container, runtime }, working) =>
      importArchive({
        runtime,
        commands: container.get(CommandBus, { strict: false }),
        files: container.get<FileStore>(FILES, { strict: false }),
        file,
        spaceName,
        fingerprint,
        otherRules: allowOtherRules ?? false,
        operator: operatorName(runtime.settings),
        ...working,
      }),
    flags,
    archiveText,
  );
}

function nameOf(space: string): string {
  const spaceName = space.trim();
  if (spaceName === '') throw new ImportError('--space must be the name of the space to import into.');
  return spaceName;
}

/** Runs an import that Ctrl-C may end early; repeating the command resumes it. */
function runImport<Report extends ImportOutcome>(
  work: (session: CliSession, working: ImportControls) => Promise<Report>,
  flags: JsonFlag,
  forPeople: (report: Report) => string,
): Promise<void> {
  return interruptible(async (signal) => {
    const { onProgress, keep } = phaseProgress();
    const report = await withSession((session) =>
      withProjections(session.runtime, () => work(session, { signal, onProgress })),
    ).finally(keep);
    printResult(report, flags, () => forPeople(report));
    if (!report.isComplete && !report.isDryRun) process.exitCode = EXIT.interrupted;
  }, 'Interrupted. Repeat the command to resume.');
}

const PHASE_LABELS: Readonly<Record<ImportPhase, string>> = {
  reading: 'Reading the files',
  comparing: 'Comparing with the space',
  pictures: 'Importing pictures',
  people: 'Importing students',
  importing: 'Importing',
  following: 'Waiting for projections',
};

const PART_LABELS: Readonly<Record<ImportPart['name'], string>> = {
  people: 'People',
  posts: 'Posts',
  votes: 'Votes',
  other: 'Other',
};

/** Progress line per phase, with rate and time left. */
function phaseProgress(): {
  readonly onProgress: (progress: ImportProgress) => void;
  readonly keep: () => void;
} {
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

export function progressText({ phase, done, total, parts }: ImportProgress, seconds: number): string {
  if (phase === 'following') return `${PHASE_LABELS[phase]} …`;
  const [shown, of, unit] =
    phase === 'reading'
      ? [megabytes(done), megabytes(total), ' MB']
      : [formatCount(done), formatCount(total), ''];
  const part = parts
    ? parts
        .map((one) => `${PART_LABELS[one.name]}: ${formatCount(one.done)} of ${formatCount(one.total)}`)
        .join(' · ')
    : `${PHASE_LABELS[phase]}: ${shown} of ${of}${unit}`;
  if (seconds < 0.5) return part;
  const rate = done / seconds;
  const perSecond = phase === 'reading' ? `${megabytes(rate)} MB/s` : `${formatCount(Math.round(rate))}/s`;
  return done < total
    ? `${part} · ${perSecond} · ${formatDuration((total - done) / rate)} left`
    : `${part} · ${perSecond}`;
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
