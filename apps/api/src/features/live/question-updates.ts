import { Injectable } from '@nestjs/common';
import type { RecordedEvent } from '@nimo/event-store';
import { ProjectionWaiter } from '@nimo/projections';
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

/** Tells the readers of an open question that it changed, once the read side can show it. */
@Injectable()
export class QuestionUpdates {
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
    const changed = this.changedIn(batch);
    if (!last || changed.size === 0) return;
    await this.waiter.waitFor(['questions'], last.position);
    this.tell(changed);
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
