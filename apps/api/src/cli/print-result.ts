import process from 'node:process';

export interface JsonFlag {
  readonly json?: true;
}

/** One JSON document for scripts, or what a person reads. */
export function printResult(result: unknown, { json }: JsonFlag, forPeople: () => string): void {
  process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : `${forPeople().trimEnd()}\n`);
}
