import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  aggregate,
  editQuestion,
  membershipDecider,
  questionDecider,
  spaceDecider,
  voteDecider,
  type ActingStudent,
} from '@nimo/domain';
import { PostgresEventStore, type EventStore, type JsonObject, type RecordedEvent } from '@nimo/event-store';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import type { ProjectionWaiter } from '@nimo/projection-engine';
import { createTestDatabase, type TestDatabase } from '@nimo/testing';
import type { CommandContext } from '../../platform/commands/command-context.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { IdempotencyKeys } from '../../platform/commands/idempotency-keys.js';
import { createLogger } from '../../platform/logging/logger.js';
import { Tracing } from '../../platform/operations/tracing.js';
import { ClaimHasher } from '../../platform/personal-data/key-uses.js';
import { ToggleVote, ToggleVoteHandler } from '../votes/commands/toggle-vote.js';
import { PostLocator } from './post-locator.js';

const BODY_CHARACTERS = 64_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const student = (studentId: string): ActingStudent => ({
  kind: 'student',
  studentId,
  registered: true,
  blocked: false,
  roles: [],
});

function contextOf(by: ActingStudent): CommandContext {
  const commandId = randomUUID();
  const actor = { kind: 'student', id: by.studentId } as const;
  return { by, actor, commandId, correlationId: commandId, causationId: commandId };
}

/** One API process that counts the characters its commands read: bodies, plus a flat amount per event. */
function processOn(log: EventStore) {
  const counted = { characters: 0 };
  const count = (events: readonly RecordedEvent[]): void => {
    for (const { data } of events)
      counted.characters += 200 + (typeof data['body'] === 'string' ? data['body'].length : 0);
  };
  const store: EventStore = {
    append: (appends) => log.append(appends),
    readStream: async (...args) => {
      const events = await log.readStream(...args);
      count(events);
      return events;
    },
    readStreams: async (...args) => {
      const streams = await log.readStreams(...args);
      count([...streams.values()].flat());
      return streams;
    },
    readAll: (options) => log.readAll(options),
    subscribe: (options) => log.subscribe(options),
    head: () => log.head(),
    countAfter: (after, atMost) => log.countAfter(after, atMost),
    close: () => log.close(),
  };
  const logger = createLogger({ name: 'test', level: 'silent', console: false });
  // Unused: no command here waits for projections.
  const waiter = {} as ProjectionWaiter;
  const tracing = new Tracing(
    { otelEndpoint: undefined, otelHeaders: undefined, otelRatio: 1 },
    logger,
    'test',
  );
  const keys = new IdempotencyKeys(database.pool(), new ClaimHasher(Buffer.alloc(32, 'h')));
  const runner = new CommandRunner(store, () => new Date(), waiter, tracing, keys, database.pool(), logger);
  const votes = new ToggleVoteHandler(runner, new PostLocator(store), database.pool());
  return { counted, runner, votes };
}

async function snapshotCharacters(streamId: string): Promise<number> {
  const { rows } = await database
    .pool()
    .query<{ size: number }>(
      'select length(state::text) + length(commands) as size from state.stream_snapshots where stream_id = $1',
      [streamId],
    );
  return rows[0]?.size ?? 0;
}

const stores = [
  { name: 'in memory', edits: 240, open: () => new InMemoryEventStore() },
  {
    name: 'on PostgreSQL',
    edits: 40,
    open: () => new PostgresEventStore({ pool: database.pool(), directUrl: database.url }),
  },
];

describe.each(stores)('a vote on a question edited $edits times, $name', ({ edits, open }) => {
  it('reads about as much as the first vote, even after a restart, and sees the current state', async () => {
    const log = open();
    const [questionId, spaceId, authorId] = [randomUUID(), randomUUID(), randomUUID()];
    const streamId = questionDecider.stream(questionId);
    const author = student(authorId);
    const body = (time: number) => `<p>${time} ${'x'.repeat(BODY_CHARACTERS)}</p>`;
    const begin = async (stream: string, type: string, data: JsonObject): Promise<void> => {
      const event = { id: randomUUID(), type, data, metadata: { commandId: randomUUID() } };
      await log.append([{ streamId: stream, expectedRevision: 'no-stream', events: [event] }]);
    };
    await begin(spaceDecider.stream(spaceId), 'SpaceCreated', {
      spaceId,
      ...{ name: 'Space', description: '', bannerImageUrl: null, color: '0c8599' },
      hiddenFromSearchEngines: false,
    });
    await begin(streamId, 'QuestionAsked', {
      questionId,
      spaceId,
      authorId,
      subjectId: randomUUID(),
      topicId: randomUUID(),
      title: 'Is it?',
      body: body(0),
      imageUrls: [],
      tags: [],
    });
    const newVoter = async (): Promise<ActingStudent> => {
      const studentId = randomUUID();
      await begin(membershipDecider.stream(spaceId, studentId), 'SpaceJoined', { spaceId, studentId });
      return student(studentId);
    };
    const vote = async (process: ReturnType<typeof processOn>, by: ActingStudent): Promise<number> => {
      const before = process.counted.characters;
      const voteRef = { postType: 'QUESTION', postId: questionId, direction: 'UP' } as const;
      await process.votes.execute(new ToggleVote(contextOf(by), voteRef));
      return process.counted.characters - before + (await snapshotCharacters(streamId));
    };

    const one = processOn(log);
    const firstVote = await vote(one, await newVoter());
    for (let time = 1; time <= edits; time += 1) {
      await one.runner.run(contextOf(author), {
        on: aggregate(questionDecider, questionId),
        decide: (state) => {
          if (state?.body !== body(time - 1)) throw new Error('an edit was lost');
          const command = {
            actor: author,
            isMember: true,
            removedByModerator: false,
            title: 'Is it?',
            body: body(time),
            imageUrls: [],
          };
          return editQuestion(command, state);
        },
      });
    }
    const another = processOn(log);
    // The locator of each process reads the first event of a post once.
    await vote(another, await newVoter());
    const voter = await newVoter();
    for (const process of [one, another]) expect(await vote(process, voter)).toBeLessThan(firstVote * 2.2);
    expect(await log.readStream(voteDecider.stream(questionId, voter.studentId))).toHaveLength(2);
    expect(await log.readStream(streamId)).toHaveLength(edits + 1);

    // Appended without updating the snapshot.
    const [last] = await log.readStream(streamId, { fromRevision: edits });
    const deleted = { id: randomUUID(), type: 'QuestionDeleted', metadata: { commandId: randomUUID() } };
    const data = { questionId, spaceId, authorId, moderatorId: null, reason: null };
    await log.append([{ streamId, expectedRevision: last?.revision ?? 0, events: [{ ...deleted, data }] }]);
    await expect(vote(one, await newVoter())).rejects.toMatchObject({ code: 'POST_NOT_FOUND' });
    await log.close();
  });
});
