import { Injectable } from '@nestjs/common';
import type { ClaimKind } from '@nimo/domain';
import type { Reactor, ReactorEvent } from '@nimo/projections';
import { Pool } from 'pg';
import { Claims } from './claims.js';
import { ClaimReconciler } from './claim-reconciler.js';
import { systemContext } from '../../platform/commands/command-context.js';

/** Long enough for a change to finish its own steps first. */
const CHANGE_GRACE_PERIOD = '1 minute';
const BATCH_SIZE = 100;

/** Checks of previous values after a change, by kind in `state.claim_check`. */
const PREVIOUS_VALUES = {
  'former-names': 'username',
  'former-phones': 'phone',
  'former-emails': 'email',
} as const satisfies Readonly<Record<string, ClaimKind>>;
type PreviousValues = keyof typeof PREVIOUS_VALUES;
const isPreviousValues = (kind: string): kind is PreviousValues => Object.hasOwn(PREVIOUS_VALUES, kind);

const TYPES = [
  'ClaimReserved',
  'ClaimConfirmed',
  'ClaimReleased',
  'StudentProfileChanged',
  'StudentPhoneChanged',
  'StudentEmailChanged',
] as const;
type HandledType = (typeof TYPES)[number];

interface Check {
  readonly subject: string;
  readonly kind: ClaimKind | PreviousValues;
  readonly claim: string | null;
  readonly student_id: string;
}

/**
 * Schedules a check for every reservation and every changed value. Confirming or releasing the reservation cancels its check; a check
 * that comes due means the command was abandoned, and it is settled from the student's stream.
 */
@Injectable()
export class ClaimsReactor implements Reactor<HandledType> {
  readonly name = 'claims';
  readonly startsAt = 'beginning';
  readonly types = TYPES;

  constructor(
    private readonly pool: Pool,
    private readonly claims: Claims,
    private readonly reconciler: ClaimReconciler,
  ) {}

  async handle(event: ReactorEvent<HandledType>): Promise<void> {
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
        return this.cancelCheck(streamId);
      case 'StudentProfileChanged':
        return this.schedulePreviousCheck(streamId, 'former-names', event.data.studentId);
      case 'StudentPhoneChanged':
        return this.schedulePreviousCheck(`${streamId}:phone`, 'former-phones', event.data.studentId);
      case 'StudentEmailChanged':
        return this.schedulePreviousCheck(`${streamId}:email`, 'former-emails', event.data.studentId);
    }
  }

  /** Settles due checks. The worker calls it periodically. */
  async settleDue(): Promise<void> {
    const { rows } = await this.pool.query<Check>(
      'select subject, kind, claim, student_id from state.claim_check where due_at < now() order by due_at limit $1',
      [BATCH_SIZE],
    );
    for (const check of rows) {
      if (await this.settle(check)) await this.deleteDue(check.subject);
    }
  }

  private async settle({ kind, claim, student_id: studentId }: Check): Promise<boolean> {
    const context = systemContext();
    if (!isPreviousValues(kind)) {
      return claim === null || this.claims.settleAbandoned(context, { kind, claim, studentId });
    }
    // The handler may have died before it confirmed the new value or released the previous one.
    await this.reconciler.ensureClaimed(context, PREVIOUS_VALUES[kind], studentId);
    return this.reconciler.releasePrevious(context, PREVIOUS_VALUES[kind], studentId);
  }

  private async schedulePreviousCheck(
    subject: string,
    kind: PreviousValues,
    studentId: string,
  ): Promise<void> {
    await this.pool.query(
      `insert into state.claim_check (subject, kind, student_id, due_at)
       values ($1, $2, $3, now() + interval '${CHANGE_GRACE_PERIOD}')
       on conflict (subject) do update set due_at = excluded.due_at`,
      [subject, kind, studentId],
    );
  }

  /** Keeps a check that was rescheduled meanwhile. */
  private async deleteDue(subject: string): Promise<void> {
    await this.pool.query('delete from state.claim_check where subject = $1 and due_at < now()', [subject]);
  }

  private async cancelCheck(subject: string): Promise<void> {
    await this.pool.query('delete from state.claim_check where subject = $1', [subject]);
  }
}
