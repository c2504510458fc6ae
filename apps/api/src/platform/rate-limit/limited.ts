import {
  applyDecorators,
  Injectable,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { GqlExecutionContext } from '@nestjs/graphql';
import { validate } from 'uuid';
import { requestContextOf } from '../auth/access.js';
import { IdempotencyGuard } from '../commands/idempotency-guard.js';
import type { RequestContext } from '../graphql/request-context.js';
import { noteBudget } from './budgets.js';
import type { LimitName } from './limits.js';
import { RateLimiter } from './rate-limiter.js';

export const LIMIT = Symbol('nimo:limit');

type AddressLimit = Extract<LimitName, `${string}PerAddress`>;
type StudentLimit = Exclude<LimitName, AddressLimit>;

export interface LimitRule {
  readonly limit: LimitName;
  /** Counts each thing by itself, too: the argument has its id. */
  readonly andOn?: readonly [limit: StudentLimit, argument: string];
}

const isByAddress = (limit: LimitName): limit is AddressLimit => limit.endsWith('PerAddress');

@Injectable()
class LimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limiter: RateLimiter,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { limit, andOn } = this.reflector.get<LimitRule>(LIMIT, context.getHandler());
    const { viewer, client } = requestContextOf(context);
    // Who is not signed in is counted as a client.
    const subject = viewer?.studentId ?? client;
    const request = requestContextOf(context);
    if (isByAddress(limit)) await this.limiter.use(limit, client);
    else await this.useOwn(request, limit, subject);
    if (!andOn) return true;
    const id = GqlExecutionContext.create(context).getArgs<Record<string, unknown>>()[andOn[1]];
    // What is no id is refused a moment later, and must not become part of a key.
    if (typeof id === 'string' && validate(id))
      await this.useOwn(request, andOn[0], `${subject}:${id.toLowerCase()}`);
    return true;
  }

  /** Notes what is left where it is the caller's alone: an address is shared, and its budget tells of others. */
  private async useOwn(request: RequestContext, limit: StudentLimit, subject: string): Promise<void> {
    try {
      await this.limiter.use(limit, subject);
    } finally {
      if (request.viewer) noteBudget(request, this.limiter.budgetOf(this.limiter.scaled(limit), subject));
    }
  }
}

/** Counts the operation against the limit of that name, and then looks what its key was used for. Every mutation has one: `LimitsCheck`. */
export const Limited = (limit: LimitName, more: Omit<LimitRule, 'limit'> = {}) =>
  applyDecorators(
    SetMetadata<symbol, LimitRule>(LIMIT, { limit, ...more }),
    UseGuards(LimitGuard, IdempotencyGuard),
  );
