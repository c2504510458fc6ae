import { Inject, Injectable } from '@nestjs/common';
import {
  EmbeddedSearch,
  type NameSearch,
  type PostHit,
  type PostSearch,
  type QuestionSearch,
  type SearchEngine,
  type TopicNameSearch,
} from '@nimo/projections';
import { Pool } from 'pg';
import type { Logger } from '../../platform/logging/logger.js';
import { CLOCK, type Clock, LOGGER } from '../../platform/runtime/tokens.js';
import { CONFIGURED_ENGINE } from './configured-engine.js';

export interface Found<Hit> {
  readonly hits: readonly Hit[];
  /** The configured engine is away, and the embedded one answered. */
  readonly degraded: boolean;
}

/** An engine that is away is asked again after that long, by one search; the others do not wait for it. */
const ASK_AGAIN_MS = 3_000;

/** The engine that is configured, and the embedded one while it is away. */
@Injectable()
export class Search {
  private readonly embedded: EmbeddedSearch;
  /** When the engine that is away is asked again. */
  private askAgainAt: number | undefined;

  constructor(
    pool: Pool,
    @Inject(CONFIGURED_ENGINE) private readonly configured: SearchEngine | undefined,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.embedded = new EmbeddedSearch(pool);
  }

  /** Brings what changed since the last call into the embedded engine's memory; what only stands in for another takes none. */
  async warmUp(signal: AbortSignal): Promise<void> {
    if (!this.configured) await this.embedded.warmUp(signal);
  }

  findQuestions(search: QuestionSearch): Promise<Found<PostHit>> {
    return this.ask(search, (engine) => engine.findQuestions(search));
  }

  findAnswers(search: PostSearch): Promise<Found<PostHit>> {
    return this.ask(search, (engine) => engine.findAnswers(search));
  }

  findTopics(search: TopicNameSearch): Promise<Found<string>> {
    return this.ask(search, (engine) => engine.findTopics(search));
  }

  findPeople(search: NameSearch): Promise<Found<string>> {
    return this.ask(search, (engine) => engine.findPeople(search));
  }

  private async ask<Hit>(
    { text }: { readonly text: string },
    query: (engine: SearchEngine) => Promise<readonly Hit[]>,
  ): Promise<Found<Hit>> {
    if (text.trim() === '') return { hits: [], degraded: false };
    const hits = await this.askConfigured(query);
    if (hits) return { hits, degraded: false };
    return { hits: await query(this.embedded), degraded: this.configured !== undefined };
  }

  private async askConfigured<Hit>(
    query: (engine: SearchEngine) => Promise<readonly Hit[]>,
  ): Promise<readonly Hit[] | undefined> {
    if (!this.configured || !this.isDue()) return undefined;
    try {
      const hits = await query(this.configured);
      if (this.askAgainAt !== undefined) this.logger.info('the search engine is back');
      this.askAgainAt = undefined;
      return hits;
    } catch (err) {
      if (this.askAgainAt === undefined)
        this.logger.warn({ err }, 'the search engine is away: the embedded one answers');
      this.askAgainAt = this.now() + ASK_AGAIN_MS;
      return undefined;
    }
  }

  private isDue(): boolean {
    if (this.askAgainAt === undefined) return true;
    if (this.now() < this.askAgainAt) return false;
    this.askAgainAt = this.now() + ASK_AGAIN_MS;
    return true;
  }

  private now(): number {
    return this.clock().getTime();
  }
}
