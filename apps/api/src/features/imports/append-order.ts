import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  Append,
  AppendOutcome,
  EventStore,
  Position,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
  SubscribeOptions,
} from '@nimo/event-store';

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
  readonly #turns = new AsyncLocalStorage<Turn>();
  #last: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** Runs a command as the next in order. */
  async next<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = this.#last;
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
    this.#last = before.then(() => own);
    try {
      return await this.#turns.run(turn, work);
    } finally {
      turn.pass();
    }
  }

  /** After a failure nothing that comes later may be written, or the order would have a hole. */
  close(): void {
    this.#isClosed = true;
  }

  /** @param isQueued the log keeps the order in which appends are handed over; otherwise each is waited for */
  arrange(log: EventStore, isQueued: boolean): EventStore {
    return new OrderedLog(log, async (write) => {
      const turn = this.#turns.getStore();
      if (!turn || turn.hasPassed) return write();
      await turn.before;
      if (this.#isClosed) throw new Error('the import was stopped by an earlier failure');
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
