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

  it('switches all that are ready, and says why others are not', async () => {
    const names = ['news', 'notes'] as const;
    const before = await Promise.all(names.map(liveGenerationOf));
    expect((await nimo('rebuild', ...names, '--hold', '--wait')).stdout).toBe('news: held\nnotes: held\n');
    const { code, stdout } = await nimo('switch', '--all', '--wait');
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(projections.length);
    expect(lines).toEqual(
      expect.arrayContaining([
        `news: switched to generation ${(before[0] ?? 0) + 1}`,
        `notes: switched to generation ${(before[1] ?? 0) + 1}`,
        'spaces: not switched, no rebuild is held',
      ]),
    );
    expect(await Promise.all(names.map(liveGenerationOf))).toEqual(before.map((number) => number + 1));
  });

  it('exits with 1 if one that is ready cannot be switched', async () => {
    await nimo('rebuild', 'news', 'notes', '--hold', '--wait');
    await app.pool.query(
      `insert into state.log_mismatches (detail, kind, ordinal) values ('altered', 'EVENT_CHANGED', 1)`,
    );
    const { code, stdout } = await nimo('switch', '--all');
    await app.pool.query('delete from state.log_mismatches');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^news: not switched, .*log/im);
    await nimo('cancel', 'news');
    await nimo('cancel', 'notes');
  });

  it('exits with 3 while a projection is stopped, and a rebuild names the event without a stack', async () => {
    const stoppedAt = (status: string, name: string) =>
      app.pool.query(`update read.projection_generations set error = $1 where name = $2 and status = $3`, [
        JSON.stringify({
          ...{ eventId: 'event-1', eventType: 'VoteCast', ordinal: 1_201, position: '1' },
          ...{ message: 'value too long', at: new Date().toISOString() },
        }),
        name,
        status,
      ]);
    expect((await nimo('status')).code).toBe(0);
    await stoppedAt('live', 'activities');
    const stopped = await nimo('status');
    expect(stopped).toMatchObject({ code: 3, stderr: '' });
    expect(stopped.stdout).toContain('activities stopped at event 1201 (VoteCast, event-1): value too long');
    await nimo('retry', 'activities');
    expect((await nimo('status', '--json')).code).toBe(0);

    await nimo('rebuild', 'news', '--hold', '--wait');
    await stoppedAt('building', 'news');
    const { code, stdout, stderr } = await nimo('rebuild', 'news', '--wait');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^news: generation \d+ stopped at event 1201 \(VoteCast, event-1\): value too long\n$/,
    );
    expect(stderr).not.toMatch(/\bat .+:\d+/);
    expect((await nimo('status')).code).toBe(3);
    await nimo('cancel', 'news');
  });

  it('skips an event in all projections stopped at it, after showing it without personal data', async () => {
    const { rows } = await app.pool.query<{ id: string; type: string; position: string; owner: string }>(
      `select event_id as id, type, lpad(position::text, 19, '0') as position, data ->> 'studentId' as owner
       from log.events where type = 'StudentRegistered' order by position limit 1`,
    );
    const [event] = rows;
    await app.pool.query(
      `update read.projection_generations set error = $1 where name in ('activities', 'search') and status = 'live'`,
      [
        JSON.stringify({
          ...{ eventId: event?.id, eventType: event?.type, position: event?.position, ordinal: 1_201 },
          ...{ message: 'value too long', at: new Date().toISOString() },
        }),
      ],
    );
    const { code, stdout, stderr } = await nimo('skip', '--all', '--reason', 'Written by a fault', '--yes');
    expect(code).toBe(0);
    expect(stderr).toContain(`Event 1201 (StudentRegistered), ${event?.id}`);
    expect(stderr).toMatch(/^userName +\[protected: text, \d+ characters\]$/m);
    expect(stderr).not.toContain(event?.owner);
    expect(stdout).toMatch(/^activities /m);
    expect(stdout).toMatch(/^search /m);
    expect((await nimo('status')).code).toBe(0);
    expectCliError(
      await nimo('skip', '--all', '--reason', 'Written by a fault', '--yes'),
      1,
      /^nimo: No projection is stopped at this event\.$/m,
    );
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
    [['switch'], 2, /^nimo: Give either the name of a projection or --all\.$/m],
    [['switch', 'questions', '--all'], 2, /^nimo: Give either the name of a projection or --all\.$/m],
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
