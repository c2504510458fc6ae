import { DUMP_FILES, type DumpFile } from './dump-files.js';
import type { SkippedRows } from './staging.js';

export interface FileReport {
  readonly file: DumpFile;
  readonly rows: number;
  readonly cameIn: number;
  readonly skipped: readonly { readonly reason: string; readonly rows: number }[];
}

export interface ImportReport {
  readonly spaceId: string;
  readonly space: string;
  readonly isComplete: boolean;
  /** `rows` is `cameIn` and all `skipped` of each file, once the import is complete. */
  readonly files: readonly FileReport[];
  /** What the space has now that came from the dump, also from no row of its own (topics, stand-ins). */
  readonly made: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** Counts what came in and what did not, and why. */
export class ImportTally {
  private readonly cameIn = new Map<DumpFile, number>();
  private readonly skipped = new Map<DumpFile, Map<string, number>>();
  private readonly made = new Map<string, number>();

  add(file: DumpFile | null, kind: string): void {
    if (file) this.cameIn.set(file, (this.cameIn.get(file) ?? 0) + 1);
    this.made.set(kind, (this.made.get(kind) ?? 0) + 1);
  }

  skip({ file, reason, rows }: SkippedRows): void {
    const reasons = this.skipped.get(file) ?? new Map<string, number>();
    reasons.set(reason, (reasons.get(reason) ?? 0) + rows);
    this.skipped.set(file, reasons);
  }

  report(rows: Readonly<Record<DumpFile, number>>): Pick<ImportReport, 'files' | 'made'> {
    const files = DUMP_FILES.map((file) => ({
      file,
      rows: rows[file],
      cameIn: this.cameIn.get(file) ?? 0,
      skipped: [...(this.skipped.get(file) ?? [])]
        .map(([reason, count]) => ({ reason, rows: count }))
        .sort((one, other) => other.rows - one.rows || (one.reason < other.reason ? -1 : 1)),
    }));
    return { files, made: Object.fromEntries(this.made) };
  }
}
