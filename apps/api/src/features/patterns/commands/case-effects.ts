import { Inject, Injectable } from '@nestjs/common';
import { caseStream, DomainError, evolveCase, initialCase, type ActingStudent } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import { effectOfCase, type InvalidationEffect } from '@nimo/projections';
import { Pool } from 'pg';
import { DomainStreams } from '../../../platform/commands/domain-streams.js';
import { EVENT_STORE } from '../../../platform/runtime/tokens.js';
import {
  fingerprintOf,
  judgedVotesOf,
  maySeeCase,
  requireMayJudge,
  streamsOfVotes,
  type VoteRef,
} from './judged-votes.js';

/** What cases would do, and what they did when they were confirmed. */
@Injectable()
export class CaseEffects {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly pool: Pool,
  ) {}

  /** Of declaring these votes invalid now. */
  async ofInvalidating(
    by: ActingStudent,
    caseId: string,
    refs: readonly VoteRef[],
  ): Promise<{ fingerprint: string; isHeld: boolean; effect: InvalidationEffect }> {
    const judged = judgedVotesOf(await this.streams(streamsOfVotes(refs)), refs);
    requireMayJudge(by, judged);
    const votes = judged.flatMap(({ vote }) => (vote ? [vote] : []));
    const data = { caseId, moderatorId: by.studentId, category: 'OTHER', reason: '', votes } as const;
    return {
      fingerprint: fingerprintOf(refs, judged),
      isHeld: judged.every(({ isHeld }) => isHeld),
      effect: await effectOfCase(this.pool, { type: 'VotesInvalidated', data }),
    };
  }

  /** Of reversing the case now. */
  async ofReversing(by: ActingStudent, caseId: string): Promise<InvalidationEffect> {
    const streamId = caseStream(caseId);
    const state = (await this.streams([streamId])).state(streamId, initialCase, evolveCase);
    // Whether a case of other spaces is there is not told either.
    if (!state || !maySeeCase(by, state.invalidation.votes)) throw new DomainError('CASE_NOT_FOUND');
    return effectOfCase(this.pool, { type: 'InvalidationReversed', data: state.invalidation });
  }

  async record(caseId: string, effect: InvalidationEffect): Promise<void> {
    await this.pool.query(
      'insert into state.case_effect (case_id, effect) values ($1, $2) on conflict (case_id) do nothing',
      [caseId, JSON.stringify(effect)],
    );
  }

  /** Null for a case of an import or of a moment at which this record could not be written. */
  async recorded(caseId: string): Promise<InvalidationEffect | null> {
    const { rows } = await this.pool.query<{ effect: InvalidationEffect }>(
      'select effect from state.case_effect where case_id = $1',
      [caseId],
    );
    return rows[0]?.effect ?? null;
  }

  private async streams(ids: readonly string[]): Promise<DomainStreams> {
    return new DomainStreams(await this.store.readStreams(ids));
  }
}
