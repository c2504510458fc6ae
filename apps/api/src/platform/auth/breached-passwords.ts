import { dictionary } from '@zxcvbn-ts/language-common';
import { DomainError, PASSWORD_MIN_LENGTH } from '@nimo/domain';

/** What guessers try first: of the 49,000 most frequent passwords of known breaches those that are long enough. It ships with Nimo, so nobody is asked. */
const BREACHED: ReadonlySet<string> = new Set(
  dictionary.passwords.filter((password) => password.length >= PASSWORD_MIN_LENGTH),
);

/** Case does not help: guessers turn it. @throws DomainError PASSWORD_BREACHED */
export function requireUnbreached(password: string): void {
  if (BREACHED.has(password.toLowerCase())) throw new DomainError('PASSWORD_BREACHED');
}
