/** A reason, in one line for the person at the console, why the embedded PostgreSQL cannot serve. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'is not writable by this user',
  EPERM: 'may not be changed by this user',
  EROFS: 'is on a read-only file system',
  ENOSPC: 'is on a full disk',
  EDQUOT: 'is on a disk whose quota is used up',
  ENOTDIR: 'has a file where a folder is needed',
};

/** Runs a step on the file system and turns what a person can cure into one line that names the path. */
export async function onPath<Result>(path: string, step: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    const code = errorCode(error);
    const problem = code === undefined ? undefined : FILE_PROBLEMS[code];
    if (problem === undefined) throw error;
    throw new EmbeddedPostgresError(`${path} ${problem} (${code}).`, { cause: error });
  }
}

export function errorCode(error: unknown): string | undefined {
  // Not by instanceof: the errors of the system come from another realm under jest.
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
