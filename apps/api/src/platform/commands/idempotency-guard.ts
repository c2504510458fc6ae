import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { GqlExecutionContext } from '@nestjs/graphql';
import { OperationTypeNode, type GraphQLResolveInfo } from 'graphql';
import { IdempotencyKeys } from './idempotency-keys.js';
import { requestContextOf } from '../auth/request-context.js';

/** Refuses a key that was used for something else before any mutation, also where none of its work is a command. */
@Injectable()
export class IdempotencyGuard implements CanActivate {
  constructor(private readonly keys: IdempotencyKeys) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { viewer, idempotencyKey: given } = requestContextOf(context);
    const { operation } = GqlExecutionContext.create(context).getInfo<GraphQLResolveInfo>();
    if (viewer && given && operation.operation === OperationTypeNode.MUTATION)
      await this.keys.require({ studentId: viewer.studentId, given });
    return true;
  }
}
