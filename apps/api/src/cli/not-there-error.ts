/** What an argument names is not there, or there more than once: one line that says which. */
export class NotThereError extends Error {
  override readonly name = 'NotThereError';
}
