import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projections } from '@nimo/projections';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { type CliResult, expectCliError, resultOf, runNimo } from '../../../../../test/command-line.js';

interface Status {
  readonly name: string;
  readonly state: string;
  readonly live: { readonly generation: number };
  readonly rebuild: object | null;
  readonly generations: readonly object[];
}

let app: TestApp;
beforeAll(async () => {
  app = await bootApp();
  await app.signUp();
});
afterAll(() => app.close());

const nimo = (...args: readonly string[]): Promise<CliResult> => runNimo(app, 'projections', ...args);

async function liveGenerationOf(name: string): Promise<number> {
  const { rows } = await app.pool.query<{ generation: number }>(
    `select generation from read.projection_generations where name = $1 and status = 'live'`,
    [name],
  );
  return rows[0]?.generation ?? 0;
}

describe('nimo projections', () => {
  it('lists every projection as one JSON document', async () => {
    const listed = resultOf<{ name: string }[]>(await nimo('list', '--json'));
    expect(listed.map(({ name }) => name)).toEqual(projections.map(({ name }) => name));
    expect((await nimo('list')).stdout).toContain('leaderboard');
  });

  it('rebuilds and waits for the switch, switches back, and verifies', async () => {
    const before = await liveGenerationOf('questions');
    expect(resultOf(await nimo('rebuild', 'questions', '--wait', '--json'))).toEqual([
      { name: 'questions', outcome: 'switched' },
    ]);
    expect(await liveGenerationOf('questions')).toBe(before + 1);
    const switched = resultOf<Status[]>(await nimo('switch', 'questions', '--wait', '--json'));
    expect(switched).toMatchObject([{ name: 'questions', live: { generation: before }, rebuild: null }]);
    expect(switched[0]?.generations).toContainEqual(
      expect.objectContaining({ generation: before + 1, status: 'retired' }),
    );

    const verified = resultOf<{ result: { outcome: string } }[]>(
      await nimo('verify', 'questions', 'students', '--json'),
    );
    expect(verified.map(({ result }) => result.outcome)).toEqual(['EQUAL', 'EQUAL']);
    const { rows } = await app.pool.query(
      `select distinct (metadata -> 'actor')::jsonb as actor from log.events
         where stream_id = 'projection-questions' and type <> 'ProjectionVerificationFinished'`,
    );
    expect(rows).toContainEqual({ actor: { kind: 'operator', operator: userInfo().username } });
  });

  it('exits with 3 and prints both hashes if a row differs from the log', async () => {
    const { rows } = await app.pool.query<{ changed: string }>(
      `update read.students set first_name = 'Forged' returning first_name as changed`,
    );
    expect(rows.length).toBeGreaterThan(0);
    const { code, stdout } = await nimo('verify', 'students');
    expect(code).toBe(3);
    expect(stdout).toMatch(/^students: DIFFERENT at event [\d,]+, live \w+, rebuilt \w+/);
    expect(stdout).toMatch(
      new RegExp(
        `^  students: ${rows.length} rows? differs?\n  students, student_id [\\w-]+: has different values \\(first_name\\)`,
        'm',
      ),
    );
  });

  it.each([
    [['rebuild', 'nonsense'], 1, /^nimo: Projection nonsense not found\.$/m],
    [['status', 'nonsense'], 1, /^nimo: Projection nonsense not found\.$/m],
    [['switch', 'questions', '99'], 1, /99/],
    [['cancel', 'spaces'], 1, /^nimo: No rebuild is in progress\.$/m],
    [['retry', 'spaces'], 1, /^nimo: The projection is not stopped at an event\.$/m],
    [
      ['skip', 'spaces', '--reason', 'Why not', '--yes'],
      1,
      /^nimo: The projection is not stopped at an event\.$/m,
    ],
    [['rebuild'], 2, /missing required argument 'name'/],
  ] as const)('explains in one line what is wrong with %j, and exits with %i', async (args, code, message) =>
    expectCliError(await nimo(...args), code, message),
  );
});
