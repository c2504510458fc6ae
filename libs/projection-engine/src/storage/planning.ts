import { createHash } from 'node:crypto';

/**
 * - anew: for large batches, whose sizes the planner should see
 * - once: for the small ones of every moment, where planning costs more than running; see `KEPT_PLANS`
 */
export type Planning = 'anew' | 'once';

/** A plan that is kept may have been made while the table was small; it must look rows up by key all the same. */
export const KEPT_PLANS = 'set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off';

const names = new Map<string, string>();

/** A statement for `pg`; one with a name is parsed and planned once a connection. */
export function planned(text: string, planning: Planning): { readonly text: string; readonly name?: string } {
  return planning === 'anew' ? { text } : { text, name: nameOf(text) };
}

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `nimo_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
  names.set(text, name);
  return name;
}
