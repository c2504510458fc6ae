import { Inject, Injectable } from '@nestjs/common';
import { type AsOf, ordinalReached } from '@nimo/projections';
import { Pool } from 'pg';
import { CLOCK, type Clock } from '../../platform/runtime/tokens.js';
import { type AsOfInput, asOfPoint } from './as-of.input.js';

/** What may be asked for: up to where the projection that answers has come. */
@Injectable()
export class AsOfPoints {
  constructor(
    private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  ofSpaces(asOf: AsOfInput): Promise<AsOf> {
    return this.point(asOf, 'history');
  }

  ofQuestions(asOf: AsOfInput): Promise<AsOf> {
    return this.point(asOf, 'question_history');
  }

  private async point(asOf: AsOfInput, projection: string): Promise<AsOf> {
    const lastOrdinal = await ordinalReached(this.pool, projection);
    return asOfPoint(asOf, { lastOrdinal, now: this.clock() });
  }
}
