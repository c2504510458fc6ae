import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
const TOKEN_FORM = /^[\w-]{43}$/;

/** Opaque: it means nothing but a row in `state.session`. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** What is stored: a copy of the table opens no session. A fast hash will do, as the token is random. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

export const isTokenShaped = (token: string): boolean => TOKEN_FORM.test(token);

/** `Bearer <token>` or the token alone. */
export const bearerOf = (authorization: string): string => authorization.replace(/^Bearer\s+/i, '').trim();
