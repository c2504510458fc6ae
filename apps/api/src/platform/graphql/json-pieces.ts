import { answerBytes } from './answer-bytes.js';

/**
 * The text of `JSON.stringify(tree)`, to be taken a piece at a time.
 *
 * @param tree holds nothing that holds it
 * @param bytes of a piece, roughly; a text longer than that stays in one piece
 */
export function* jsonPieces(tree: object, bytes: number): Generator<string, void> {
  let piece = '';
  for (const part of isDivided(tree, bytes) ? partsOf(tree, bytes) : [JSON.stringify(tree)]) {
    piece += part;
    if (piece.length < bytes) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** Large, and nothing that says itself how it is written. */
function isDivided(value: unknown, bytes: number): value is object {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false;
  return (Array.isArray(value) || isPlain(value)) && answerBytes(value, bytes) > bytes;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const partsOf = (value: object, bytes: number): Generator<string, void> =>
  Array.isArray(value) ? partsOfArray(value, bytes) : partsOfObject(value, bytes);

function* partsOfArray(entries: readonly unknown[], bytes: number): Generator<string, void> {
  for (const [index, entry] of entries.entries()) {
    yield index === 0 ? '[' : ',';
    if (isDivided(entry, bytes)) yield* partsOf(entry, bytes);
    else yield whole(String(index), entry) ?? 'null';
  }
  yield ']';
}

function* partsOfObject(object: object, bytes: number): Generator<string, void> {
  let mark = '{';
  for (const [name, value] of Object.entries(object)) {
    const isLarge = isDivided(value, bytes);
    const text = isLarge ? '' : whole(name, value);
    if (text === undefined) continue;
    yield `${mark}${JSON.stringify(name)}:${text}`;
    mark = ',';
    if (isLarge) yield* partsOf(value, bytes);
  }
  yield mark === '{' ? '{}' : '}';
}

/** Undefined where it is not written. Under its name, as `toJSON` is told it. */
function whole(name: string, value: unknown): string | undefined {
  const text = JSON.stringify({ [name]: value });
  return text === '{}' ? undefined : text.slice(JSON.stringify(name).length + 2, -1);
}
