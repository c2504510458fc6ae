import type { ImportState } from './import-people.js';
import type { ChangedRows, Planned, PlannedKind, SkippedRows } from './staging.js';
import { DUMP_FILES, type DumpFile } from './dump-row.js';

/** Planned items without a row of their own: the file that mentions them and their name in the report. */
const WITHOUT_ROW: Partial<Record<PlannedKind, readonly [DumpFile, string]>> = {
  topic: ['posts', 'topics'],
  person: ['posts', 'authors'],
  accept: ['posts', 'accepted answers'],
  'stand-in': ['votes', 'stand-in voters'],
};

interface FileReport {
  readonly file: DumpFile;
  readonly rows: number;
  readonly imported: number;
  readonly skipped: readonly { readonly reason: string; readonly rows: number }[];
  readonly changed: readonly { readonly what: string; readonly count: number }[];
}

export interface ImportReport {
  readonly spaceId: string;
  readonly space: string;
  /** State before this run. */
  readonly state: ImportState;
  /** If true, nothing was written and `items` is what an import would create. */
  readonly isDryRun: boolean;
  readonly isComplete: boolean;
  /** In a complete import, `rows` = `imported` + all `skipped` of the file. */
  readonly files: readonly FileReport[];
  /** Imported items by kind, including those without a row (topics, stand-ins). */
  readonly items: Readonly<Record<string, number>>;
  /** The part of `items` imported by earlier runs. */
  readonly existing: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** Counts imported and skipped rows, with reasons. */
export class ImportTally {
  private readonly imported = new Map<DumpFile, number>();
  private readonly skipped = new Map<DumpFile, Map<string, number>>();
  private readonly items = new Map<string, number>();
  private readonly existing = new Map<string, number>();
  private readonly skippedItems = new Map<string, ChangedRows>();

  constructor(
    private readonly rows: Readonly<Record<DumpFile, number>>,
    skipped: readonly SkippedRows[],
    private readonly changed: readonly ChangedRows[],
  ) {
    for (const some of skipped) this.skip(some);
  }

  add(file: DumpFile | null, kind: string, count = 1): void {
    if (file) this.imported.set(file, (this.imported.get(file) ?? 0) + count);
    this.items.set(kind, (this.items.get(kind) ?? 0) + count);
  }

  addExisting(kind: string): void {
    this.existing.set(kind, (this.existing.get(kind) ?? 0) + 1);
  }

  skip({ file, reason, rows }: SkippedRows): void {
    const reasons = this.skipped.get(file) ?? new Map<string, number>();
    reasons.set(reason, (reasons.get(reason) ?? 0) + rows);
    this.skipped.set(file, reasons);
  }

  skipPlanned({ file, kind }: Pick<Planned, 'file' | 'kind'>, reason: string): void {
    if (file) {
      this.skip({ file, reason, rows: 1 });
      return;
    }
    const [source, name] = WITHOUT_ROW[kind] ?? (['posts', kind] as const);
    const what = `${name} skipped: ${reason}`;
    const { count } = this.skippedItems.get(what) ?? { count: 0 };
    this.skippedItems.set(what, { file: source, what, count: count + 1 });
  }

  report(): Pick<ImportReport, 'files' | 'items' | 'existing'> {
    const changed = [...this.changed, ...this.skippedItems.values()];
    const files = DUMP_FILES.map((file) => ({
      file,
      rows: this.rows[file],
      imported: this.imported.get(file) ?? 0,
      skipped: [...(this.skipped.get(file) ?? [])]
        .map(([reason, count]) => ({ reason, rows: count }))
        .sort((one, other) => other.rows - one.rows || (one.reason < other.reason ? -1 : 1)),
      changed: changed.filter((one) => one.file === file).map(({ what, count }) => ({ what, count })),
    }));
    return { files, items: Object.fromEntries(this.items), existing: Object.fromEntries(this.existing) };
  }
}
