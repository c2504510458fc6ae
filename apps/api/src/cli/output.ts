import process from 'node:process';

export interface JsonFlag {
  readonly json?: true;
}

/** Lines for a person on the error output, which leave the result on the standard output as it is. */
export function printNote(text: string): void {
  process.stderr.write(`${text.trimEnd()}\n`);
}

/** One JSON document for scripts, or text for people. */
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
    printNote('Done. The read side does not show it yet: see nimo projections list.');
    printResult({ _id: id }, flags, () => id);
  } else printResult(shown, flags, () => forPeople(shown));
}

export const grouped = (count: number): string => count.toLocaleString('en-US');

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
