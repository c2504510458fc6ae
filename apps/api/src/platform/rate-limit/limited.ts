import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type OnModuleInit,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { GqlExecutionContext, RESOLVER_TYPE_METADATA } from '@nestjs/graphql';
import { validate } from 'uuid';
import { IdempotencyGuard } from '../commands/idempotency-keys.js';
import { type RequestContext, requestContextOf } from '../auth/request-context.js';
import { recordBudget, RateLimiter } from './rate-limiter.js';
import type { LimitName } from './limits.js';

const LIMIT = Symbol('nimo:limit');

type AddressLimit = Extract<LimitName, `${string}PerAddress`>;
type StudentLimit = Exclude<LimitName, AddressLimit>;

interface LimitRule {
  readonly limit: LimitName;
  /** A second limit per object, whose id is in the argument. */
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
    // Anonymous callers are counted by client.
    const subject = viewer?.studentId ?? client;
    const request = requestContextOf(context);
    if (isByAddress(limit)) await this.limiter.use(limit, client);
    else await this.useAndReport(request, limit, subject);
    if (!andOn) return true;
    const id = GqlExecutionContext.create(context).getArgs<Record<string, unknown>>()[andOn[1]];
    // Malformed ids are rejected later and must not become part of a key.
    if (typeof id === 'string' && validate(id))
      await this.useAndReport(request, andOn[0], `${subject}:${id.toLowerCase()}`);
    return true;
  }

  /** Reports the budget to signed-in callers only: an address is shared, and its budget would reveal the activity of others. */
  private async useAndReport(request: RequestContext, limit: StudentLimit, subject: string): Promise<void> {
    try {
      await this.limiter.use(limit, subject);
    } finally {
      if (request.viewer) recordBudget(request, this.limiter.budgetOf(this.limiter.scaled(limit), subject));
    }
  }
}

/** Rate-limits an operation, then checks its idempotency key. Required on every mutation: see `LimitsCheck`. */
export const Limited = (limit: LimitName, more: Omit<LimitRule, 'limit'> = {}) =>
  applyDecorators(
    SetMetadata<symbol, LimitRule>(LIMIT, { limit, ...more }),
    UseGuards(LimitGuard, IdempotencyGuard),
  );

/** Prevents the start when a mutation has no rate limit. */
@Injectable()
export class LimitsCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    const missing = [...this.mutations()].filter(({ rule }) => !rule).map(({ name }) => name);
    if (missing.length > 0) throw new Error(`Mutations without a limit: ${missing.join(', ')}`);
  }

  *mutations(): Generator<{ readonly name: string; readonly rule: LimitRule | undefined }> {
    for (const { instance } of this.discovery.getProviders()) {
      if (typeof instance !== 'object' || instance === null) continue;
      const prototype = Object.getPrototypeOf(instance) as Record<string, object>;
      for (const method of this.scanner.getAllMethodNames(prototype)) {
        const handler = prototype[method];
        if (typeof handler !== 'function') continue;
        if (Reflect.getMetadata(RESOLVER_TYPE_METADATA, handler) !== 'Mutation') continue;
        yield {
          name: `${(instance as object).constructor.name}.${method}`,
          rule: Reflect.getMetadata(LIMIT, handler) as LimitRule | undefined,
        };
      }
    }
  }
}
