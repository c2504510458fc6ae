import { Injectable } from '@nestjs/common';
import { PostgresSearch, type PostHit, type PostSearch, type QuestionSearch } from '@nimo/projections';
import { Pool } from 'pg';

export interface Found<Hit> {
  readonly hits: readonly Hit[];
  /** The configured engine is away, and the embedded one answered. */
  readonly degraded: boolean;
}

@Injectable()
export class Search {
  private readonly embedded: PostgresSearch;

  constructor(pool: Pool) {
    this.embedded = new PostgresSearch(pool);
  }

  async findQuestions(search: QuestionSearch): Promise<Found<PostHit>> {
    if (search.text.trim() === '') return { hits: [], degraded: false };
    return { hits: await this.embedded.findQuestions(search), degraded: false };
  }

  async findAnswers(search: PostSearch): Promise<Found<PostHit>> {
    if (search.text.trim() === '') return { hits: [], degraded: false };
    return { hits: await this.embedded.findAnswers(search), degraded: false };
  }
}
