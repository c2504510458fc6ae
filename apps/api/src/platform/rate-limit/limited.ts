import {
  applyDecorators,
  Injectable,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { requestContextOf } from '../auth/access.js';
import type { LimitName } from './limits.js';
import { RateLimiter } from './rate-limiter.js';

const LIMIT = Symbol('nimo:limit');

@Injectable()
class LimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limiter: RateLimiter,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const limit = this.reflector.get<LimitName>(LIMIT, context.getHandler());
    const { viewer } = requestContextOf(context);
    // The access guard ran before: only a signed-in student gets here.
    if (viewer) await this.limiter.use(limit, viewer.studentId);
    return true;
  }
}

/** Counts the operation against the student's limit of that name. */
export const Limited = (limit: LimitName) =>
  applyDecorators(SetMetadata(LIMIT, limit), UseGuards(LimitGuard));
