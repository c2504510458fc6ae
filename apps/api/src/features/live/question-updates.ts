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
  /** Rises from update to update; says nothing else. */
  readonly sequence: number;
  /** The same, under its former name. */
  readonly ordinal: number;
}

export interface LiveQuestion {
  readonly questionUpdated: QuestionUpdate;
  /** Asked at each signal: who may read when it begins may not any more when it comes. */
  readonly mayFollow: (reader: Reader) => boolean | Promise<boolean>;
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
  private sequence = Date.now();

  constructor(
    private readonly pool: Pool,
    private readonly log: LogFollower,
    private readonly waiter: ProjectionWaiter,
  ) {}

  /** Every change of the question from when this settles on, until the iterator is returned. */
  async of(questionId: string): Promise<AsyncIterableIterator<LiveQuestion>> {
    const told = this.questions.of(questionId);
    await this.log.hasBegun();
    return told;
  }

  async read(batch: readonly RecordedEvent[]): Promise<void> {
    const last = batch.at(-1);
    const voted = this.changedIn(batch.filter(({ type }) => VOTES.has(type)));
    const changed = this.changedIn(batch.filter(({ type }) => !VOTES.has(type)));
    if (!last || changed.size + voted.size === 0) return;
    await this.waiter.waitFor(['questions'], last.position);
    voted.forEach((questionId) => this.votedOn.add(questionId));
    if (voted.size > 0)
      this.tick ??= setTimeout(
        // A database that is away was taken for no public question already.
        () => {
          this.tellVotes().catch(() => undefined);
        },
        // A timer may be a millisecond early, and the next vote would be told in the same tick.
        VOTE_TICK_MS - (Date.now() % VOTE_TICK_MS) + 2,
      );
    await this.tell(changed);
  }

  onModuleDestroy(): void {
    clearTimeout(this.tick);
  }

  private async tellVotes(): Promise<void> {
    this.tick = undefined;
    const voted = [...this.votedOn];
    this.votedOn.clear();
    await this.tell(voted);
  }

  missed(): void {
    void this.tell(this.questions.all);
  }

  /** Once for all who listen, where that can be said. */
  private async tell(questionIds: Iterable<string>): Promise<void> {
    const ids = [...questionIds];
    if (ids.length === 0) return;
    // Where the database is away, nothing passes for public.
    const open = await listPublicQuestions(this.pool, ids).catch(() => new Set<string>());
    for (const questionId of ids) {
      const sequence = ++this.sequence;
      const questionUpdated = { questionId, sequence, ordinal: sequence };
      const mayFollow = open.has(questionId) ? () => true : this.askingOnce(questionId);
      this.questions.tell(questionId, { questionUpdated, mayFollow });
    }
  }

  /** In one query for all who listen to the question, however many tabs they have. */
  private askingOnce(questionId: string): LiveQuestion['mayFollow'] {
    const loader = new DataLoader<Reader, boolean, string>(
      (readers) => mayFollowQuestion(this.pool, questionId, readers),
      { cacheKeyFn: (reader) => JSON.stringify(reader) },
    );
    return (reader) => loader.load(reader);
  }

  private changedIn(batch: readonly RecordedEvent[]): ReadonlySet<string> {
    const ids = batch.filter(({ type }) => !SILENT.has(type)).map(({ data }) => data['questionId']);
    return new Set(ids.filter((id): id is string => typeof id === 'string' && this.questions.has(id)));
  }
}
