import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SaxesParser } from 'saxes';
import { type NumberedRow, DUMP_FILES, type DumpFile, FILE_NAMES } from './dump-row.js';
import type { FileCheck } from './file-check.js';
import { XmlText } from './xml-text.js';

const HASHED_BYTES = 64 * 1024;

export interface Dump {
  readonly path: Readonly<Record<DumpFile, string>>;
  /** Why a file cannot be read. */
  readonly missing: ReadonlyMap<DumpFile, string>;
  readonly bytes: number;
  /** Of these very files: the same dump in another folder is the same one, a newer dump of the community is another. */
  readonly identity: string;
}

export async function findDump(folder: string): Promise<Dump> {
  const path = Object.fromEntries(DUMP_FILES.map((file) => [file, join(folder, FILE_NAMES[file])])) as Record<
    DumpFile,
    string
  >;
  const hash = createHash('sha256');
  const missing = new Map<DumpFile, string>();
  let bytes = 0;
  for (const file of DUMP_FILES) {
    const size = await readableSize(path[file]);
    if (typeof size === 'string') {
      missing.set(file, size);
      continue;
    }
    hash.update(`${file}:${size}\n`).update(await beginningOf(path[file]));
    bytes += size;
  }
  return { path, missing, bytes, identity: hash.digest('hex') };
}

/** Or why there is none. */
async function readableSize(path: string): Promise<number | string> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return `missing in ${dirname(path)}`;
  if (!found.isFile()) return 'not a file';
  return access(path, constants.R_OK).then(
    () => found.size,
    () => 'not readable',
  );
}

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HASHED_BYTES), 0, HASHED_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * The rows of a dump's file, a piece of the file at a time: memory holds one piece and the row at hand. Ends early at what is no dump, and
 * `check` knows why.
 *
 * @param onBytes how much was read, for the progress
 */
export async function* readRows(
  path: string,
  check: FileCheck,
  onBytes: (count: number) => void = () => undefined,
): AsyncGenerator<readonly NumberedRow[]> {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const text = new XmlText();
  let rows: NumberedRow[] = [];
  let depth = 0;
  // Noted at once: closing the parser forgets where it was. In a web page the root element says more than an error before it.
  let beforeRoot: Parameters<FileCheck['rootless']> | undefined;
  const stopBeforeRoot = (): void => {
    if (beforeRoot) check.rootless(...beforeRoot);
  };
  let hasRoot = false;
  parser.on('error', ({ message }) => {
    const problem = [parser.line, message.replace(/^\d+:\d+: |\.$/g, '')] as const;
    if (hasRoot) check.stop(...problem);
    else beforeRoot ??= [...problem];
  });
  parser.on('xmldecl', ({ encoding = 'UTF-8' }) => {
    if (!/^utf-?8$/i.test(encoding)) check.encoding(encoding);
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (!hasRoot) {
      hasRoot = true;
      check.root(parser.line, name);
      stopBeforeRoot();
    } else if (name !== 'row' || depth > 2) check.stop(parser.line, `<${name}> where only <row> may be`);
    else rows.push({ line: parser.line, attributes });
  });
  parser.on('closetag', () => {
    depth -= 1;
  });
  let isBeginning = true;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    onBytes(piece.length);
    if (isBeginning && isUtf16(piece)) {
      check.encoding('UTF-16');
      return;
    }
    isBeginning = false;
    parser.write(text.write(piece));
    stopBeforeRoot();
    if (check.isStopped) return;
    if (rows.length === 0) continue;
    yield rows;
    rows = [];
  }
  parser.write(text.end());
  parser.close();
  stopBeforeRoot();
  check.dropped(text);
  if (!check.isStopped && rows.length > 0) yield rows;
}

/** By a byte-order mark, or by the zero byte beside the first "<". */
const isUtf16 = (beginning: Buffer): boolean =>
  ['fffe', 'feff', '3c00', '003c'].includes(beginning.toString('hex', 0, 2));
