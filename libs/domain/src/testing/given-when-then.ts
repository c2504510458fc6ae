import assert from 'node:assert/strict';
import { DomainError } from '../errors.js';
import type { DomainEvent } from '../events.js';
import type { DomainErrorCode } from '../messages.js';

interface Aggregate<S, E> {
  readonly initial: S;
  readonly evolve: (state: S, event: E) => S;
}

/** Reads as the rule does: given what happened, when this is asked for, then these events follow or this code refuses. */
export const given = <S, E extends DomainEvent>(
  { initial, evolve }: Aggregate<S, E>,
  ...history: readonly NoInfer<E>[]
) => ({
  when: (decide: (state: S) => readonly E[]) => {
    const decideNow = () => decide(history.reduce(evolve, initial));
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
  state: () => history.reduce(evolve, initial),
});
