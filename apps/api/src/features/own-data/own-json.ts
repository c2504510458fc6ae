import type { OwnEvent } from './own-events.js';
import type { Row } from './moment.js';

/** Of the file; raised where a name in it changes its meaning. */
const OWN_DATA_VERSION = 1;

export interface JsonPart {
  readonly name: string;
  readonly rows: AsyncIterable<Row | OwnEvent>;
}

/** The file in pieces, each part a list of its rows: `{ "format", "version", "madeAt", "<section>": [ … ], …, "events": [ … ] }`. */
export async function* ownJson(madeAt: string, parts: AsyncIterable<JsonPart>): AsyncGenerator<string> {
  yield `{\n"format": "nimo-own-data",\n"version": ${OWN_DATA_VERSION},\n"madeAt": ${JSON.stringify(madeAt)}`;
  for await (const { name, rows } of parts) {
    yield `,\n${JSON.stringify(name)}: [`;
    let before = '\n';
    for await (const row of rows) {
      yield before + JSON.stringify(row);
      before = ',\n';
    }
    yield '\n]';
  }
  yield '\n}\n';
}
