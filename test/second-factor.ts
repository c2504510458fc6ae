import { Secret, TOTP } from 'otpauth';
import type { TestApp } from './app.js';

export interface FactorOwner {
  readonly userName: string;
  readonly password: string;
  readonly token: string;
}

export interface TotpSetup {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** The code an authenticator app shows, `periods` of 30 seconds from now. */
export const totpCode = (secret: string, now: Date, periods = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: now.getTime() + periods * 30_000,
  });

/**
 * Sets up an authenticator app, like the screens do.
 * @param clock clock of the API; read just before use, so that a slow request cannot expire the code
 */
export async function setUpTotp(
  app: TestApp,
  { token, password }: FactorOwner,
  clock: () => Date = () => new Date(),
): Promise<TotpSetup> {
  const started = await app.graphql<{ startTotp: { secret: string } }>(
    'mutation($password: String!) { startTotp(password: $password) { secret } }',
    { password },
    token,
  );
  if (started.errors) throw new Error(JSON.stringify(started.errors));
  const { secret } = started.data.startTotp;
  const finished = await app.graphql<{ finishTotp: { recoveryCodes: string[] | null } }>(
    'mutation($code: String!) { finishTotp(code: $code) { recoveryCodes } }',
    { code: totpCode(secret, clock()) },
    token,
  );
  if (finished.errors) throw new Error(JSON.stringify(finished.errors));
  return { secret, recoveryCodes: finished.data.finishTotp.recoveryCodes ?? [] };
}
