import { Injectable } from '@nestjs/common';
import type { ClaimKind } from '@nimo/domain';
import type { Reactor, ReactorEvent } from '@nimo/projections';
import { Pool } from 'pg';
import { Claims } from './claims.js';
import { CarriedValues } from './carried-values.js';
import { systemContext } from '../../platform/commands/command-context.js';

/** A change is over by then, so that its own steps are not overtaken. */
const CHANGE_SETTLES_AFTER = '1 minute';
const MAX_AT_ONCE = 100;

/** What is left behind by a change of a value. */
const FORMER = {
  'former-names': 'username',
  'former-phones': 'phone',
  'former-emails': 'email',
} as const satisfies Readonly<Record<string, ClaimKind>>;
type Former = keyof typeof FORMER;
const isFormer = (kind: string): kind is Former => Object.hasOwn(FORMER, kind);

const TYPES = [
  'ClaimReserved',
  'ClaimConfirmed',
  'ClaimReleased',
  'StudentProfileChanged',
  'StudentPhoneChanged',
  'StudentEmailChanged',
] as const;
type Noted = (typeof TYPES)[number];

interface Check {
  readonly subject: string;
  readonly kind: ClaimKind | Former;
  readonly claim: string | null;
  readonly student_id: string;
}

/**
 * Notes every reservation until it is confirmed or released, and every change of a value. What is still noted when its time has come was
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
    private readonly carried: CarriedValues,
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
        return this.noteFormer(streamId, 'former-names', event.data.studentId);
      case 'StudentPhoneChanged':
        return this.noteFormer(`${streamId}:phone`, 'former-phones', event.data.studentId);
      case 'StudentEmailChanged':
        return this.noteFormer(`${streamId}:email`, 'former-emails', event.data.studentId);
    }
  }

  /** Settles what is due. Called again and again by the worker. */
  async settleDue(): Promise<void> {
    const { rows } = await this.pool.query<Check>(
      'select subject, kind, claim, student_id from state.claim_check where due_at < now() order by due_at limit $1',
      [MAX_AT_ONCE],
    );
    for (const check of rows) {
      if (await this.settle(check)) await this.forgetDue(check.subject);
    }
  }

  private async settle({ kind, claim, student_id: studentId }: Check): Promise<boolean> {
    const context = systemContext();
    if (!isFormer(kind)) {
      return claim === null || this.claims.settleAbandoned(context, { kind, claim, studentId });
    }
    // The handler of a change may have died on its way: before it confirmed the new value, or released the old one.
    await this.carried.keep(context, FORMER[kind], studentId);
    return this.carried.releaseFormer(context, FORMER[kind], studentId);
  }

  private async noteFormer(subject: string, kind: Former, studentId: string): Promise<void> {
    await this.pool.query(
      `insert into state.claim_check (subject, kind, student_id, due_at)
       values ($1, $2, $3, now() + interval '${CHANGE_SETTLES_AFTER}')
       on conflict (subject) do update set due_at = excluded.due_at`,
      [subject, kind, studentId],
    );
  }

  /** What was noted anew meanwhile is not due yet. */
  private async forgetDue(subject: string): Promise<void> {
    await this.pool.query('delete from state.claim_check where subject = $1 and due_at < now()', [subject]);
  }

  private async forget(subject: string): Promise<void> {
    await this.pool.query('delete from state.claim_check where subject = $1', [subject]);
  }
}
