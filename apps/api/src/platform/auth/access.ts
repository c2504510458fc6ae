import { DomainError, type Role } from '@nimo/domain';
import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { GqlExecutionContext } from '@nestjs/graphql';
import type { RequestContext } from '../graphql/request-context.js';
import type { Viewer } from './viewer.js';

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
