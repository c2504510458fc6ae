import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  hasSearchDocuments,
  type NameSearch,
  type PostHit,
  type PostSearch,
  type QuestionSearch,
  type SearchEngine,
  ThreadedSearch,
  type TopicNameSearch,
} from '@nimo/projections';
import { Pool } from 'pg';
import type { Settings } from '../../platform/config/load-settings.js';
import { connectionName } from '../../platform/database/open-database.js';
import type { Logger } from '../../platform/logging/logger.js';
import { ExpensiveWork } from '../../platform/runtime/expensive-work.js';
import { CLOCK, type Clock, LOGGER, SETTINGS } from '../../platform/runtime/tokens.js';
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
export class Search implements OnApplicationShutdown {
  private readonly embedded: ThreadedSearch;
  /** When the engine that is away is asked again. */
  private askAgainAt: number | undefined;

  constructor(
    private readonly pool: Pool,
    @Inject(SETTINGS) { databaseUrl = '' }: Settings,
    @Inject(CONFIGURED_ENGINE) private readonly configured: SearchEngine | undefined,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly work: ExpensiveWork,
  ) {
    this.embedded = new ThreadedSearch({
      url: databaseUrl,
      name: connectionName('api', 'search'),
      onLost: (err) => logger.error({ err }, 'the search thread ended; the next search begins another one'),
    });
  }

  /**
   * Brings what changed since the last call into the embedded engine's memory. What only stands in for another engine takes none, nor does one
   * with nothing to search.
   */
  async warmUp(): Promise<void> {
    if (this.configured) return;
    if (this.embedded.isRunning || (await hasSearchDocuments(this.pool))) await this.embedded.warmUp();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.embedded.close();
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
    return this.work.run('search', async () => {
      const hits = await this.askConfigured(query);
      if (hits) return { hits, degraded: false };
      return { hits: await query(this.embedded), degraded: this.configured !== undefined };
    });
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
