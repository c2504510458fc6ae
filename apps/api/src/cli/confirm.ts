import process from 'node:process';
import { createInterface } from 'node:readline/promises';

/** The user declined, or there was no terminal to ask on. */
export class NotConfirmedError extends Error {
  override readonly name = 'NotConfirmedError';
}

/**
 * Asks for confirmation before an irreversible action. `--yes` skips the prompt.
 * @throws NotConfirmedError if the answer is not yes, or there is no terminal
 */
export async function confirm(question: string, { yes }: { readonly yes?: true | undefined }): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY)
    throw new NotConfirmedError(`${question} Not a terminal, so there is no prompt. Confirm with --yes.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new NotConfirmedError('Cancelled. Nothing was changed.');
  } finally {
    terminal.close();
  }
}
