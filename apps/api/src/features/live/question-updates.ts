import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { EventStore, RecordedEvent } from '@nimo/event-store';
import { EventEmitter, on } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ProjectionWaiter } from '@nimo/projections';
import type { Logger } from '../../platform/logging/logger.js';
import { EVENT_STORE, LOGGER } from '../../platform/runtime/tokens.js';

const RETRY_MS = 500;

export interface QuestionUpdate {
  readonly questionId: string;
  /** Rises from update to update; says nothing else. */
  readonly ordinal: number;
}

export interface LiveQuestion {
  readonly questionUpdated: QuestionUpdate;
}

/** Reports are left out: a live page must not tell when a post was reported. */
const SILENT = new Set(['PostReported', 'ReportsDismissed', 'QuestionSaved', 'QuestionUnsaved']);

/**
 * Tells the readers of an open question that it changed, once the read side can show it. Follows the log only while somebody
 * listens, so an api process without open pages reads nothing.
 */
@Injectable()
export class QuestionUpdates implements OnModuleDestroy {
  private readonly changes = new EventEmitter().setMaxListeners(0);
  private readonly listeners = new Map<string, number>();
  private following: AbortController | undefined;
  private ordinal = Date.now();

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly waiter: ProjectionWaiter,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Every change of the question from now on, until the iterator is returned. */
  of(questionId: string): AsyncIterableIterator<LiveQuestion> {
    const changes = on(this.changes, questionId) as AsyncIterableIterator<[QuestionUpdate]>;
    this.listeners.set(questionId, (this.listeners.get(questionId) ?? 0) + 1);
    this.follow();
    let isOpen = true;
    const end = async (): Promise<IteratorResult<LiveQuestion>> => {
      if (isOpen) this.leave(questionId);
      isOpen = false;
      await changes.return?.();
      return { done: true, value: undefined };
    };
    // Not a generator: one that waits for the next change could not be returned before it comes.
    return {
      async next() {
        const next = await changes.next();
        if (next.done) return { done: true, value: undefined };
        return { value: { questionUpdated: next.value[0] } };
      },
      return: end,
      throw: end,
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  onModuleDestroy(): void {
    this.following?.abort();
  }

  private follow(): void {
    if (this.following) return;
    const following = new AbortController();
    this.following = following;
    void this.keepReading(following.signal);
  }

  /** The log may be away for a while; whoever listened through that is told to read again, as something may have been missed. */
  private async keepReading(signal: AbortSignal): Promise<void> {
    const isOver = (): boolean => signal.aborted;
    for (let isAgain = false; !isOver(); isAgain = true) {
      try {
        await this.read(signal, isAgain);
      } catch (err) {
        if (!isOver()) this.logger.warn({ err }, 'following the log for live updates was disturbed');
      }
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private leave(questionId: string): void {
    const left = (this.listeners.get(questionId) ?? 1) - 1;
    if (left > 0) this.listeners.set(questionId, left);
    else this.listeners.delete(questionId);
    if (this.listeners.size > 0) return;
    this.following?.abort();
    this.following = undefined;
  }

  private async read(signal: AbortSignal, isAgain: boolean): Promise<void> {
    const after = await this.store.head();
    if (isAgain) this.tell(this.listeners.keys());
    for await (const batch of this.store.subscribe({ ...(after !== undefined && { after }), signal })) {
      const last = batch.at(-1);
      const changed = this.changedIn(batch);
      if (!last || changed.size === 0) continue;
      await this.waiter.waitFor(['questions'], last.position);
      this.tell(changed);
    }
  }

  private tell(questionIds: Iterable<string>): void {
    for (const questionId of questionIds) {
      this.changes.emit(questionId, { questionId, ordinal: ++this.ordinal } satisfies QuestionUpdate);
    }
  }

  private changedIn(batch: readonly RecordedEvent[]): ReadonlySet<string> {
    const ids = batch.filter(({ type }) => !SILENT.has(type)).map(({ data }) => data['questionId']);
    return new Set(ids.filter((id): id is string => typeof id === 'string' && this.listeners.has(id)));
  }
}
