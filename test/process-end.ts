const closers = new Set<() => Promise<void>>();

/** Spec files of a process share what they open; the end of the process closes it. */
export function atProcessEnd(close: () => Promise<void>): void {
  closers.add(close);
}

/** Called by `spec-process.mjs`, and by `global-teardown.mjs` where specs run in the process of Jest itself (`--runInBand`). */
export async function endProcess(): Promise<void> {
  await Promise.allSettled([...closers].map((close) => close()));
  closers.clear();
}
