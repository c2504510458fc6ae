const closers = new Set<() => Promise<void>>();

/** Registers `close` for what the spec files of a process share. */
export function atProcessEnd(close: () => Promise<void>): void {
  closers.add(close);
}

/** Called by `spec-process.mjs`, and by `global-teardown.mjs` where specs run in the process of Jest itself (`--runInBand`). */
export async function endProcess(): Promise<void> {
  await Promise.allSettled([...closers].map((close) => close()));
  closers.clear();
}
