import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { EventStore } from '@nimo/event-store';
import { ProjectionWaiter } from '@nimo/projection-engine';
import type { ReactorEvent } from '@nimo/projections';
import { eventually } from '@nimo/testing';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newSpace } from '../../../../../test/community.js';
import { isDone } from '../../../../../test/erasure.js';
import { newParticipants } from '../../../../../test/participant.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import { PostWords } from './post-words.js';
import { RemovedSpaceReactor } from './removed-space.reactor.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});

const KILLED = new Error('killed');

/** The reactor of a process that is killed after some commands. */
function reactorKilledAfter(count: number): RemovedSpaceReactor {
  const runner = app.api.get(CommandRunner, { strict: false });
  let done = 0;
  const commands = {
    run: (...command: Parameters<CommandRunner['run']>) => {
      if (done++ >= count) throw KILLED;
      return runner.run(...command);
    },
  } as unknown as CommandRunner;
  const store = app.api.get<EventStore>(EVENT_STORE, { strict: false });
  const waiter = app.api.get(ProjectionWaiter, { strict: false });
  return new RemovedSpaceReactor(app.pool, new PostWords(app.pool, store, commands, waiter));
}

const removalOf = (spaceId: string) =>
  ({ type: 'SpaceRemoved', data: { spaceId, name: 'Alumni' } }) as ReactorEvent<'SpaceRemoved'>;

async function erasedIn(spaceId: string): Promise<number> {
  const { rows } = await app.pool.query<{ n: number }>(
    `select count(*)::int as n from log.events where type like '%WordsErased' and data ->> 'spaceId' = $1`,
    [spaceId],
  );
  return rows[0]?.n ?? 0;
}

describe('the words of a deleted space', () => {
  it('are erased once per post, even if the process is killed half-way', async () => {
    const { community, people } = await newParticipants(app, 2);
    const { spaceId } = community;
    const [ada, bob] = people;
    const [question, removed] = [await ada.ask(), await ada.ask()];
    const answer = await bob.answer(question);
    await ada.commentOnAnswer(answer);
    await bob.commentOnQuestion(question);
    await ada.perform(`deleteQuestionById(id: "${removed}") { _id }`);
    const handle = (reactor: RemovedSpaceReactor) =>
      eventually(() =>
        isDone(reactor.handle(removalOf(spaceId), randomUUID(), new AbortController().signal)),
      );
    await expect(handle(reactorKilledAfter(2))).rejects.toBe(KILLED);
    expect(await erasedIn(spaceId)).toBe(2);
    await handle(reactorKilledAfter(Infinity));
    expect(await erasedIn(spaceId)).toBe(5);
    await handle(reactorKilledAfter(Infinity));
    expect(await erasedIn(spaceId)).toBe(5);
    const { rows } = await app.pool.query(
      `select question_id as id from read.questions where space_id = $1 and (title || body || excerpt) <> ''
       union all select answer_id from read.answers where space_id = $1 and body <> ''
       union all select comment_id from read.comments where space_id = $1 and body <> ''`,
      [spaceId],
    );
    expect(rows).toEqual([]);
  });

  it('leave with the invitations and the links of guardians, and those of other spaces stay', async () => {
    const [spaceId, other] = [await newSpace(app), await newSpace(app)];
    for (const id of [spaceId, other]) {
      await app.pool.query(`insert into state.invitation (id, space_id, kind) values ($1, $2, 'LINK')`, [
        randomUUID(),
        id,
      ]);
      await app.pool.query(
        'insert into state.guardian_link (id, space_id, student_id, token_hash) values ($1, $2, $3, $4)',
        [randomUUID(), id, randomUUID(), randomUUID()],
      );
    }
    await reactorKilledAfter(0).handle(removalOf(spaceId), randomUUID(), new AbortController().signal);
    for (const table of ['invitation', 'guardian_link']) {
      const { rows } = await app.pool.query(
        `select space_id from state.${table} where space_id = any($1::text[])`,
        [[spaceId, other]],
      );
      expect([table, rows]).toEqual([table, [{ space_id: other }]]);
    }
  });
});
