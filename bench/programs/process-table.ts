import { readdirSync, readFileSync } from 'node:fs';

/** The kernel reports CPU time in hundredths of a second, whatever its own clock rate. */
const MS_PER_TICK = 10;
const STATE_FIELD = 2;

export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly cpuMs: number;
}

/** All processes of this machine (Linux only). */
export function processes(): ProcessInfo[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (processOf(Number(name)) ?? []) : []));
}

export function processOf(pid: number): ProcessInfo | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may contain any characters; the third field of proc(5) follows.
    const fields = line.slice(line.lastIndexOf(')') + STATE_FIELD).split(' ');
    const [, parent, , , , , , , , , , user, system] = fields.map(Number);
    if (parent === undefined || user === undefined || system === undefined) return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { pid, parent, command, cpuMs: (user + system) * MS_PER_TICK };
  } catch {
    // The process has exited.
    return undefined;
  }
}

/** Memory of a process in bytes: resident (`rss`), and with shared memory divided among its users (`pss`). */
export function memoryOf(pid: number): { readonly rss: number; readonly pss: number } {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const bytes = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024;
    return { rss: bytes('Rss'), pss: bytes('Pss') };
  } catch {
    return { rss: 0, pss: 0 };
  }
}
