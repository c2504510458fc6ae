const NEWLINE = 0x0a;

/**
 * The lines of a stream of bytes, without their ends; a last line without an end counts. Not `readline`, which also ends lines at
 * U+2028 and U+2029, and those are ordinary characters inside JSON.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      const line = bytes.subarray(start, end);
      yield rest.length === 0 ? line : Buffer.concat([...rest, line]);
      rest = [];
      start = end + 1;
    }
    if (start < bytes.length) rest.push(Buffer.from(bytes.subarray(start)));
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}
