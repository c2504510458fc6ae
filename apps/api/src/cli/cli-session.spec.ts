import { describe, expect, it } from '@jest/globals';
import { operatorName } from './cli-session.js';
import { UsageError } from './failure.js';

const nobody = (): never => {
  throw new Error('no such user');
};

describe('who works at the command line', () => {
  it.each([
    ['ada', 'ben', 'root', 'ada'],
    [undefined, 'ben', 'root', 'ben'],
    [undefined, undefined, 'carol', 'carol'],
    [undefined, '', 'carol', 'carol'],
    [undefined, 'b\u202een', 'carol', 'carol'],
    [undefined, 'b\ten', 'carol', 'carol'],
    [undefined, 'b'.repeat(65), 'carol', 'carol'],
  ])('is of %j as said, %j behind sudo and %j here: %s', (operator, sudoUser, user, name) => {
    expect(operatorName({ operator }, { sudoUser, userName: () => user })).toBe(name);
  });

  it.each([
    ['a number without a name', nobody],
    ['a name of blanks', () => '  '],
    ['a name of control characters', () => 'a\nb'],
  ])('must be said by %s', (_, userName) => {
    expect(() => operatorName({ operator: undefined }, { sudoUser: undefined, userName })).toThrow(
      UsageError,
    );
  });
});
