import { DomainError, PASSWORD_MIN_LENGTH } from '@nimo/domain';

/**
 * What guessers try first: of the 49,000 most frequent passwords of known breaches those that are long enough. It ships with Nimo, so nobody
 * is asked, and is read when somebody chooses a password: most processes never need it.
 */
let breached: Promise<ReadonlySet<string>> | undefined;

async function readBreached(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary.passwords.filter((password) => password.length >= PASSWORD_MIN_LENGTH));
}

/** Case does not help: guessers turn it. @throws DomainError PASSWORD_BREACHED */
export async function requireUnbreached(password: string): Promise<void> {
  breached ??= readBreached();
  if ((await breached).has(password.toLowerCase())) throw new DomainError('PASSWORD_BREACHED');
}
