import { ApiError } from '../errors/api-error.js';

export const JSON_LIMITS = {
  /** Brackets in brackets; inputs of the schema have a lower bound of their own. */
  depth: 64,
  /** Brackets, commas and colons: several for each entry of the longest list of the product. */
  signs: 20_000,
} as const;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [SQUARE, CURLY] = [0x5b, 0x7b];
const [SQUARE_END, CURLY_END] = [0x5d, 0x7d];

/**
 * Looks at the bytes of a body before it is parsed: half a megabyte of brackets takes the parser a hundred times longer than text of that size.
 *
 * @returns why it is not to be parsed; undefined also for what is no JSON at all, which the parser tells
 */
export function problemOfJson(bytes: Uint8Array): ApiError | undefined {
  let [depth, signs] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === SQUARE || byte === CURLY) {
      depth += 1;
      signs += 1;
      if (depth > JSON_LIMITS.depth) return TOO_DEEP;
    } else if (byte === SQUARE_END || byte === CURLY_END) {
      depth -= 1;
      signs += 1;
    } else if (byte === COMMA || byte === COLON) signs += 1;
    if (signs > JSON_LIMITS.signs) return TOO_MANY;
  }
  return undefined;
}

/** @returns where the text ends that begins there */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return bytes.length;
}

const refusal = (message: string, rule: string): ApiError =>
  new ApiError('VALIDATION_FAILED', message, { field: 'body', rule });

const TOO_DEEP = refusal(
  `The body is nested too deep: at most ${JSON_LIMITS.depth} levels.`,
  'BODY_TOO_DEEP',
);
const TOO_MANY = refusal(
  `The body has too many values: at most ${JSON_LIMITS.signs} brackets, commas and colons.`,
  'BODY_TOO_MANY_VALUES',
);
