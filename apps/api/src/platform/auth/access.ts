import { DomainError, type Role } from '@nimo/domain';
import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { GqlExecutionContext } from '@nestjs/graphql';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { RequestContext } from '../graphql/request-context.js';
import { hasRole, isRoleWithheld, type Viewer } from './viewer.js';
import { HttpViewers } from './session-reader.js';

export const ACCESS_RULE = Symbol('nimo:access-rule');

/** Who may call an operation at all. What they may do to which thing is the command's business. */
export type AccessRule =
  | { readonly kind: 'public' }
  | { readonly kind: 'signed-in' }
  | { readonly kind: 'role'; readonly roles: readonly Role[] };

/** Anybody, signed in or not. */
export const Public = () => SetMetadata<symbol, AccessRule>(ACCESS_RULE, { kind: 'public' });
/** Whoever has a live session. */
export const SignedIn = () => SetMetadata<symbol, AccessRule>(ACCESS_RULE, { kind: 'signed-in' });
/** Whoever has one of the roles in any space; the operation checks the space. */
export const HasRole = (...roles: [Role, ...Role[]]) =>
  SetMetadata<symbol, AccessRule>(ACCESS_RULE, { kind: 'role', roles });

export const requestContextOf = (context: ExecutionContext): RequestContext =>
  GqlExecutionContext.create(context).getContext<RequestContext>();

/** The signed-in student. Only for operations that are not public. */
export const CurrentViewer = createParamDecorator((_: unknown, context: ExecutionContext): Viewer => {
  const { viewer } = requestContextOf(context);
  if (!viewer) throw new DomainError('SIGN_IN_REQUIRED');
  return viewer;
});

/** The signed-in student, or null on a public operation without a session. */
export const OptionalViewer = createParamDecorator(
  (_: unknown, context: ExecutionContext): Viewer | null => requestContextOf(context).viewer,
);

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

/** Inputs that name the actor (`author`, `userId`, `studentId`) may be left out; given, they must name the signed-in student. */
export function assertActsAsSelf(viewer: Viewer, named: string | null | undefined): void {
  // An id reads the same in capitals.
  if (named !== undefined && named !== null && named.toLowerCase() !== viewer.studentId)
    throw new DomainError('FORBIDDEN');
}

const STUDENT_TYPE = 'student';

/** Students are the only type. */
export function assertStudentType(userType: string | null | undefined): void {
  if (userType !== undefined && userType !== null && userType !== STUDENT_TYPE)
    throw new DomainError('FORBIDDEN');
}
