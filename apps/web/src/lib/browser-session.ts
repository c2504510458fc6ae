/**
 * A secret that every tab of this browser can read until the browser is closed, and nobody afterwards.
 *
 * It is kept in two halves that are worth nothing alone: a random pad in a session cookie, which the browser drops when it ends, and the
 * secret under that pad in local storage, which no request carries. So no request is ever made in somebody's name by the cookie.
 */

/** Cookies are shared by all ports of a host; local storage is not. */
const cookieName = (): string => `nimo-browser${location.port === '' ? '' : `-${location.port}`}`;

const toHex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

function fromHex(text: string): Uint8Array | null {
  if (!/^(?:[0-9a-f]{2})+$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

const combine = (bytes: Uint8Array, pad: Uint8Array): Uint8Array =>
  bytes.map((byte, index) => byte ^ (pad[index] ?? 0));

function setCookie(value: string, more = ''): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${cookieName()}=${value}; Path=/; SameSite=Strict${secure}${more}`;
}

function readPad(): Uint8Array | null {
  const prefix = `${cookieName()}=`;
  const found = document.cookie.split('; ').find((cookie) => cookie.startsWith(prefix));
  return found === undefined ? null : fromHex(found.slice(prefix.length));
}

/** Puts a new pad into the cookie. @returns the half for local storage */
export function seal(secret: string): string {
  const bytes = new TextEncoder().encode(secret);
  const pad = crypto.getRandomValues(new Uint8Array(bytes.length));
  setCookie(toHex(pad));
  return toHex(combine(bytes, pad));
}

/** @returns null where the browser was closed since, or the halves do not belong together */
export function open(sealed: string): string | null {
  const [bytes, pad] = [fromHex(sealed), readPad()];
  if (!bytes || pad?.length !== bytes.length) return null;
  const secret = new TextDecoder().decode(combine(bytes, pad));
  return /^[\x21-\x7e]+$/.test(secret) ? secret : null;
}

export function forgetPad(): void {
  setCookie('', '; Max-Age=0');
}
