/** With everything sent at once, the api refuses requests that wait too long. */
const AT_ONCE = 8;

/** Calls `act` for every item, some at a time, and returns the results in the order of the items. */
export async function concurrently<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const work = async (): Promise<void> => {
    for (const [place, item] of left) results[place] = await act(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}
