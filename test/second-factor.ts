import { Secret, TOTP } from 'otpauth';
import type { TestApp } from './app.js';

export interface FactorOwner {
  readonly userName: string;
  readonly password: string;
  readonly token: string;
}

export interface SetUpTotp {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** What an app would show, some periods of half a minute from now. */
export const codeOf = (secret: string, now: Date, periods = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: now.getTime() + periods * 30_000,
  });

/**
 * Sets up codes of an app as the screens do.
 * @param clock of the api; read when the code is made, so that no slow request before it makes the code expire
 */
export async function setUpTotp(
  app: TestApp,
  { token, password }: FactorOwner,
  clock: () => Date = () => new Date(),
): Promise<SetUpTotp> {
  const started = await app.graphql<{ startTotp: { secret: string } }>(
    'mutation($password: String!) { startTotp(password: $password) { secret } }',
    { password },
    token,
  );
  if (started.errors) throw new Error(JSON.stringify(started.errors));
  const { secret } = started.data.startTotp;
  const finished = await app.graphql<{ finishTotp: { recoveryCodes: string[] | null } }>(
    'mutation($code: String!) { finishTotp(code: $code) { recoveryCodes } }',
    { code: codeOf(secret, clock()) },
    token,
  );
  if (finished.errors) throw new Error(JSON.stringify(finished.errors));
  return { secret, recoveryCodes: finished.data.finishTotp.recoveryCodes ?? [] };
}
