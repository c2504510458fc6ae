import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { day, writeDump, xmlRow } from './testing/dump.fixture.js';
import { Installations } from './testing/import-session.fixture.js';

const ROOT = join(import.meta.dirname, '../../../../..');
const STAGE = 'apps/api/src/features/imports/testing/stage-dump.ts';
const POSTS = 40_000;
const BODY = `<p>${'A paragraph of a question. '.repeat(160)}</p>`;
/** Enough for Node.js, pg and the TypeScript loader, but less than a third of the file. */
const HEAP_MB = 48;
const installations = new Installations();

afterAll(() => installations.drop());

function* posts(): Generator<string> {
  yield '\uFEFF<posts>\n';
  for (let id = 1; id <= POSTS; id++)
    yield xmlRow({
      Id: id,
      PostTypeId: 1,
      CreationDate: day(1),
      OwnerUserId: 1,
      Title: `Question ${id}`,
      Body: BODY,
      Tags: '<a>',
    });
  yield '</posts>\n';
}

describe('staging', () => {
  it('handles a dump larger than the heap', async () => {
    const folder = await writeDump({ users: [{ Id: 1, CreationDate: day(0), DisplayName: 'Ada' }] });
    try {
      const file = join(folder, 'Posts.xml');
      await pipeline(Readable.from(posts()), createWriteStream(file));
      expect((await stat(file)).size).toBeGreaterThan(3 * HEAP_MB * 1024 * 1024);
      const { url } = await installations.create();
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [`--max-old-space-size=${HEAP_MB}`, '--import', './scripts/typescript.mjs', STAGE, folder, url],
        { cwd: ROOT },
      );
      // Includes the topic and the author.
      expect(JSON.parse(stdout)).toMatchObject({ planned: POSTS + 2, seen: POSTS + 2 });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
