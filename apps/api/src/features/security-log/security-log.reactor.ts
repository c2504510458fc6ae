import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '@nimo/domain';
import type { Reactor, ReactorEvent } from '@nimo/projections';
import { Pool } from 'pg';
import {
  forgetSecurityLog,
  type SecurityKind,
  SecurityLog,
} from '../../platform/security-log/security-log.js';

const TOLD = {
  StudentEmailConfirmed: 'EMAIL_CONFIRMED',
  StudentPhoneChanged: 'PHONE_CHANGED',
  StudentEmailChanged: 'EMAIL_CHANGED',
  RoleGranted: 'ROLE_GRANTED',
  RoleRevoked: 'ROLE_REVOKED',
  StudentBlocked: 'BLOCKED',
  StudentUnblocked: 'UNBLOCKED',
  MemberSuspended: 'SUSPENDED',
  SuspensionLifted: 'SUSPENSION_LIFTED',
  SecondFactorReset: 'FACTOR_RESET',
} as const satisfies Partial<Record<DomainEvent['type'], SecurityKind>>;
type Told = keyof typeof TOLD;
type Ended = 'StudentErased' | 'SignUpAbandoned';

/** What events say of the access to an account, whether it was done on the web or at the command line. */
@Injectable()
export class SecurityLogReactor implements Reactor<Told | Ended> {
  readonly name = 'security-log';
  readonly startsAt = 'head';
  readonly types = [...(Object.keys(TOLD) as Told[]), 'StudentErased', 'SignUpAbandoned'] as const;

  constructor(
    private readonly log: SecurityLog,
    private readonly pool: Pool,
  ) {}

  async handle(event: ReactorEvent<Told | Ended>, eventId: string): Promise<void> {
    // In the order of the log: of what came before nothing is written afterwards.
    if (event.type === 'StudentErased' || event.type === 'SignUpAbandoned')
      await forgetSecurityLog(this.pool, event.data.studentId);
    else {
      const { type, data, metadata } = event;
      const { occurredAt: at } = metadata;
      await this.log.tell(data.studentId, { kind: TOLD[type], eventId, at });
    }
  }
}
