import { DomainError, type Role, type ConfidentialKind, type PostRef } from '@nimo/domain';
import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { GqlExecutionContext } from '@nestjs/graphql';
import { hasRemovedSpace } from '@nimo/projections';
import { Pool } from 'pg';
import type { FastifyRequest } from 'fastify';
import { hasRole, isRoleWithheld, type Viewer } from './viewer.js';
import { HttpViewers } from './session-reader.js';
import { requestContextOf } from './request-context.js';

export const TRACE_RULE = Symbol('nimo:trace-rule');

/** Scope of a read, as far as it may be logged. */
export interface ReadScope {
  /** Absent when it concerns no space, or all of them. */
  readonly spaceIds?: readonly string[];
  /** Truncated to a few. */
  readonly studentIds?: readonly string[];
  readonly post?: PostRef | null;
  readonly caseId?: string | null;
  /** Filter arguments, stored as a hash. Excludes the page, so that paging through a list counts as one read. */
  readonly filter?: Readonly<Record<string, unknown>> | null;
  /** Null when unknown before the response is sent. */
  readonly rows: number | null;
}

export interface CompletedRead<Args, Result> {
  readonly args: Args;
  readonly viewer: Viewer;
  readonly result: Result;
}

export interface TracedRule {
  readonly what: ConfidentialKind;
  readonly scopeOf: (read: CompletedRead<never, never>) => ReadScope | null;
  /** Copies that leave the product: every one is logged, without deduplication. */
  readonly isCopy: boolean;
}

/** How a staff operation is traced, or why it is not. */
export type TraceRule = TracedRule | { readonly noTraceBecause: string };

export const ACCESS_RULE = Symbol('nimo:access-rule');

/** Callers an operation admits at all. Commands check permissions on individual objects. */
export type AccessRule =
  | { readonly kind: 'public' }
  | { readonly kind: 'signed-in' }
  | { readonly kind: 'role'; readonly roles: readonly Role[] };

/** Allows any caller, signed in or not. */
export const Public = () => SetMetadata<symbol, AccessRule>(ACCESS_RULE, { kind: 'public' });
/** Requires a live session. */
export const SignedIn = () => SetMetadata<symbol, AccessRule>(ACCESS_RULE, { kind: 'signed-in' });
/** Requires one of the roles in any space; the operation checks the space. */
export const HasRole = (...roles: [Role, ...Role[]]) =>
  SetMetadata<symbol, AccessRule>(ACCESS_RULE, { kind: 'role', roles });

/** Injects the signed-in student. For operations that are not public. */
export const CurrentViewer = createParamDecorator((_: unknown, context: ExecutionContext): Viewer => {
  const { viewer } = requestContextOf(context);
  if (!viewer) throw new DomainError('SIGN_IN_REQUIRED');
  return viewer;
});

/** Injects the signed-in student, or null without a session. */
export const OptionalViewer = createParamDecorator(
  (_: unknown, context: ExecutionContext): Viewer | null => requestContextOf(context).viewer,
);

function assertAllowed(rule: AccessRule, viewer: Viewer | null): void {
  if (rule.kind === 'public') return;
  if (!viewer) throw new DomainError('SIGN_IN_REQUIRED');
  if (rule.kind === 'role') assertHasRole(viewer, ...rule.roles);
}

/** Requires one of the roles in any space. @throws DomainError SECOND_FACTOR_REQUIRED, FORBIDDEN */
export function assertHasRole(viewer: Viewer, ...roles: readonly Role[]): void {
  if (roles.some((role) => hasRole(viewer, role))) return;
  const isWithheld = roles.some((role) => isRoleWithheld(viewer, role));
  throw new DomainError(isWithheld ? 'SECOND_FACTOR_REQUIRED' : 'FORBIDDEN');
}

type Arguments = Readonly<Record<string, unknown>>;

/** The spaces an operation is about, by the names of its arguments. The filter of the audit also finds records of deleted spaces. */
function spacesNamedIn({ space, spaceId, queryVals }: Arguments): readonly string[] {
  const nested =
    typeof queryVals === 'object' && queryVals !== null && 'space' in queryVals ? queryVals.space : null;
  return [space, spaceId, nested].flatMap((id) => (typeof id === 'string' ? [id.toLowerCase()] : []));
}

/** Enforces access rules before every operation. Denies operations without a rule, although `AccessRulesCheck` prevents the start. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly viewers: HttpViewers,
    private readonly pool: Pool,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const rule = this.reflector.get<AccessRule | undefined>(ACCESS_RULE, context.getHandler());
    if (!rule) throw new DomainError('FORBIDDEN');
    if (context.getType<'graphql' | 'http'>() !== 'graphql')
      return rule.kind === 'public' || this.authorizeHttp(rule, context);
    const { viewer } = requestContextOf(context);
    assertAllowed(rule, viewer);
    return viewer && viewer.roles.length > 0 ? this.authorizeStaff(context) : true;
  }

  /** Roles for all spaces do not include deleted ones. Other callers need a membership, which ends with the space. */
  private async authorizeStaff(context: ExecutionContext): Promise<boolean> {
    const spaceIds = spacesNamedIn(GqlExecutionContext.create(context).getArgs<Arguments>());
    if (spaceIds.length > 0 && (await hasRemovedSpace(this.pool, spaceIds)))
      throw new DomainError('SPACE_NOT_FOUND');
    return true;
  }

  private async authorizeHttp(rule: AccessRule, context: ExecutionContext): Promise<boolean> {
    assertAllowed(rule, await this.viewers.of(context.switchToHttp().getRequest<FastifyRequest>()));
    return true;
  }
}

/** Inputs that name the actor (`author`, `userId`, `studentId`) are optional but must name the signed-in student. */
export function assertActsAsSelf(viewer: Viewer, named: string | null | undefined): void {
  // Ids are case-insensitive.
  if (named !== undefined && named !== null && named.toLowerCase() !== viewer.studentId)
    throw new DomainError('FORBIDDEN');
}

const STUDENT_TYPE = 'student';

/** `student` is the only user type. */
export function assertStudentType(userType: string | null | undefined): void {
  if (userType !== undefined && userType !== null && userType !== STUDENT_TYPE)
    throw new DomainError('FORBIDDEN');
}
