/**
 * The one text of a JSON value, by RFC 8785 (JSON Canonicalization Scheme): no blanks, keys in the order of their UTF-16 code units,
 * numbers and strings as ECMAScript writes them, which is what `JSON.stringify` does. Stores may keep other blanks, orders of keys,
 * `1.0` or `1e2`; after `JSON.parse` (the last of two equal keys wins) the same value has the same text.
 *
 * By hand, since it runs for every event of a log: sorting is skipped where keys are sorted already, and `__proto__` is a key like any other.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return canonicalNumber(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object') throw new TypeError(`${typeof value} is no JSON value`);
  if (Array.isArray(value)) {
    let text = '[';
    for (let index = 0; index < value.length; index++) {
      text += (index === 0 ? '' : ',') + canonicalJson(value[index]);
    }
    return text + ']';
  }
  const members = value as Readonly<Record<string, unknown>>;
  let text = '{';
  for (const key of sortedKeys(members)) {
    text += (text.length === 1 ? '' : ',') + JSON.stringify(key) + ':' + canonicalJson(members[key]);
  }
  return text + '}';
}

/** `JSON.parse` reads 1e400 as Infinity, which the RFC refuses and `JSON.stringify` would write as null. */
function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} is no JSON number`);
  return JSON.stringify(value);
}

/** `sort` without a comparison goes by UTF-16 code units, as the RFC wants it. */
function sortedKeys(value: object): string[] {
  const keys = Object.keys(value);
  for (let index = 1; index < keys.length; index++) {
    const [before, key] = [keys[index - 1], keys[index]];
    if (before !== undefined && key !== undefined && before > key) return keys.sort();
  }
  return keys;
}
