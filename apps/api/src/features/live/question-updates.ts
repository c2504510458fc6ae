import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { RecordedEvent } from '@nimo/event-store';
import { ProjectionWaiter } from '@nimo/projection-engine';
import { LiveTopics } from './live-topics.js';
import { LogFollower } from './log-follower.js';

export interface QuestionUpdate {
  readonly questionId: string;
  /** Rises from update to update; says nothing else. */
  readonly ordinal: number;
}

export interface LiveQuestion {
  readonly questionUpdated: QuestionUpdate;
}

/** Reports are left out: a live page must not tell when a post was reported. */
const SILENT = new Set([
  'PostReported',
  'ReportsDismissed',
  'ReportsHandedOver',
  'QuestionSaved',
  'QuestionUnsaved',
]);

const VOTES = new Set(['VoteCast', 'VoteWithdrawn']);
/** Votes are told at whole multiples of this on the clock, however many there were: the signal of one is not its moment. */
export const VOTE_TICK_MS = 5_000;

/** Tells the readers of an open question that it changed, once the read side can show it. */
@Injectable()
export class QuestionUpdates implements OnModuleDestroy {
  private readonly votedOn = new Set<string>();
  private tick: NodeJS.Timeout | undefined;
  private readonly questions = new LiveTopics<LiveQuestion>((isUsed) => this.log.use(this, isUsed));
  private ordinal = Date.now();

  constructor(
    private readonly log: LogFollower,
    private readonly waiter: ProjectionWaiter,
  ) {}

  /** Every change of the question from now on, until the iterator is returned. */
  of(questionId: string): AsyncIterableIterator<LiveQuestion> {
    return this.questions.of(questionId);
  }

  async read(batch: readonly RecordedEvent[]): Promise<void> {
    const last = batch.at(-1);
    const voted = this.changedIn(batch.filter(({ type }) => VOTES.has(type)));
    const changed = this.changedIn(batch.filter(({ type }) => !VOTES.has(type)));
    if (!last || changed.size + voted.size === 0) return;
    await this.waiter.waitFor(['questions'], last.position);
    voted.forEach((questionId) => this.votedOn.add(questionId));
    if (voted.size > 0)
      this.tick ??= setTimeout(() => this.tellVotes(), VOTE_TICK_MS - (Date.now() % VOTE_TICK_MS));
    this.tell(changed);
  }

  onModuleDestroy(): void {
    clearTimeout(this.tick);
  }

  private tellVotes(): void {
    this.tick = undefined;
    this.tell(this.votedOn);
    this.votedOn.clear();
  }

  missed(): void {
    this.tell(this.questions.all);
  }

  private tell(questionIds: Iterable<string>): void {
    for (const questionId of questionIds) {
      this.questions.tell(questionId, { questionUpdated: { questionId, ordinal: ++this.ordinal } });
    }
  }

  private changedIn(batch: readonly RecordedEvent[]): ReadonlySet<string> {
    const ids = batch.filter(({ type }) => !SILENT.has(type)).map(({ data }) => data['questionId']);
    return new Set(ids.filter((id): id is string => typeof id === 'string' && this.questions.has(id)));
  }
}
