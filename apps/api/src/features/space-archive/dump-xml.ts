import type { Row } from '../own-data/own-page.js';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#xA;',
  '\r': '&#xD;',
  '\t': '&#x9;',
};
/** What XML cannot say, however it is written. */
const UNSPEAKABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const attribute = (value: unknown): string =>
  String(value)
    .replace(UNSPEAKABLE, '')
    .replace(/[&<>"\n\r\t]/g, (character) => ESCAPES[character] ?? '');

/** A file of a Stack Exchange dump, row by row; what a row lacks is not in it, as there. */
export async function* dumpXml(
  file: string,
  rows: AsyncIterable<Row>,
  shown = (row: Row): Row => row,
): AsyncGenerator<string> {
  const root = file.toLowerCase();
  yield `<?xml version="1.0" encoding="utf-8"?>\n<${root}>\n`;
  for await (const row of rows) {
    const attributes = Object.entries(shown(row)).filter(([, value]) => value !== null);
    yield `  <row ${attributes.map(([name, value]) => `${name}="${attribute(value)}"`).join(' ')} />\n`;
  }
  yield `</${root}>\n`;
}
