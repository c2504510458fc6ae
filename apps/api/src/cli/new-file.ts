import { access } from 'node:fs/promises';
import { UsageError } from './failure.js';

export const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Before the work, so that nothing is overwritten by a slip. @throws UsageError where the file is there and --force is not */
export async function assertFree(path: string, { force }: { readonly force?: true }): Promise<void> {
  if (path !== '-' && !force && (await isThere(path)))
    throw new UsageError(`${path} is there already: name another file, or say --force to replace it.`);
}
