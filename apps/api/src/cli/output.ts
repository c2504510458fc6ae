import process from 'node:process';
import type { ImportPhase, ImportProgress } from '../features/imports/import-stack-exchange.js';

export interface JsonFlag {
  readonly json?: true;
}

/** One JSON document for scripts, or what a person reads. */
export function printResult(result: unknown, { json }: JsonFlag, forPeople: () => string): void {
  process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : `${forPeople().trimEnd()}\n`);
}

/** What was just done: as the read side shows it, or its id alone where that is held up. Either way it is done. */
export function printDone<Shown>(
  id: string,
  shown: Shown | null | undefined,
  flags: JsonFlag,
  forPeople: (shown: Shown) => string,
): void {
  if (shown == null) {
    process.stderr.write('Done. The read side does not show it yet: see nimo projections list.\n');
    printResult({ _id: id }, flags, () => id);
  } else printResult(shown, flags, () => forPeople(shown));
}

const TERMINAL_EVERY_MS = 200;
const LINES_EVERY_MS = 5_000;

const WORDS: Readonly<Record<ImportPhase, string>> = {
  reading: 'Reading the files',
  comparing: 'Comparing with the space',
  pictures: 'Importing pictures',
  people: 'Importing people',
  importing: 'Importing',
  following: 'Waiting for the read side',
};

/** Shows how far something is, its rate and the time left: on a terminal in one line, otherwise in a line now and then. */
export class ProgressLine {
  private phase: ImportPhase | undefined;
  private startedAt = 0;
  private shownAt = 0;
  private isOpen = false;

  constructor(private readonly output: NodeJS.WriteStream) {}

  show(progress: ImportProgress): void {
    const now = performance.now();
    const isNew = progress.phase !== this.phase;
    const every = this.output.isTTY ? TERMINAL_EVERY_MS : LINES_EVERY_MS;
    if (!isNew && now - this.shownAt < every && progress.done < progress.total) return;
    if (isNew) {
      this.end();
      this.phase = progress.phase;
      this.startedAt = now;
    }
    this.shownAt = now;
    this.write(textOf(progress, (now - this.startedAt) / 1000));
  }

  /** What comes next begins a line of its own. */
  end(): void {
    if (this.isOpen) this.output.write('\n');
    this.isOpen = false;
  }

  private write(text: string): void {
    if (!this.output.isTTY) this.output.write(`${text}\n`);
    else {
      this.output.write(`\r\u001b[2K${text}`);
      this.isOpen = true;
    }
  }
}

function textOf({ phase, done, total }: ImportProgress, seconds: number): string {
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

export const grouped = (count: number): string => count.toLocaleString('en-US');
const mega = (bytes: number): string => (bytes / 1e6).toFixed(1);

export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}

/** Rows under each other: the first column to the left, the others to the right unless `left` names them. */
export function textTable(rows: readonly (readonly string[])[], left: readonly number[] = [0]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => [...(row[column] ?? '')].length)),
  );
  const cell = (text: string, column: number): string => {
    const gap = ' '.repeat((widths[column] ?? 0) - [...text].length);
    return left.includes(column) ? text + gap : gap + text;
  };
  return rows
    .map((row) =>
      Array.from(widths, (_, column) => cell(row[column] ?? '', column))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
