import { redactedAccount } from './student.types.js';

describe("another user's account", () => {
  it('reveals only whether it is registered', () => {
    const { _id, isRegistered, isFirstTimeLogin, isPhoneVerified, ...others } = redactedAccount('s', false);
    expect({ _id, isRegistered, isFirstTimeLogin, isPhoneVerified }).toEqual({
      _id: 's',
      isRegistered: false,
      isFirstTimeLogin: true,
      isPhoneVerified: false,
    });
    const { roles, ...single } = others;
    expect(roles).toEqual([]);
    expect(Object.values(single).filter((value) => value !== null)).toEqual([]);
  });
});
