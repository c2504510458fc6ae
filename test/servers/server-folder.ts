import { statfsSync } from 'node:fs';

const MIN_FREE_BYTES = 4 * 2 ** 30;

/**
 * Parent folder of the PostgreSQL data of tests, in memory if there is room. Specs create and drop databases of hundreds of files, and ext4
 * does not reuse recently freed inodes: searching past them took a third of the CPU time.
 */
export const SERVER_FOLDER = hasRoom('/dev/shm') ? '/dev/shm' : '/tmp';

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= MIN_FREE_BYTES;
  } catch {
    return false;
  }
}
