import process from 'node:process';

export interface JsonFlag {
  readonly json?: true;
}

/** Prints a message on standard error, so that standard output holds only the result. */
export function printNote(text: string): void {
  process.stderr.write(`${text.trimEnd()}\n`);
}

/** Prints one JSON document with `--json`, otherwise text. */
export function printResult(result: unknown, { json }: JsonFlag, toText: () => string): void {
  process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : `${toText().trimEnd()}\n`);
}

/** Prints what a command created or changed, or only its ID while the projections lag behind. */
export function printDone<View>(
  id: string,
  view: View | null | undefined,
  flags: JsonFlag,
  toText: (view: View) => string,
): void {
  if (view == null) {
    printNote('Done, but the projections have not caught up yet. Check nimo projections status.');
    printResult({ _id: id }, flags, () => id);
  } else printResult(view, flags, () => toText(view));
}

export const formatCount = (count: number): string => count.toLocaleString('en-US');

export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}

/** Aligns rows in columns. @param left indexes of left-aligned columns; the others are right-aligned */
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
