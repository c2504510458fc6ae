import type { Standing } from './import-people.js';
import type { ChangedRows, Planned, PlannedKind, SkippedRows } from './staging.js';
import { DUMP_FILES, type DumpFile } from './dump-row.js';

/** Planned without a row of their own: the file that tells of them, and their name in the report. */
const WITHOUT_ROW: Partial<Record<PlannedKind, readonly [DumpFile, string]>> = {
  topic: ['posts', 'topics'],
  person: ['posts', 'authors'],
  accept: ['posts', 'accepted answers'],
  'stand-in': ['votes', 'stand-in voters'],
};

interface FileReport {
  readonly file: DumpFile;
  readonly rows: number;
  readonly cameIn: number;
  readonly skipped: readonly { readonly reason: string; readonly rows: number }[];
  readonly changed: readonly { readonly what: string; readonly count: number }[];
}

export interface ImportReport {
  readonly spaceId: string;
  readonly space: string;
  /** Before this run. */
  readonly standing: Standing;
  /** Nothing was written, and `made` is what would be. */
  readonly isDryRun: boolean;
  readonly isComplete: boolean;
  /** `rows` is `cameIn` and all `skipped` of each file, once the import is complete. */
  readonly files: readonly FileReport[];
  /** What the space has now that came from the dump, also from no row of its own (topics, stand-ins). */
  readonly made: Readonly<Record<string, number>>;
  /** How much of that earlier runs brought in. */
  readonly before: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** Counts what came in and what did not, and why. */
export class ImportTally {
  private readonly cameIn = new Map<DumpFile, number>();
  private readonly skipped = new Map<DumpFile, Map<string, number>>();
  private readonly made = new Map<string, number>();
  private readonly before = new Map<string, number>();
  private readonly leftOut = new Map<string, ChangedRows>();

  constructor(
    private readonly rows: Readonly<Record<DumpFile, number>>,
    skipped: readonly SkippedRows[],
    private readonly changed: readonly ChangedRows[],
  ) {
    for (const some of skipped) this.skip(some);
  }

  add(file: DumpFile | null, kind: string, count = 1): void {
    if (file) this.cameIn.set(file, (this.cameIn.get(file) ?? 0) + count);
    this.made.set(kind, (this.made.get(kind) ?? 0) + count);
  }

  /** Includes the newly added ones. */
  wasThere(kind: string): void {
    this.before.set(kind, (this.before.get(kind) ?? 0) + 1);
  }

  skip({ file, reason, rows }: SkippedRows): void {
    const reasons = this.skipped.get(file) ?? new Map<string, number>();
    reasons.set(reason, (reasons.get(reason) ?? 0) + rows);
    this.skipped.set(file, reasons);
  }

  leaveOut({ file, kind }: Pick<Planned, 'file' | 'kind'>, reason: string): void {
    if (file) {
      this.skip({ file, reason, rows: 1 });
      return;
    }
    const [source, name] = WITHOUT_ROW[kind] ?? (['posts', kind] as const);
    const what = `${name} left out: ${reason}`;
    const { count } = this.leftOut.get(what) ?? { count: 0 };
    this.leftOut.set(what, { file: source, what, count: count + 1 });
  }

  report(): Pick<ImportReport, 'files' | 'made' | 'before'> {
    const changed = [...this.changed, ...this.leftOut.values()];
    const files = DUMP_FILES.map((file) => ({
      file,
      rows: this.rows[file],
      cameIn: this.cameIn.get(file) ?? 0,
      skipped: [...(this.skipped.get(file) ?? [])]
        .map(([reason, count]) => ({ reason, rows: count }))
        .sort((one, other) => other.rows - one.rows || (one.reason < other.reason ? -1 : 1)),
      changed: changed.filter((one) => one.file === file).map(({ what, count }) => ({ what, count })),
    }));
    return { files, made: Object.fromEntries(this.made), before: Object.fromEntries(this.before) };
  }
}
