import {
  answerStream,
  bookmarkStream,
  commentStream,
  membershipStream,
  questionStream,
  topicSlug,
  topicStream,
  voteStream,
} from '@nimo/domain';
import {
  type Append,
  type AppendOutcome,
  type EventStore,
  newClient,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type SubscribeOptions,
} from '@nimo/event-store';
import { AsyncLocalStorage } from 'node:async_hooks';
import { listGenerations } from '@nimo/projection-engine';
import { projections } from '@nimo/projections';
import pg from 'pg';
import type { ImportIds } from './import-ids.js';
import type { Planned } from './staging.js';
import type { Runtime } from '../../platform/runtime/runtime.js';
import { connectionName } from '../../platform/database/open-database.js';
import { isRemoved } from './import-people.js';
import { ImportError } from './dump-row.js';

const AT_ONCE = 500;

interface Trace {
  readonly streamId: string;
  /** Id of the command that wrote it, where other commands write into the same stream first. */
  readonly commandId?: string;
}

/** Each part of the plan with whether an earlier run of this import brought it in, by what the log says. */
export async function* alreadyThere(
  plan: AsyncIterable<Planned>,
  { store, ids, spaceId }: { readonly store: EventStore; readonly ids: ImportIds; readonly spaceId: string },
): AsyncGenerator<readonly [planned: Planned, isThere: boolean]> {
  let page: (readonly [Planned, Trace])[] = [];
  const looked = async (): Promise<(readonly [Planned, boolean])[]> => {
    const streams = await store.readStreams([...new Set(page.map(([, { streamId }]) => streamId))]);
    return page.map(([planned, { streamId, commandId }]) => {
      const events = streams.get(streamId) ?? [];
      const isThere =
        commandId === undefined
          ? events.length > 0
          : events.some(({ metadata }) => metadata['commandId'] === commandId);
      return [planned, isThere];
    });
  };
  for await (const planned of plan) {
    page.push([planned, traceOf(planned, ids, spaceId)]);
    if (page.length < AT_ONCE) continue;
    yield* await looked();
    page = [];
  }
  yield* await looked();
}

function traceOf(planned: Planned, ids: ImportIds, spaceId: string): Trace {
  const { kind, author, voter, question, post, postKind } = planned;
  const id = planned.id ?? 0;
  const postId = (): string => (postKind === 'question' ? ids.question(post ?? 0) : ids.answer(post ?? 0));
  switch (kind) {
    case 'topic':
      return { streamId: topicStream(ids.created('subject', 'subject'), topicSlug(author ?? '')) };
    case 'person':
      return { streamId: membershipStream(spaceId, ids.student(author ?? '')) };
    case 'stand-in':
      return { streamId: membershipStream(spaceId, ids.standIn(voter ?? 0)) };
    case 'question':
      return { streamId: questionStream(ids.question(id)) };
    case 'answer':
      return { streamId: answerStream(ids.answer(id)) };
    case 'comment':
      return { streamId: commentStream(ids.comment(id)) };
    case 'up':
    case 'down':
      return { streamId: voteStream(postId(), ids.standIn(voter ?? 0)) };
    case 'bookmark':
      return { streamId: bookmarkStream(ids.question(post ?? 0), ids.student(author ?? '')) };
    case 'accept':
      return {
        streamId: questionStream(ids.question(question ?? 0)),
        commandId: ids.command(`accept:${question}`),
      };
  }
}

interface Turn {
  readonly before: Promise<void>;
  hasPassed: boolean;
  pass(): void;
}

/**
 * Lets many commands load and decide at once while the log still gets their events in the order in which the commands were given:
 * a command's first append waits until all earlier ones have made theirs or turned out to have none.
 */
export class AppendOrder {
  private readonly turns = new AsyncLocalStorage<Turn>();
  private last: Promise<void> = Promise.resolve();
  private isClosed = false;

