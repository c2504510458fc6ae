import { createHash } from 'node:crypto';

const TO_TELL_APART = 16;

/** Tells keys apart and gives nothing of them away. */
export const keyPrint = (name: string, key: Buffer): string =>
  createHash('sha256').update(`nimo ${name} key`).update(key).digest('hex').slice(0, TO_TELL_APART);
