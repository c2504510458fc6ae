import { setTimeout as delay } from 'node:timers/promises';
import type { EventStore, Position, RecordedEvent } from '@nimo/event-store';
import type pg from 'pg';
import type { Logger } from '../logging/logger.js';

const PAUSE_AFTER_FAULT_MS = 1_000;
const BATCH = 500;

/** Answers events with effects. At least once and maybe in two workers at a time, so what it does can be done again. */
export interface Reactor {
  readonly name: string;
  react(events: readonly RecordedEvent[]): Promise<void>;
}

/** Follows the log from the reactor's own checkpoint until the signal aborts. A reactor is never rebuilt: a new one starts at the beginning. */
export class ReactorRunner {
  constructor(
    private readonly pool: pg.Pool,
    private readonly store: EventStore,
    private readonly logger: Logger,
  ) {}

  async run(reactor: Reactor, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.follow(reactor, signal);
      } catch (err) {
        if (signal.aborted) return;
        this.logger.error({ err, reactor: reactor.name }, 'a reactor failed and tries again');
        await delay(PAUSE_AFTER_FAULT_MS, undefined, { ref: false });
      }
    }
  }

  private async follow(reactor: Reactor, signal: AbortSignal): Promise<void> {
    const after = await this.checkpointOf(reactor.name);
    const options = { batchSize: BATCH, signal, ...(after !== undefined && { after }) };
    for await (const batch of this.store.subscribe(options)) {
      await reactor.react(batch);
      const last = batch.at(-1);
      if (last) await this.save(reactor.name, last.position);
    }
  }

  private async checkpointOf(name: string): Promise<Position | undefined> {
    const { rows } = await this.pool.query<{ position: Position | null }>(
      'select position from state.reactors where name = $1',
      [name],
    );
    return rows[0]?.position ?? undefined;
  }

  private async save(name: string, position: Position): Promise<void> {
    await this.pool.query(
      `insert into state.reactors (name, position) values ($1, $2)
       on conflict (name) do update set position = excluded.position, updated_at = now()
       where state.reactors.position is null or state.reactors.position < excluded.position`,
      [name, position],
    );
  }
}
