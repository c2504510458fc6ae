import process from 'node:process';

export interface JsonFlag {
  readonly json?: true;
}

/** One JSON document for scripts, or what a person reads. */
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
    process.stderr.write('Done. The read side does not show it yet: see nimo projections list.\n');
    printResult({ _id: id }, flags, () => id);
  } else printResult(shown, flags, () => forPeople(shown));
}
