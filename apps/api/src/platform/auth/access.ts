import { DomainError, type Role, type ConfidentialKind, type PostRef } from '@nimo/domain';
import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { hasRole, isRoleWithheld, type Viewer } from './viewer.js';
import { HttpViewers } from './session-reader.js';
import { requestContextOf } from './request-context.js';

export const TRACE_RULE = Symbol('nimo:trace-rule');

/** What was looked at, as far as the log may tell it. */
export interface ReadScope {
  /** None: of no space, or of all. */
  readonly spaceIds?: readonly string[];
  /** More than a few are left out. */
  readonly studentIds?: readonly string[];
  readonly post?: PostRef | null;
  readonly caseId?: string | null;
  /** What narrows the read; it is hashed. The place in a list is no part of it, so that going through it is one read. */
  readonly filter?: Readonly<Record<string, unknown>> | null;
  /** Null where nobody knows before it is sent. */
  readonly rows: number | null;
}

export interface AnsweredRead<Args, Result> {
  readonly args: Args;
  readonly viewer: Viewer;
  readonly result: Result;
}

export interface TracedRule {
  readonly what: ConfidentialKind;
  readonly scopeOf: (read: AnsweredRead<never, never>) => ReadScope | null;
  /** Each is told, however soon after the one before: copies that leave the product. */
  readonly isCopy: boolean;
}

/** What an operation of staff says of its traces. */
export type TraceRule = TracedRule | { readonly noTraceBecause: string };

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
