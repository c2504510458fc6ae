/** The rows so far with those of the next page; a row that moved between the two reads is kept once, as it was read last. */
export function mergePages<T extends { _id: string }>(loaded: readonly T[], next: readonly T[]): T[] {
  return [...new Map([...loaded, ...next].map((row) => [row._id, row])).values()];
}

interface Page<Row> {
  docs: Row[];
  page: number;
}

/** The list with its next page; without it where it does not follow, as the list was read again meanwhile. */
export function withPage<Row extends { _id: string }, List>(
  loaded: List & Page<Row>,
  next: List & Page<Row>,
): List & Page<Row> {
  if (next.page !== loaded.page + 1) return loaded;
  return { ...next, docs: mergePages(loaded.docs, next.docs) };
}
