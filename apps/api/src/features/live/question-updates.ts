import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { RecordedEvent } from '@nimo/event-store';
import { ProjectionWaiter } from '@nimo/projection-engine';
import { listPublicQuestions, mayFollowQuestion, type Reader } from '@nimo/projections';
import DataLoader from 'dataloader';
import { Pool } from 'pg';
import { LiveTopics } from './live-topics.js';
import { LogFollower } from './log-follower.js';

export interface QuestionUpdate {
  readonly questionId: string;
  /** Increases with every update; not a log position. */
  readonly sequence: number;
  /** Deprecated name of `sequence`. */
  readonly ordinal: number;
}

export interface LiveQuestion {
  readonly questionUpdated: QuestionUpdate;
  /** Checked at each signal, because access may end during a subscription. */
  readonly mayFollow: (reader: Reader) => boolean | Promise<boolean>;
}

/** Events without a signal. Reports are among them so that a live page does not reveal when a post was reported. */
const IGNORED_EVENTS = new Set([
  'PostReported',
  'ReportsDismissed',
  'ReportsHandedOver',
  'QuestionSaved',
  'QuestionUnsaved',
]);

const VOTE_EVENTS = new Set(['VoteCast', 'VoteWithdrawn']);
/** Votes are signalled in batches at multiples of this clock interval, to hide when each was cast. */
export const VOTE_TICK_MS = 5_000;

/** Signals changes of a question to its readers once the projections show them. */
@Injectable()
export class QuestionUpdates implements OnModuleDestroy {
  private readonly votedOn = new Set<string>();
  private tick: NodeJS.Timeout | undefined;
  private readonly questions = new LiveTopics<LiveQuestion>((isActive) => this.log.setActive(this, isActive));
  private sequence = Date.now();

  constructor(
    private readonly pool: Pool,
    private readonly log: LogFollower,
    private readonly waiter: ProjectionWaiter,
  ) {}

  /** No change is missed once this resolves. */
  async subscribe(questionId: string): Promise<AsyncIterableIterator<LiveQuestion>> {
    const updates = this.questions.subscribe(questionId);
    await this.log.whenStarted();
    return updates;
  }

  async read(batch: readonly RecordedEvent[]): Promise<void> {
    const last = batch.at(-1);
    const voted = this.followedIn(batch.filter(({ type }) => VOTE_EVENTS.has(type)));
    const changed = this.followedIn(batch.filter(({ type }) => !VOTE_EVENTS.has(type)));
    if (!last || changed.size + voted.size === 0) return;
    await this.waiter.waitFor(['questions'], last.position);
    voted.forEach((questionId) => this.votedOn.add(questionId));
    if (voted.size > 0)
      this.tick ??= setTimeout(
        // Database errors are already handled in `publish`.
        () => {
          this.publishVotes().catch(() => undefined);
        },
        // Timers can fire a millisecond early, which would allow two signals in one tick.
        VOTE_TICK_MS - (Date.now() % VOTE_TICK_MS) + 2,
      );
    await this.publish(changed);
  }

  onModuleDestroy(): void {
    clearTimeout(this.tick);
  }

  private async publishVotes(): Promise<void> {
    this.tick = undefined;
    const voted = [...this.votedOn];
    this.votedOn.clear();
    await this.publish(voted);
  }

  onGap(): void {
    void this.publish(this.questions.activeTopics);
  }

  /** Public questions need no access check per listener. */
  private async publish(questionIds: Iterable<string>): Promise<void> {
    const ids = [...questionIds];
    if (ids.length === 0) return;
    // Without the database, treat every question as private.
    const publicIds = await listPublicQuestions(this.pool, ids).catch(() => new Set<string>());
    for (const questionId of ids) {
      const sequence = ++this.sequence;
      const questionUpdated = { questionId, sequence, ordinal: sequence };
      const mayFollow = publicIds.has(questionId) ? () => true : this.batchedAccessCheck(questionId);
      this.questions.publish(questionId, { questionUpdated, mayFollow });
    }
  }

  /** One query for all listeners of the question. */
  private batchedAccessCheck(questionId: string): LiveQuestion['mayFollow'] {
    const loader = new DataLoader<Reader, boolean, string>(
      (readers) => mayFollowQuestion(this.pool, questionId, readers),
      { cacheKeyFn: (reader) => JSON.stringify(reader) },
    );
    return (reader) => loader.load(reader);
  }

  private followedIn(batch: readonly RecordedEvent[]): ReadonlySet<string> {
    const ids = batch.filter(({ type }) => !IGNORED_EVENTS.has(type)).map(({ data }) => data['questionId']);
    return new Set(ids.filter((id): id is string => typeof id === 'string' && this.questions.has(id)));
  }
}
