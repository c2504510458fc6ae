import { randomUUID } from 'node:crypto';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import {
  type Actor,
  aggregate,
  type Authority,
  type ConfidentialKind,
  confidentialReadDecider,
  DomainError,
} from '@nimo/domain';
import { v5 as uuidv5 } from 'uuid';
import { Reflector } from '@nestjs/core';
import { GqlExecutionContext } from '@nestjs/graphql';
import type { FastifyRequest } from 'fastify';
import { mergeMap, type Observable } from 'rxjs';
import { CommandRunner } from '../commands/command-runner.js';
import { ClaimHasher } from '../personal-data/key-uses.js';
import { type Clock, CLOCK } from '../config/tokens.js';
import type { Viewer } from '../auth/viewer.js';
import { HttpViewers } from '../auth/session-reader.js';
import { requestContextOf } from '../auth/request-context.js';
import {
  TRACE_RULE,
  type ReadScope,
  type CompletedRead,
  type TracedRule,
  type TraceRule,
} from '../auth/access.js';

const READ_NAMESPACE = '6f0d1f0a-0b52-5d0e-8a67-5f1f7d9c2b34';
/** Deduplication window of identical reads by one person. */
const WINDOW_MS = 10 * 60_000;
/** Reads about more people record only the space. */
const MAX_STUDENTS = 30;

interface Reader {
  readonly by: Authority;
  readonly actor: Actor;
  readonly correlationId?: string | undefined;
}

interface ConfidentialRead {
  readonly what: ConfidentialKind;
  readonly scope: ReadScope;
  readonly isCopy: boolean;
}

/** Records reads of confidential data as events. */
@Injectable()
export class ConfidentialReads {
  constructor(
    private readonly runner: CommandRunner,
    private readonly hasher: ClaimHasher,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Resolves once the event is written. If it rejects, the data must not be returned. */
  async record(
    { by, actor, correlationId }: Reader,
    { what, scope, isCopy }: ConfidentialRead,
  ): Promise<void> {
    const filter = this.filterDigest(scope.filter ?? null);
    const spaceIds = distinct(scope.spaceIds);
    const { caseId = null, post = null, rows } = scope;
    const window = Math.floor(this.clock().getTime() / WINDOW_MS);
    const people = distinct(scope.studentIds);
    const studentIds = people.length > MAX_STUDENTS ? [] : people;
    const same = [actor, what, spaceIds, caseId, post?.postId ?? null, filter, studentIds, window];
    const readId = isCopy ? randomUUID() : uuidv5(JSON.stringify(same), READ_NAMESPACE);
    const data = { readId, what, spaceIds, studentIds, post, caseId, filter, rows };
    await this.runner.run(
      { by, actor, commandId: readId, correlationId: correlationId ?? readId, causationId: readId },
      {
        on: aggregate(confidentialReadDecider, readId),
        decide: () => [{ type: 'ConfidentialDataRead', data }],
      },
    );
  }

  /** Keyed hash, since a phone number could be brute-forced from a plain one. */
  private filterDigest(filter: ReadScope['filter']): string | null {
    const filters = Object.entries(filter ?? {}).filter(([, value]) => value !== undefined && value !== null);
    if (filters.length === 0) return null;
    const sorted = filters.sort(([one], [other]) => (one < other ? -1 : 1));
    return this.hasher.hashSecret('read-filter', JSON.stringify(sorted)).toString('hex').slice(0, 32);
  }
}

const distinct = (ids: readonly string[] = []): readonly string[] =>
  [...new Set(ids.map((id) => id.toLowerCase()))].sort();

interface ReadRequest {
  readonly args: unknown;
  readonly viewer: Viewer | null;
  readonly correlationId?: string;
}

/** Records a confidential read after the handler ran and before its result is sent. */
@Injectable()
class ConfidentialInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly viewers: HttpViewers,
    private readonly reads: ConfidentialReads,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    const rule = this.reflector.get<TracedRule>(TRACE_RULE, context.getHandler());
    const pendingRead = await this.readRequest(context);
    return next.handle().pipe(
      mergeMap(async (result) => {
        await this.trace(rule, pendingRead, result);
        return result;
      }),
    );
  }

  private async trace(
    rule: TracedRule,
    { viewer, args, correlationId }: ReadRequest,
    result: unknown,
  ): Promise<void> {
    if (!viewer) throw new DomainError('SIGN_IN_REQUIRED');
    const scope = rule.scopeOf({ args, viewer, result } as never);
    if (scope === null) return;
    const reader = { by: viewer, actor: { kind: 'student', id: viewer.studentId } as const, correlationId };
    await this.reads.record(reader, { ...rule, scope });
  }

  private async readRequest(context: ExecutionContext): Promise<ReadRequest> {
    if (context.getType<'graphql' | 'http'>() === 'graphql') {
      const { viewer, correlationId } = requestContextOf(context);
      return { args: GqlExecutionContext.create(context).getArgs<unknown>(), viewer, correlationId };
    }
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return { args: request.query, viewer: await this.viewers.of(request) };
  }
}

/**
 * Marks an operation that returns confidential data. Its response is sent only after the read is recorded in the log.
 * @param scopeOf returns null when the result is the caller's own data
 */
export const Confidential = <Args, Result>(
  what: ConfidentialKind,
  scopeOf: (read: CompletedRead<Args, Result>) => ReadScope | null,
  { isCopy = false }: { readonly isCopy?: boolean } = {},
): MethodDecorator =>
  applyDecorators(
    // Sound: the interceptor passes the arguments and result of this operation.
    SetMetadata<symbol, TraceRule>(TRACE_RULE, { what, scopeOf, isCopy }),
    UseInterceptors(ConfidentialInterceptor),
  );

/** Marks a staff read that returns nothing confidential, with the reason. */
export const Untraced = (noTraceBecause: string): MethodDecorator =>
  SetMetadata<symbol, TraceRule>(TRACE_RULE, { noTraceBecause });
