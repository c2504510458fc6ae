import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, type Duplex, type Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SealedFiles } from './sealed-files.js';

const KEY = randomBytes(32);
const CHUNK = 64 * 1024;
const HEADER = 39;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nimo-sealed-'));
});
afterAll(() => rm(folder, { recursive: true }));

const cut = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size));
const through = (bytes: Buffer, transform: Transform, size = 10_007): Promise<Buffer> =>
  buffer(Readable.from(cut(bytes, size)).compose<Duplex>(transform));

describe('a sealed file', () => {
  it.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 5])(
    'decrypts to the original %i bytes, however the stream is cut',
    async (length) => {
      const [plain, files] = [randomBytes(length), SealedFiles.create(KEY)];
      const sealed = await through(plain, files.sealStream('tables/a'));
      for (const size of [1_000, CHUNK + 16, sealed.length])
        expect((await through(sealed, files.openStream('tables/a'), size)).equals(plain)).toBe(true);
    },
  );

  it('has a different ciphertext each time', async () => {
    const plain = Buffer.from('the same');
    const [one, two] = [SealedFiles.create(KEY), SealedFiles.create(KEY)];
    expect(await through(plain, one.sealStream('a'))).not.toEqual(await through(plain, two.sealStream('a')));
    const bodies = await Promise.all(['a', 'b'].map((place) => through(plain, one.sealStream(place))));
    expect(bodies[0]?.subarray(HEADER)).not.toEqual(bodies[1]?.subarray(HEADER));
  });

  it('is rejected if altered, truncated at a chunk, reordered or moved', async () => {
    const files = SealedFiles.create(KEY);
    const sealed = await through(randomBytes(2 * CHUNK), files.sealStream('a'));
    const [header, first, second, last] = [
      sealed.subarray(0, HEADER),
      sealed.subarray(HEADER, HEADER + CHUNK + 16),
      sealed.subarray(HEADER + CHUNK + 16),
      Buffer.alloc(0),
    ];
    const flipped = Buffer.from(sealed);
    flipped[HEADER + 5] = (flipped[HEADER + 5] ?? 0) ^ 1;
    for (const damaged of [
      flipped,
      Buffer.concat([header, first]),
      Buffer.concat([header, second, first, last]),
      Buffer.concat([header, first, first, second]),
      sealed.subarray(0, 10),
      Buffer.alloc(0),
    ])
      await expect(through(damaged, files.openStream('a'))).rejects.toThrow('is damaged');
    await expect(through(sealed, files.openStream('b'))).rejects.toThrow('is damaged');
  });

  it('reports a missing or wrong key', async () => {
    const path = join(folder, 'manifest');
    await writeFile(path, await through(Buffer.from('{}'), SealedFiles.create(KEY).sealStream('manifest')));
    await expect(SealedFiles.forBackup(path, undefined)).rejects.toThrow('set NIMO_BACKUP_KEY');
    await expect(SealedFiles.forBackup(path, randomBytes(32))).rejects.toThrow(
      'NIMO_BACKUP_KEY is not the key',
    );
    await writeFile(path, 'short');
    await expect(SealedFiles.forBackup(path, KEY)).rejects.toThrow('is damaged');
  });
});
