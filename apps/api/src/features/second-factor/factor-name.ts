import { DomainError } from '@nimo/domain';

const MAX_NAME_LENGTH = 60;

/** @throws DomainError PASSKEY_NAME_INVALID */
export function requireFactorName(given: string): string {
  const name = given.trim();
  if (name.length === 0 || name.length > MAX_NAME_LENGTH)
    throw new DomainError('PASSKEY_NAME_INVALID', { max: MAX_NAME_LENGTH });
  return name;
}
