import {
  type CallHandler,
  type ExecutionContext,
  Global,
  Injectable,
  Module,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Observable } from 'rxjs';
import { runAsCaller, type Caller, ClientAddresses } from '../callers/client-address.js';
import { PublicAddress } from './public-address.js';
import { requestContextOf } from '../auth/request-context.js';

/** Wraps every operation and route. A server hook would lose the async context when a body arrives in chunks. */
@Injectable()
class CallerInterceptor implements NestInterceptor {
  constructor(private readonly clients: ClientAddresses) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const caller = this.readCaller(context);
    return new Observable((subscriber) => runAsCaller(caller, () => next.handle().subscribe(subscriber)));
  }

  private readCaller(context: ExecutionContext): Caller {
    if (context.getType<'graphql' | 'http'>() === 'graphql') {
      const { address, userAgent, acceptLanguage, isDisconnected } = requestContextOf(context);
      return { address, userAgent, acceptLanguage, ...(isDisconnected && { isDisconnected }) };
    }
    const http = context.switchToHttp();
    return this.clients.callerOf(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

@Global()
@Module({
  providers: [PublicAddress, ClientAddresses, { provide: APP_INTERCEPTOR, useClass: CallerInterceptor }],
  exports: [PublicAddress, ClientAddresses],
})
export class WebModule {}
