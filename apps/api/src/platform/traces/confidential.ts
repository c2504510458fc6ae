import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import type { ConfidentialKind } from '@nimo/domain';
import { ConfidentialInterceptor } from './confidential.interceptor.js';
import { type AnsweredRead, type ReadScope, TRACE_RULE, type TraceRule } from './trace-rule.js';

/**
 * An answer that holds what members do not see. It is sent once the log says who read it; where that cannot be written, it is refused.
 * @param scopeOf null where the answer is the caller's own, and no read of anything confidential
 */
export const Confidential = <Args, Result>(
  what: ConfidentialKind,
  scopeOf: (read: AnsweredRead<Args, Result>) => ReadScope | null,
  { isCopy = false }: { readonly isCopy?: boolean } = {},
): MethodDecorator =>
  applyDecorators(
    // The interceptor hands over the arguments and the result of this very operation.
    SetMetadata<symbol, TraceRule>(TRACE_RULE, { what, scopeOf, isCopy }),
    UseInterceptors(ConfidentialInterceptor),
  );

/** For a read by staff that shows nothing confidential: says why. */
export const LeavesNoTrace = (noTraceBecause: string): MethodDecorator =>
  SetMetadata<symbol, TraceRule>(TRACE_RULE, { noTraceBecause });
