import assert from 'node:assert/strict';
import { fold, type Aggregate } from '../decider.js';
import { DomainError } from '../errors.js';
import type { DomainEvent } from '../events.js';
import type { DomainErrorCode } from '../messages.js';

/** Given these events, when a command is decided, then it returns events or is refused with a code. */
export const given = <S, E extends DomainEvent>(
  decider: Aggregate<S, E>['decider'],
  ...history: readonly NoInfer<E>[]
) => ({
  when: (decide: (state: S) => readonly E[]) => {
    const decideNow = () => decide(fold(decider, history));
    return {
      then: (...expected: readonly E[]) => assert.deepEqual(decideNow(), expected),
      thenNothingHappens: () => assert.deepEqual(decideNow(), []),
      thenRefused: (code: DomainErrorCode) =>
        assert.throws(decideNow, (error) => {
          assert.ok(error instanceof DomainError, String(error));
          assert.equal(error.code, code);
          return true;
        }),
    };
  },
  state: () => fold(decider, history),
});
