import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts processor time in hundredths of a second, whatever its own clock is. */
const MS_A_TICK = 10;
const STATE_FIELD = 2;

export interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly cpuMs: number;
}

/** Every process of this machine, as Linux tells. */
export function processes(): Running[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (processOf(Number(name)) ?? []) : []));
}

export function processOf(pid: number): Running | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in brackets and may have any characters; what follows begins with the third field of proc(5).
    const fields = line.slice(line.lastIndexOf(')') + STATE_FIELD).split(' ');
    const [, parent, , , , , , , , , , user, system] = fields.map(Number);
    if (parent === undefined || user === undefined || system === undefined) return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { pid, parent, command, cpuMs: (user + system) * MS_A_TICK };
  } catch {
    // It ended in between.
    return undefined;
  }
}

/** Bytes that a process holds: all of it, and with its share of what others hold as well. */
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
