import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { SaxesParser } from 'saxes';
import { ImportError } from './import-error.js';

export type Attributes = Readonly<Record<string, string>>;

/**
 * The rows of a dump's file, a piece of the file at a time: what is in memory is one piece and the row at hand.
 *
 * @param onBytes how much was read, for the progress
 * @throws ImportError with the line where the file is not well-formed XML
 */
export async function* readRows(
  path: string,
  onBytes: (count: number) => void = () => undefined,
): AsyncGenerator<readonly Attributes[]> {
  const parser = new SaxesParser({ xmlns: false, position: true });
  let rows: Attributes[] = [];
  let problem: string | undefined;
  // Noted at once: closing the parser forgets where it was.
  parser.on(
    'error',
    ({ message }) => (problem ??= `line ${parser.line}: ${message.replace(/^\d+:\d+: /, '')}`),
  );
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'row') rows.push(attributes);
  });
  const check = (): void => {
    if (problem !== undefined) throw new ImportError(`${basename(path)}, ${problem}`);
  };
  // Decoded by hand as the stream does, so that the progress counts bytes.
  const decoder = new TextDecoder('utf-8');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    onBytes(chunk.length);
    parser.write(decoder.decode(chunk, { stream: true }));
    check();
    if (rows.length === 0) continue;
    yield rows;
    rows = [];
  }
  parser.write(decoder.decode());
  parser.close();
  check();
  if (rows.length > 0) yield rows;
}
