import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SaxesParser } from 'saxes';
import { type NumberedRow, DUMP_FILES, type DumpFile, DUMP_FILE_NAMES } from './dump-row.js';
import type { FileCheck } from './file-check.js';
import { XmlText } from './xml-text.js';

const HASHED_BYTES = 64 * 1024;

export interface Dump {
  readonly path: Readonly<Record<DumpFile, string>>;
  /** Reason by unreadable file. */
  readonly missing: ReadonlyMap<DumpFile, string>;
  readonly bytes: number;
  /** Hash of sizes and first bytes: independent of the folder, but different for a newer dump. */
  readonly identity: string;
}

export async function findDump(folder: string): Promise<Dump> {
  const path = Object.fromEntries(
    DUMP_FILES.map((file) => [file, join(folder, DUMP_FILE_NAMES[file])]),
  ) as Record<DumpFile, string>;
  const hash = createHash('sha256');
  const missing = new Map<DumpFile, string>();
  let bytes = 0;
  for (const file of DUMP_FILES) {
    const size = await readableSize(path[file]);
    if (typeof size === 'string') {
      missing.set(file, size);
      continue;
    }
    hash.update(`${file}:${size}\n`).update(await firstBytesOf(path[file]));
    bytes += size;
  }
  return { path, missing, bytes, identity: hash.digest('hex') };
}

/** Size in bytes, or the reason why the file is unreadable. */
async function readableSize(path: string): Promise<number | string> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return `missing in ${dirname(path)}`;
  if (!found.isFile()) return 'not a file';
  return access(path, constants.R_OK).then(
    () => found.size,
    () => 'not readable',
  );
}

async function firstBytesOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HASHED_BYTES), 0, HASHED_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Streams the rows of a dump file in constant memory. Stops early at invalid input and records the reason in `check`.
 *
 * @param onBytes called with the size of each chunk read
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
  // Kept until the root element is known: for a web page, that makes a clearer message. Closing the parser loses the line.
  let beforeRoot: Parameters<FileCheck['rejectRootless']> | undefined;
  const stopIfRootless = (): void => {
    if (beforeRoot) check.rejectRootless(...beforeRoot);
  };
  let hasRoot = false;
  parser.on('error', ({ message }) => {
    const problem = [parser.line, message.replace(/^\d+:\d+: |\.$/g, '')] as const;
    if (hasRoot) check.stop(...problem);
    else beforeRoot ??= [...problem];
  });
  parser.on('xmldecl', ({ encoding = 'UTF-8' }) => {
    if (!/^utf-?8$/i.test(encoding)) check.rejectEncoding(encoding);
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (!hasRoot) {
      hasRoot = true;
      check.checkRoot(parser.line, name);
      stopIfRootless();
    } else if (name !== 'row' || depth > 2) check.stop(parser.line, `<${name}> where only <row> is allowed`);
    else rows.push({ line: parser.line, attributes });
  });
  parser.on('closetag', () => {
    depth -= 1;
  });
  let isFirst = true;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    onBytes(chunk.length);
    if (isFirst && isUtf16(chunk)) {
      check.rejectEncoding('UTF-16');
      return;
    }
    isFirst = false;
    parser.write(text.write(chunk));
    stopIfRootless();
    if (check.isStopped) return;
    if (rows.length === 0) continue;
    yield rows;
    rows = [];
  }
  parser.write(text.end());
  parser.close();
  stopIfRootless();
  check.recordDropped(text);
  if (!check.isStopped && rows.length > 0) yield rows;
}

/** Detects a byte order mark, or a zero byte next to the first "<". */
const isUtf16 = (start: Buffer): boolean =>
  ['fffe', 'feff', '3c00', '003c'].includes(start.toString('hex', 0, 2));
