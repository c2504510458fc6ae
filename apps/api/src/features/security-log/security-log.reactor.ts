import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '@nimo/domain';
import type { Reactor, ReactorEvent } from '@nimo/projections';
import { Pool } from 'pg';
import {
  forgetSecurityLog,
  type SecurityKind,
  SecurityLog,
} from '../../platform/security-log/security-log.js';

const KINDS = {
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
type LoggedType = keyof typeof KINDS;
type ForgottenType = 'StudentErased' | 'SignUpAbandoned';

/** Adds events that concern account access to the security log, from the web and the command line alike. */
@Injectable()
export class SecurityLogReactor implements Reactor<LoggedType | ForgottenType> {
  readonly name = 'security-log';
  readonly startsAt = 'head';
  readonly types = [...(Object.keys(KINDS) as LoggedType[]), 'StudentErased', 'SignUpAbandoned'] as const;

  constructor(
    private readonly log: SecurityLog,
    private readonly pool: Pool,
  ) {}

  async handle(event: ReactorEvent<LoggedType | ForgottenType>, eventId: string): Promise<void> {
    // Events arrive in log order, so nothing is written for the account after it is forgotten.
    if (event.type === 'StudentErased' || event.type === 'SignUpAbandoned')
      await forgetSecurityLog(this.pool, event.data.studentId);
    else {
      const { type, data, metadata } = event;
      const { occurredAt: at } = metadata;
      await this.log.recordEvent(data.studentId, { kind: KINDS[type], eventId, at });
    }
  }
}
