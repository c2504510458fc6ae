import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Observable } from 'rxjs';
import { requestContextOf } from '../auth/access.js';
import { ClientAddresses } from './client-address.js';
import { calledBy, type Caller } from './whence.js';

/** Around every operation and route. Not a hook of the server: whoever sends a body in parts would be nowhere by its end. */
@Injectable()
export class WhenceInterceptor implements NestInterceptor {
  constructor(private readonly clients: ClientAddresses) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const caller = this.callerIn(context);
    return new Observable((subscriber) => calledBy(caller, () => next.handle().subscribe(subscriber)));
  }

  private callerIn(context: ExecutionContext): Caller {
    if (context.getType<'graphql' | 'http'>() === 'graphql') return requestContextOf(context);
    const { raw, headers } = context.switchToHttp().getRequest<FastifyRequest>();
    return { address: this.clients.of(raw).address, userAgent: headers['user-agent'] ?? '' };
  }
}
