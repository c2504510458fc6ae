import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { GqlExecutionContext } from '@nestjs/graphql';
import { DomainError } from '@nimo/domain';
import type { FastifyRequest } from 'fastify';
import { mergeMap, type Observable } from 'rxjs';
import { requestContextOf } from '../auth/access.js';
import { HttpViewers } from '../auth/http-viewers.js';
import type { Viewer } from '../auth/viewer.js';
import { ConfidentialReads } from './confidential-reads.js';
import { TRACE_RULE, type TracedRule } from './trace-rule.js';

interface Asked {
  readonly args: unknown;
  readonly viewer: Viewer | null;
  readonly correlationId?: string;
}

/** Writes the trace of a read between the work and the answer. */
@Injectable()
export class ConfidentialInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly viewers: HttpViewers,
    private readonly reads: ConfidentialReads,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    const rule = this.reflector.get<TracedRule>(TRACE_RULE, context.getHandler());
    const asked = await this.askedIn(context);
    return next.handle().pipe(
      mergeMap(async (result) => {
        await this.trace(rule, asked, result);
        return result;
      }),
    );
  }

  private async trace(
    rule: TracedRule,
    { viewer, args, correlationId }: Asked,
    result: unknown,
  ): Promise<void> {
    if (!viewer) throw new DomainError('SIGN_IN_REQUIRED');
    const scope = rule.scopeOf({ args, viewer, result } as never);
    if (scope === null) return;
    const reader = { by: viewer, actor: { kind: 'student', id: viewer.studentId } as const, correlationId };
    await this.reads.record(reader, { ...rule, scope });
  }

  private async askedIn(context: ExecutionContext): Promise<Asked> {
    if (context.getType<'graphql' | 'http'>() === 'graphql') {
      const { viewer, correlationId } = requestContextOf(context);
      return { args: GqlExecutionContext.create(context).getArgs<unknown>(), viewer, correlationId };
    }
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return { args: request.query, viewer: await this.viewers.of(request) };
  }
}
