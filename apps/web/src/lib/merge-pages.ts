/** The rows so far with those of the next page; a row that moved between the two reads is kept once, as it was read last. */
export function mergePages<T extends { _id: string }>(loaded: readonly T[], next: readonly T[]): T[] {
  return [...new Map([...loaded, ...next].map((row) => [row._id, row])).values()];
}