  /** Runs a command as the next in order. */
  async next<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = this.last;
    let pass: () => void = () => undefined;
    const own = new Promise<void>((resolve) => (pass = resolve));
    const turn: Turn = {
      before,
      hasPassed: false,
      pass: () => {
        turn.hasPassed = true;
        pass();
      },
    };
    this.last = before.then(() => own);
    try {
      return await this.turns.run(turn, work);
    } finally {
      turn.pass();
    }
  }

  /** After a failure nothing that comes later may be written, or the order would have a hole. */
  close(): void {
    this.isClosed = true;
  }

  /** @param isQueued the log keeps the order in which appends are handed over; otherwise each is waited for */
  arrange(log: EventStore, isQueued: boolean): EventStore {
    return new OrderedLog(log, async (write) => {
      const turn = this.turns.getStore();
      if (!turn || turn.hasPassed) return write();
      await turn.before;
      if (this.isClosed) throw new Error('the import was stopped by an earlier failure');
      const written = write();
      if (!isQueued) await written;
      turn.pass();
      return written;
    });
  }
}

type Write = () => Promise<AppendOutcome[]>;

class OrderedLog implements EventStore {
  constructor(
    private readonly log: EventStore,
    private readonly inTurn: (write: Write) => Promise<AppendOutcome[]>,
  ) {}

  append(appends: readonly Append[]): Promise<AppendOutcome[]> {
    return this.inTurn(() => this.log.append(appends));
  }

  readStream(streamId: string, options?: ReadStreamOptions): Promise<RecordedEvent[]> {
    return this.log.readStream(streamId, options);
  }

  readStreams(
    ...given: Parameters<EventStore['readStreams']>
  ): Promise<ReadonlyMap<string, RecordedEvent[]>> {
    return this.log.readStreams(...given);
  }

  readAll(options: ReadAllOptions): Promise<RecordedEvent[]> {
    return this.log.readAll(options);
  }

  subscribe(options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]> {
    return this.log.subscribe(options);
  }

  head(): Promise<Position | undefined> {
    return this.log.head();
  }

  countAfter(after: Position | undefined, atMost: number): Promise<number> {
    return this.log.countAfter(after, atMost);
  }

  close(): Promise<void> {
    return this.log.close();
  }
}

/** Until the screens show it all, whichever process brings the read side on. Nobody waits for a projection that is stopped. */
export async function follow(
  { pool, store, waiter }: Runtime,
  signal: AbortSignal,
  onFollowing: () => void,
): Promise<void> {
  const head = await store.head();
  if (head === undefined) return;
  onFollowing();
  let isStale = true;
  while (isStale && !signal.aborted) {
    const generations = await listGenerations(
      pool,
      projections.map(({ name }) => name),
    );
    const led = generations.filter(({ status, error }) => status === 'live' && error === null);
    ({ stale: isStale } = await waiter.waitFor(
      led.map(({ name }) => name),
      head,
    ));
  }
}

const MAX_WAIT_MS = 10_000;
/** PostgreSQL's lock_not_available. */
const TIMED_OUT = '55P03';
const IN_USE = 'This import is running, or is being removed. Try again when that has ended.';

/**
 * Works on an import while nothing else does, in whatever process. The lock belongs to a session, so it ends with the process however that
 * ends.
 *
 * @throws ImportError where another holds the lock and does not end soon
 */
export async function withImportLock<Result>(
  { settings }: Pick<Runtime, 'settings'>,
  spaceId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = newClient({
    connectionString: settings.databaseDirectUrl ?? settings.databaseUrl,
    application_name: connectionName('cli', 'import lock'),
    keepAlive: true,
    lock_timeout: MAX_WAIT_MS,
  });
  await client.connect();
  try {
    await lock(client, spaceId);
    return await work();
  } finally {
    await client.end();
  }
}

/** @throws ImportError also where the import was removed before the lock was free */
export const importLocked = <Result>(
  runtime: Pick<Runtime, 'settings' | 'store'>,
  spaceId: string,
  work: () => Promise<Result>,
): Promise<Result> =>
  withImportLock(runtime, spaceId, async () => {
    if (await isRemoved(runtime.store, spaceId)) throw new ImportError(IN_USE);
    return work();
  });

async function lock(client: pg.Client, spaceId: string): Promise<void> {
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [`nimo import ${spaceId}`]);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === TIMED_OUT) throw new ImportError(IN_USE);
    throw error;
  }
}
