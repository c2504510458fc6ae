import { strangerOf } from './student.types.js';

describe('an account in the eyes of somebody else', () => {
  it('says nothing but whether it is registered, and what follows from that', () => {
    const { _id, isRegistered, isFirstTimeLogin, isPhoneVerified, ...others } = strangerOf('s', false);
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
