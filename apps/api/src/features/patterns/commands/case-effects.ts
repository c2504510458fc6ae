import { Injectable } from '@nestjs/common';
import { aggregate, caseDecider, DomainError, type ActingStudent } from '@nimo/domain';
import { effectOfCase, type InvalidationEffect } from '@nimo/projections';
import { Pool } from 'pg';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import {
  fingerprintOf,
  judgedVotesOf,
  maySeeCase,
  requireMayJudge,
  votesOf,
  type VoteRef,
} from './judged-votes.js';

/** What cases would do, and what they did when they were confirmed. */
@Injectable()
export class CaseEffects {
  constructor(
    private readonly commands: CommandRunner,
    private readonly pool: Pool,
  ) {}

  /** Of declaring these votes invalid now. */
  async ofInvalidating(
    by: ActingStudent,
    caseId: string,
    refs: readonly VoteRef[],
  ): Promise<{ fingerprint: string; isHeld: boolean; effect: InvalidationEffect }> {
    const judged = judgedVotesOf(await this.commands.look(votesOf(refs)), refs);
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
    const state = await this.commands.state(aggregate(caseDecider, caseId));
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
}
