import { requireName } from '@nimo/domain';

const MAX_NAME_LENGTH = 60;

/** @throws DomainError PASSKEY_NAME_INVALID */
export const requireFactorName = (given: string): string =>
  requireName(given, MAX_NAME_LENGTH, 'PASSKEY_NAME_INVALID', 'PASSKEY_NAME_INVALID');
