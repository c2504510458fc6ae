/** The API rejects requests that wait too long. */
const MAX_CONCURRENT = 8;

/** Calls `act` for every item with limited concurrency. @returns the results in the order of the items */
export async function concurrently<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const remaining = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of remaining) results[index] = await act(item);
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, work));
  return results;
}
