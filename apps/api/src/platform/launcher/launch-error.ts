/** Why the product does not start, in one line for the person at the console. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
}
