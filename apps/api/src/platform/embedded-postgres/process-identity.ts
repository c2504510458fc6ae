import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LINUX_STATE = 0;
const LINUX_START_TIME = 19;

/**
 * A living process as a string that no later process with the same number has; undefined when it is gone.
 * Numbers come back quickly in containers, and a killed child whose parent does not reap it stays as a zombie: both count as gone.
 */
export function processIdentity(pid: number): string | undefined {
  return process.platform === 'linux' ? linuxIdentity(pid) : listedIdentity(pid);
}

/** The command line of a living process, its parts joined by spaces. */
export function processCommand(pid: number): string | undefined {
  if (process.platform !== 'linux') return listed(pid, 'command=');
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return undefined;
  }
}

function linuxIdentity(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name may contain spaces and brackets; the fields follow the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isDead = ['Z', 'X'].includes(fields[LINUX_STATE] ?? 'X');
    return isDead ? undefined : `${pid}@${fields[LINUX_START_TIME] ?? ''}`;
  } catch {
    return undefined;
  }
}

function listedIdentity(pid: number): string | undefined {
  const state = listed(pid, 'state=');
  if (state === undefined || state.startsWith('Z')) return undefined;
  return `${pid}@${listed(pid, 'lstart=') ?? ''}`;
}

function listed(pid: number, column: string): string | undefined {
  try {
    const output = execFileSync('ps', ['-o', column, '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.trim() === '' ? undefined : output.trim();
  } catch {
    return undefined;
  }
}
