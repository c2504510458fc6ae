import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { OPERATOR, type ClaimKind } from '@nimo/domain';
import type { Reactor, ReactorEvent } from '@nimo/projections';
import { Pool } from 'pg';
import type { CommandContext } from '../../platform/commands/command-context.js';
import { Claims } from './claims.js';
import { UserNames } from './user-names.js';

/** A rename is over by then, so that its own steps are not overtaken. */
const RENAME_SETTLES_AFTER = '1 minute';
const MOST_AT_ONCE = 100;
const FORMER_NAMES = 'former-names';

const TYPES = ['ClaimReserved', 'ClaimConfirmed', 'ClaimReleased', 'StudentProfileChanged'] as const;
type Noted = (typeof TYPES)[number];

interface Check {
  readonly subject: string;
  readonly kind: ClaimKind | typeof FORMER_NAMES;
  readonly claim: string | null;
  readonly student_id: string;
}

/**
 * Notes every reservation until it is confirmed or released, and every rename. What is still noted when its time has come was
 * abandoned, and is settled from the student's own stream.
 */
@Injectable()
export class ClaimsReactor implements Reactor<Noted> {
  readonly name = 'claims';
  readonly startsAt = 'beginning';
  readonly types = TYPES;

  constructor(
    private readonly pool: Pool,
    private readonly claims: Claims,
    private readonly names: UserNames,
  ) {}

  async handle(event: ReactorEvent<Noted>): Promise<void> {
    const { streamId } = event;
    switch (event.type) {
      case 'ClaimReserved': {
        const { kind, claim, studentId, expiresAt } = event.data;
        await this.pool.query(
          `insert into state.claim_check (subject, kind, claim, student_id, due_at) values ($1, $2, $3, $4, $5)
           on conflict (subject) do update set student_id = excluded.student_id, due_at = excluded.due_at`,
          [streamId, kind, claim, studentId, expiresAt],
        );
        return;
      }
      case 'ClaimConfirmed':
      case 'ClaimReleased':
        return this.forget(streamId);
      case 'StudentProfileChanged':
        await this.pool.query(
          `insert into state.claim_check (subject, kind, student_id, due_at)
           values ($1, '${FORMER_NAMES}', $2, now() + interval '${RENAME_SETTLES_AFTER}')
           on conflict (subject) do update set due_at = excluded.due_at`,
          [streamId, event.data.studentId],
        );
        return;
    }
  }

  /** Settles what is due. Called again and again by the worker. */
  async settleDue(): Promise<void> {
    const { rows } = await this.pool.query<Check>(
      'select subject, kind, claim, student_id from state.claim_check where due_at < now() order by due_at limit $1',
      [MOST_AT_ONCE],
    );
    for (const check of rows) {
      if (await this.settle(check)) await this.forgetDue(check.subject);
    }
  }

  private async settle({ kind, claim, student_id: studentId }: Check): Promise<boolean> {
    const context = systemContext();
    if (kind !== FORMER_NAMES) {
      return claim === null || this.claims.settleAbandoned(context, { kind, claim, studentId });
    }
    // The handler of a rename may have died on its way: before it confirmed the new name, or released the old one.
    await this.names.keep(context, studentId);
    return this.names.releaseFormer(context, studentId);
  }

  /** What was noted anew meanwhile is not due yet. */
  private async forgetDue(subject: string): Promise<void> {
    await this.pool.query('delete from state.claim_check where subject = $1 and due_at < now()', [subject]);
  }

  private async forget(subject: string): Promise<void> {
    await this.pool.query('delete from state.claim_check where subject = $1', [subject]);
  }
}

function systemContext(): CommandContext<typeof OPERATOR> {
  const commandId = randomUUID();
  return {
    by: OPERATOR,
    actor: { kind: 'system' },
    commandId,
    correlationId: commandId,
    causationId: commandId,
  };
}
