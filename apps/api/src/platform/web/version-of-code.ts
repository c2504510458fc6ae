import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** The same in every process of a build, and another one where any file of the folder is. */
export function versionOfCode(folder: URL): string {
  const hash = createHash('sha256');
  const files = readdirSync(folder).filter((name) => /\.[jt]s$/.test(name) && !/spec\.[jt]s$/.test(name));
  for (const file of files.sort()) hash.update(readFileSync(new URL(file, folder)));
  return hash.digest('base64url');
}
