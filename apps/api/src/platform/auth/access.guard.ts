import { DomainError } from '@nimo/domain';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ACCESS_RULE, requestContextOf, type AccessRule } from './access.js';
import { HttpViewers } from './http-viewers.js';
import { hasRole, isRoleWithheld, type Viewer } from './viewer.js';

function assertMay(rule: AccessRule, viewer: Viewer | null): void {
  if (rule.kind === 'public') return;
  if (!viewer) throw new DomainError('SIGN_IN_REQUIRED');
  if (rule.kind !== 'role' || rule.roles.some((role) => hasRole(viewer, role))) return;
  const isWithheld = rule.roles.some((role) => isRoleWithheld(viewer, role));
  throw new DomainError(isWithheld ? 'SECOND_FACTOR_REQUIRED' : 'FORBIDDEN');
}

/** Runs before every operation. One without a rule is refused here, though `AccessRulesCheck` does not let it start. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly viewers: HttpViewers,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const rule = this.reflector.get<AccessRule | undefined>(ACCESS_RULE, context.getHandler());
    if (!rule) throw new DomainError('FORBIDDEN');
    if (rule.kind === 'public') return true;
    if (context.getType<'graphql' | 'http'>() !== 'graphql') return this.mayOverHttp(rule, context);
    assertMay(rule, requestContextOf(context).viewer);
    return true;
  }

  private async mayOverHttp(rule: AccessRule, context: ExecutionContext): Promise<boolean> {
    assertMay(rule, await this.viewers.of(context.switchToHttp().getRequest<FastifyRequest>()));
    return true;
  }
}
