import { Inject, Injectable } from '@nestjs/common';
import {
  aggregate,
  answerDecider,
  commentDecider,
  eraseAnswerWords,
  eraseCommentWords,
  eraseQuestionWords,
  questionDecider,
} from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import { ProjectionWaiter } from '@nimo/projection-engine';
import { Pool } from 'pg';
import { systemContext } from '../../platform/commands/command-context.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { EVENT_STORE } from '../../platform/config/tokens.js';

/** The erasure cannot proceed yet and is retried later. */
export class RetryLaterError extends Error {
  override readonly name = 'RetryLaterError';
}

/** All posts of a student or of a space. */
export interface PostOwner {
  readonly column: 'author_id' | 'space_id';
  readonly id: string;
}

interface Post {
  readonly kind: 'question' | 'answer' | 'comment';
  readonly id: string;
}

const TIMEOUT_MS = 10_000;
const PAGE_SIZE = 500;

const postsSql = ({ column }: PostOwner, withWordsOnly: boolean): string => {
  const where = (text: string): string => `${column} = $1${withWordsOnly ? ` and ${text} <> ''` : ''}`;
  return `select 'question' as kind, question_id as id from read.questions where ${where('title')}
    union all select 'answer', answer_id from read.answers where ${where('body')}
    union all select 'comment', comment_id from read.comments where ${where('body')}`;
};

/** Erases the words of posts by events, so that a rebuild erases them too. Idempotent, so that it can resume. */
@Injectable()
export class PostWords {
  constructor(
    private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly commands: CommandRunner,
    private readonly waiter: ProjectionWaiter,
  ) {}

  /**
   * Repeats until none is left, to catch posts that were written a moment before.
   * @throws RetryLaterError if the read model is behind the log
   */
  async eraseAll(owner: PostOwner, signal?: AbortSignal): Promise<void> {
    for (;;) {
      await this.waitForProjections(['questions']);
      const { rows } = await this.pool.query<Post>(`${postsSql(owner, true)} limit ${PAGE_SIZE}`, [owner.id]);
      if (rows.length === 0) return;
      for (const post of rows) {
        signal?.throwIfAborted();
        await this.eraseWordsOf(post);
      }
    }
  }

  /** Includes posts without words. */
  async count(owner: PostOwner): Promise<number> {
    const { rows } = await this.pool.query<{ n: number }>(
      `select count(*)::int as n from (${postsSql(owner, false)}) posts`,
      [owner.id],
    );
    return rows[0]?.n ?? 0;
  }

  /** Waits until they have processed the log as it is now. @throws RetryLaterError */
  async waitForProjections(names: readonly string[]): Promise<void> {
    const head = await this.store.head();
    if (head === undefined) return;
    const { stale } = await this.waiter.waitFor([...names], head, TIMEOUT_MS);
    if (stale) throw new RetryLaterError('the projections are behind the log');
  }

  private async eraseWordsOf({ kind, id }: Post): Promise<void> {
    const context = systemContext();
    switch (kind) {
      case 'question':
        await this.commands.run(context, {
          on: aggregate(questionDecider, id),
          decide: eraseQuestionWords,
        });
        return;
      case 'answer':
        await this.commands.run(context, {
          on: aggregate(answerDecider, id),
          decide: eraseAnswerWords,
        });
        return;
      case 'comment':
        await this.commands.run(context, { on: aggregate(commentDecider, id), decide: eraseCommentWords });
        return;
    }
  }
}
