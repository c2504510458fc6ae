import { fromBuffer, type Entry, type ZipFile } from 'yauzl';

/** Files of a ZIP archive by name, with sizes checked. */
export async function unzipped(zip: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const opened = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(zip, { lazyEntries: true, validateEntrySizes: true }, (error, file) => {
      if (error) reject(error);
      else resolve(file);
    });
  });
  const files = new Map<string, Buffer>();
  await new Promise<void>((resolve, reject) => {
    opened.on('error', reject).on('end', resolve);
    opened.on('entry', (entry: Entry) => {
      contentOf(opened, entry).then((content) => {
        files.set(entry.fileName, content);
        opened.readEntry();
      }, reject);
    });
    opened.readEntry();
  });
  return files;
}

const contentOf = (zip: ZipFile, entry: Entry): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) {
        reject(error);
        return;
      }
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('error', reject).on('end', () => resolve(Buffer.concat(pieces)));
    });
  });
