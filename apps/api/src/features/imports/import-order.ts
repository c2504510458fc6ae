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

const PAGE_SIZE = 500;

interface Evidence {
  readonly streamId: string;
  /** ID of the command, for streams that other commands write to first. */
  readonly commandId?: string;
}

/** Pairs each planned item with whether the log already has it from an earlier run of this import. */
export async function* withPresence(
  plan: AsyncIterable<Planned>,
  { store, ids, spaceId }: { readonly store: EventStore; readonly ids: ImportIds; readonly spaceId: string },
): AsyncGenerator<readonly [planned: Planned, isImported: boolean]> {
  let page: (readonly [Planned, Evidence])[] = [];
  const comparePage = async (): Promise<(readonly [Planned, boolean])[]> => {
    const streams = await store.readStreams([...new Set(page.map(([, { streamId }]) => streamId))]);
    return page.map(([planned, { streamId, commandId }]) => {
      const events = streams.get(streamId) ?? [];
      const isImported =
        commandId === undefined
          ? events.length > 0
          : events.some(({ metadata }) => metadata['commandId'] === commandId);
      return [planned, isImported];
    });
  };
  for await (const planned of plan) {
    page.push([planned, evidenceOf(planned, ids, spaceId)]);
    if (page.length < PAGE_SIZE) continue;
    yield* await comparePage();
    page = [];
  }
  yield* await comparePage();
}

function evidenceOf(planned: Planned, ids: ImportIds, spaceId: string): Evidence {
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

interface Slot {
  readonly before: Promise<void>;
  isReleased: boolean;
  release(): void;
}

/**
 * Runs commands concurrently but appends their events in the order of the commands: the first append of a command waits until all
 * earlier commands have appended or finished without events.
 */
export class AppendOrder {
  private readonly slots = new AsyncLocalStorage<Slot>();
  private last: Promise<void> = Promise.resolve();
  private isClosed = false;

  /** Runs a command as the next in order. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = this.last;
    let pass: () => void = () => undefined;
    const slotReleased = new Promise<void>((resolve) => (pass = resolve));
    const slot: Slot = {
      before,
      isReleased: false,
      release: () => {
        slot.isReleased = true;
        pass();
      },
    };
    this.last = before.then(() => slotReleased);
    try {
      return await this.slots.run(slot, work);
    } finally {
      slot.release();
    }
  }

  /** Refuses further appends, so that a failure leaves no gap in the order. */
  close(): void {
    this.isClosed = true;
  }

  /** @param isQueued whether the log preserves the order of calls; if not, each append is awaited */
  wrap(log: EventStore, isQueued: boolean): EventStore {
    return new OrderedLog(log, async (write) => {
      const slot = this.slots.getStore();
      if (!slot || slot.isReleased) return write();
      await slot.before;
      if (this.isClosed) throw new Error('the import was stopped by an earlier failure');
      const written = write();
      if (!isQueued) await written;
      slot.release();
      return written;
    });
  }
}

type Write = () => Promise<AppendOutcome[]>;

class OrderedLog implements EventStore {
  constructor(
    private readonly log: EventStore,
    private readonly inOrder: (write: Write) => Promise<AppendOutcome[]>,
  ) {}

  append(appends: readonly Append[]): Promise<AppendOutcome[]> {
    return this.inOrder(() => this.log.append(appends));
  }

  readStream(streamId: string, options?: ReadStreamOptions): Promise<RecordedEvent[]> {
    return this.log.readStream(streamId, options);
  }

  readStreams(...args: Parameters<EventStore['readStreams']>): Promise<ReadonlyMap<string, RecordedEvent[]>> {
    return this.log.readStreams(...args);
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

/** Waits until all projections except stopped ones have caught up, in whichever process they run. */
export async function waitForProjections(
  { pool, store, waiter }: Runtime,
  signal: AbortSignal,
  onWaiting: () => void,
): Promise<void> {
  const head = await store.head();
  if (head === undefined) return;
  onWaiting();
  let isStale = true;
  while (isStale && !signal.aborted) {
    const generations = await listGenerations(
      pool,
      projections.map(({ name }) => name),
    );
    const live = generations.filter(({ status, error }) => status === 'live' && error === null);
    ({ stale: isStale } = await waiter.waitFor(
      live.map(({ name }) => name),
      head,
    ));
  }
}

const LOCK_TIMEOUT_MS = 10_000;
/** SQLSTATE lock_not_available. */
const LOCK_NOT_AVAILABLE = '55P03';
const IN_USE = 'This import is running or being removed. Try again once that has finished.';

/**
 * Runs `work` while holding the lock of the import, shared by all processes. It is a session-level advisory lock, so a crashed process releases it.
 *
 * @throws ImportError if the lock is still held after 10 seconds
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
    lock_timeout: LOCK_TIMEOUT_MS,
  });
  await client.connect();
  try {
    await lock(client, spaceId);
    return await work();
  } finally {
    await client.end();
  }
}

/** @throws ImportError also if the import was removed while waiting for the lock */
export const withLiveImportLock = <Result>(
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
    if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) throw new ImportError(IN_USE);
    throw error;
  }
}
