import { Injectable } from '@nestjs/common';
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

export interface Found<Hit> {
  readonly hits: readonly Hit[];
  /** The configured engine is away, and the embedded one answered. */
  readonly degraded: boolean;
}

/** The engine that is configured, and the embedded one while it is away. */
@Injectable()
export class Search {
  private readonly embedded: SearchEngine;

  constructor(pool: Pool) {
    this.embedded = new EmbeddedSearch(pool);
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
    return { hits: await query(this.embedded), degraded: false };
  }
}
