import { DomainError } from '@nimo/domain';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ACCESS_RULE, requestContextOf, type AccessRule } from './access.js';
import { hasRole, type Viewer } from './viewer.js';

function assertMay(rule: AccessRule, viewer: Viewer | null): void {
  if (rule.kind === 'public') return;
  if (!viewer) throw new DomainError('SIGN_IN_REQUIRED');
  if (rule.kind === 'role' && !hasRole(viewer, rule.role)) throw new DomainError('FORBIDDEN');
}

/** Runs before every operation. One without a rule is refused here, though `AccessRulesCheck` does not let it start. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const rule = this.reflector.get<AccessRule | undefined>(ACCESS_RULE, context.getHandler());
    if (!rule) throw new DomainError('FORBIDDEN');
    if (context.getType<'graphql' | 'http'>() === 'graphql')
      assertMay(rule, requestContextOf(context).viewer);
    // Controllers serve files, health and signed addresses: none of them knows a session.
    else if (rule.kind !== 'public') throw new DomainError('SIGN_IN_REQUIRED');
    return true;
  }
}
