import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import type { CommandRunner } from './command-runner.js';
import { Days } from './days.js';

const TODAY = '2026-11-22';
const BEFORE_MIDNIGHT = `${TODAY}T23:59:50.000Z`;
const TOMORROW = '2026-11-23';
const AFTER_MIDNIGHT = `${TOMORROW}T00:00:10.000Z`;

/** Days of a process whose clock, and the database's, say what the test sets. */
function newDays(clocks: { own: string; shared: string }) {
  const begun: string[] = [];
  let asked = 0;
  const commands: Pick<CommandRunner, 'now' | 'run'> = {
    now: () => clocks.own,
    run: (_context, { on }) => {
      begun.push(on.streamId);
      return Promise.resolve({ events: [], position: undefined, duplicate: false });
    },
  };
  // Votes of yesterday always wait here.
  const pool = { query: () => Promise.resolve({ rows: [{ is_due: true }] }) } as unknown as Pool;
  const days = new Days(commands, pool, () => {
    asked += 1;
    return Promise.resolve(new Date(clocks.shared));
  });
  return { days, begun, asked: () => asked };
}

describe('a day', () => {
  it.each(['begin', 'beginWhenDue'] as const)(
    'does not begin before it has come by the clock of all, whatever the own one says: %s',
    async (act) => {
      const clocks = { own: AFTER_MIDNIGHT, shared: BEFORE_MIDNIGHT };
      const { days, begun } = newDays(clocks);
      await days[act]();
      expect(begun).toEqual([`day-${TODAY}`]);
      await days[act]();
      expect(begun).toHaveLength(1);
      clocks.shared = AFTER_MIDNIGHT;
      await days[act]();
      expect(begun).toEqual([`day-${TODAY}`, `day-${TOMORROW}`]);
    },
  );

  it('that has begun is not asked about again', async () => {
    const { days, asked } = newDays({ own: BEFORE_MIDNIGHT, shared: BEFORE_MIDNIGHT });
    for (let vote = 0; vote < 3; vote += 1) await days.begin();
    expect(asked()).toBe(1);
  });
});
