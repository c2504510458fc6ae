import { access } from 'node:fs/promises';
import { UsageError } from './failure.js';

export const pathExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Checked before the work starts. @throws UsageError if the file exists and `--force` is not given */
export async function assertNoFile(path: string, { force }: { readonly force?: true }): Promise<void> {
  if (path !== '-' && !force && (await pathExists(path)))
    throw new UsageError(`${path} already exists. Choose another file, or use --force to replace it.`);
}
