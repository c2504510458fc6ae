import { describe, expect, it } from '@jest/globals';
import { operatorName } from './cli-session.js';
import { UsageError } from './failure.js';

const unnamedUser = (): never => {
  throw new Error('no such user');
};

describe('operatorName', () => {
  it.each([
    ['ada', 'ben', 'root', 'ada'],
    [undefined, 'ben', 'root', 'ben'],
    [undefined, undefined, 'carol', 'carol'],
    [undefined, '', 'carol', 'carol'],
    [undefined, 'b\u202een', 'carol', 'carol'],
    [undefined, 'b\ten', 'carol', 'carol'],
    [undefined, 'b'.repeat(65), 'carol', 'carol'],
  ])(
    'given the setting %j, the sudo user %j and the OS user %j, returns %s',
    (operator, sudoUser, user, name) => {
      expect(operatorName({ operator }, { sudoUser, userName: () => user })).toBe(name);
    },
  );

  it.each([
    ['a user ID without a name', unnamedUser],
    ['a blank name', () => '  '],
    ['control characters in the name', () => 'a\nb'],
  ])('rejects %s', (_, userName) => {
    expect(() => operatorName({ operator: undefined }, { sudoUser: undefined, userName })).toThrow(
      UsageError,
    );
  });
});
