const NUMBER_BYTES = 8;
const PUNCTUATION_BYTES = 4;

/**
 * How many bytes an answer has as JSON, roughly, without making it: what it would take to write it is what must not be spent.
 *
 * @returns more than `limit` as soon as that is certain; the rest is not looked at
 */
export function answerBytes(answer: unknown, limit: number): number {
  const waiting: unknown[] = [answer];
  let bytes = 0;
  while (waiting.length > 0 && bytes <= limit) {
    const value = waiting.pop();
    if (typeof value === 'string') bytes += Buffer.byteLength(value) + PUNCTUATION_BYTES;
    else if (typeof value !== 'object' || value === null) bytes += NUMBER_BYTES;
    else if (Array.isArray(value)) for (const entry of value) waiting.push(entry);
    else {
      for (const [name, inner] of Object.entries(value)) {
        bytes += name.length + PUNCTUATION_BYTES;
        waiting.push(inner);
      }
    }
  }
  return bytes;
}
