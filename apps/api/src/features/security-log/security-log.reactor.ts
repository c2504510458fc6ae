import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '@nimo/domain';
import type { Reactor, ReactorEvent } from '@nimo/projections';
import { Pool } from 'pg';
import type { SecurityKind } from '../../platform/security-log/security-kind.js';
import { forgetSecurityLog, SecurityLog } from '../../platform/security-log/security-log.js';

const TOLD = {
  StudentEmailConfirmed: 'EMAIL_CONFIRMED',
  RoleGranted: 'ROLE_GRANTED',
  RoleRevoked: 'ROLE_REVOKED',
  StudentBlocked: 'BLOCKED',
  StudentUnblocked: 'UNBLOCKED',
  MemberSuspended: 'SUSPENDED',
  SuspensionLifted: 'SUSPENSION_LIFTED',
  SecondFactorReset: 'FACTOR_RESET',
} as const satisfies Partial<Record<DomainEvent['type'], SecurityKind>>;
type ToldEvent = Extract<ReactorEvent, { readonly type: keyof typeof TOLD }>;

const isTold = (event: ReactorEvent): event is ToldEvent => Object.hasOwn(TOLD, event.type);

/** What events say of the access to an account, whether it was done on the web or at the command line. */
@Injectable()
export class SecurityLogReactor implements Reactor {
  readonly name = 'security-log';
  readonly startsAt = 'head';

  constructor(
    private readonly log: SecurityLog,
    private readonly pool: Pool,
  ) {}

  async handle(event: ReactorEvent, eventId: string): Promise<void> {
    // In the order of the log: of what came before nothing is written afterwards.
    if (event.type === 'StudentErased') await forgetSecurityLog(this.pool, event.data.studentId);
    else if (isTold(event)) {
      const { type, data, metadata } = event;
      const { occurredAt: at } = metadata;
      await this.log.tell(data.studentId, { kind: TOLD[type], eventId, at });
    }
  }
}
