import { Secret, TOTP } from 'otpauth';

const PERIOD_SECONDS = 30;
/** Clocks differ: the code before and the one after are taken as well. */
const WINDOW = 1;
const SECRET_BYTES = 20;

export const TOTP_CODE = /^\d{6}$/;

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({
    issuer: 'Nimo',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });

/** In base32, as people type it into an app. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** What a QR code carries into an app. */
export const totpAddress = (secret: string, userName: string): string => totpOf(secret, userName).toString();

/** @returns the period that the code is of, undefined where it is of none around now */
export function periodOf(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : TOTP.counter({ period: PERIOD_SECONDS, timestamp }) + delta;
}
