import process from 'node:process';
import { createInterface } from 'node:readline/promises';

/** The person at the terminal did not say yes, or nobody could be asked. */
export class NotConfirmedError extends Error {
  override readonly name = 'NotConfirmedError';
}

/**
 * Asks before what cannot be undone. `--yes` answers for a script.
 * @throws NotConfirmedError when the answer is not yes, or there is no terminal to ask at; nothing was done then
 */
export async function askFirst(
  question: string,
  { yes }: { readonly yes?: true | undefined },
): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY)
    throw new NotConfirmedError(`${question} Nobody can be asked here: say --yes if it should be done.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new NotConfirmedError('Nothing was done.');
  } finally {
    terminal.close();
  }
}
