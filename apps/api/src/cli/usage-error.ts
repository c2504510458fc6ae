/** An argument that only turns out to be wrong when it is used: a file that is not there. One line, exit 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
