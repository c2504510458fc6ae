import { CommandBus } from '@nestjs/cqrs';
import { type ArchiveReport, importArchive } from '../features/imports/archive/import-archive.js';
import type { Standing } from '../features/imports/import-people.js';
import type { ImportReport } from '../features/imports/import-tally.js';
import { duration, grouped, ProgressLine, textTable } from './output.js';
import type { FileStore } from '../platform/adapters/files/file-store.js';
import { FILES } from '../platform/adapters/tokens.js';
import { type ImportProgress, importStackExchange } from '../features/imports/import-stack-exchange.js';
import { type CliSession, inSession, operatorName, withProjections } from './cli-session.js';
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

interface ImportFlags {
  readonly space: string;
  readonly json?: true;
}

interface DumpFlags extends ImportFlags {
  readonly origin?: string;
  readonly dryRun?: true;
}

const INTERRUPTED = 130;

interface Reported {
  readonly isComplete: boolean;
  readonly isDryRun?: boolean;
}

interface Working {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => void;
}

export function importDump(folder: string, { space, json, origin, dryRun }: DumpFlags): Promise<void> {
  const spaceName = nameOf(space);
  return interruptibly(
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
    (report) => (json ? asJson(report) : importTable(report)),
  );
}

interface ArchiveFlags extends ImportFlags {
  readonly fingerprint?: string;
  readonly otherRules?: true;
}

export function importSpace(
  file: string,
  { space, json, fingerprint, otherRules }: ArchiveFlags,
): Promise<void> {
  const spaceName = nameOf(space);
  return interruptibly(
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
    (report) => (json ? asJson(report) : arrivalTable(report)),
  );
}

function nameOf(space: string): string {
  const spaceName = space.trim();
  if (spaceName === '') throw new ImportError('--space needs the name of the space to import into.');
  return spaceName;
}

const asJson = (report: Reported): string => `${JSON.stringify(report, null, 2)}\n`;

async function interruptibly<Report extends Reported>(
  work: (session: CliSession, working: Working) => Promise<Report>,
  shown: (report: Report) => string,
): Promise<void> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const progress = new ProgressLine(process.stderr);
  const working = { signal: stopping.signal, onProgress: (seen: ImportProgress) => progress.show(seen) };
  try {
    const report = await inSession((session) =>
      withProjections(session.runtime, () => work(session, working)),
    );
    progress.end();
    process.stdout.write(shown(report));
    if (!report.isComplete && !report.isDryRun) process.exitCode = INTERRUPTED;
  } catch (error) {
    progress.end();
    if (!stopping.signal.aborted) throw error;
    process.stderr.write('Interrupted. Repeat the same command to resume.\n');
    process.exitCode = INTERRUPTED;
  }
}
