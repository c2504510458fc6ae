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
