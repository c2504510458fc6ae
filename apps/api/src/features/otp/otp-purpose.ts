import { registerEnumType } from '@nestjs/graphql';

export type OtpPurpose = 'SIGN_UP' | 'FORGOT_PASSWORD';

export const OtpPurposeEnum: { readonly [P in OtpPurpose]: P } = {
  SIGN_UP: 'SIGN_UP',
  FORGOT_PASSWORD: 'FORGOT_PASSWORD',
};
registerEnumType(OtpPurposeEnum, { name: 'OtpPurpose' });
