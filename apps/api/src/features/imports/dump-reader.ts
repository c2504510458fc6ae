import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isUtf8 } from 'node:buffer';
import { SaxesParser } from 'saxes';
import type { NumberedRow } from './dump-row.js';
import type { FileCheck } from './file-check.js';

/** Something about an import that the person who gave it can put right: one clear line. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

export const DUMP_FILES = ['users', 'posts', 'comments', 'votes'] as const;
export type DumpFile = (typeof DUMP_FILES)[number];

export const FILE_NAMES: Readonly<Record<DumpFile, string>> = {
  users: 'Users.xml',
  posts: 'Posts.xml',
  comments: 'Comments.xml',
  votes: 'Votes.xml',
};

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

/** Characters of UTF-8, over its bytes as Latin-1. */
const WELL_FORMED =
  /[\x00-\x7f]+|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}/g;
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|&#(?:x([0-9a-f]+)|([0-9]+));/gi;
/** Attributes have no raw "<". */
const ROW_BEGINS = /(?=<)/;
const BYTE_ORDER_MARK = '\ufeff';
const NOT_UTF8 = 'bytes that are not UTF-8';
const CUT_REFERENCE = /&(?:#(?:x?[0-9a-f]{0,12})?)?$/i;

/** A file's bytes as text that XML allows, a piece at a time. The rest is dropped and counted. */
export class XmlText {
  /** How many of each kind. */
  readonly dropped = new Map<string, number>();
  /** Rows with bytes that are not UTF-8. */
  damagedRows = 0;
  private isRowDamaged = false;
  /** Bytes in addition to one for each UTF-16 unit: none for ASCII, at least one for any other letter. */
  private wideBytes = 0;
  private bytes: Buffer = Buffer.alloc(0);
  private text = '';

  write(piece: Buffer): string {
    const bytes = this.bytes.length === 0 ? piece : Buffer.concat([this.bytes, piece]);
    const end = bytes.length - cutCharacter(bytes);
    this.bytes = bytes.subarray(end);
    const text = this.text + this.decode(bytes.subarray(0, end));
    this.text = CUT_REFERENCE.exec(text)?.[0] ?? '';
    return this.allowed(text.slice(0, text.length - this.text.length));
  }

  end(): string {
    return this.allowed(this.text + this.decode(this.bytes));
  }

  /** Whether fewer letters outside ASCII are well-formed than not. */
  get isMostlyDamaged(): boolean {
    return (this.dropped.get(NOT_UTF8) ?? 0) > this.wideBytes;
  }

  private decode(bytes: Buffer): string {
    const good = this.wellFormed(bytes);
    const text = good.toString('utf8');
    this.wideBytes += good.length - text.length - (text.startsWith(BYTE_ORDER_MARK) ? 2 : 0);
    return text;
  }

  private wellFormed(bytes: Buffer): Buffer {
    if (isUtf8(bytes)) {
      if (bytes.includes('<')) this.isRowDamaged = false;
      return bytes;
    }
    const rows = bytes.toString('latin1').split(ROW_BEGINS);
    return Buffer.from(rows.map((row) => this.wellFormedIn(row)).join(''), 'latin1');
  }

  /** @param row as Latin-1; the rest of one where a piece of the file begins */
  private wellFormedIn(row: string): string {
    if (row.startsWith('<')) this.isRowDamaged = false;
    const good = (row.match(WELL_FORMED) ?? []).join('');
    if (good.length === row.length) return row;
    this.count(NOT_UTF8, row.length - good.length);
    if (!this.isRowDamaged) this.damagedRows += 1;
    this.isRowDamaged = true;
    return good;
  }

  private allowed(text: string): string {
    return text.replace(FORBIDDEN, (written, hex: string | undefined, decimal: string | undefined) => {
      const kind = forbiddenKind(codeOf(written, hex, decimal));
      if (kind === undefined) return written;
      this.count(kind, 1);
      return '';
    });
  }

  private count(kind: string, more: number): void {
    this.dropped.set(kind, (this.dropped.get(kind) ?? 0) + more);
  }
}

/** Bytes at the end that begin a character and wait for its others. */
function cutCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > back ? back : 0;
  }
  return 0;
}

function codeOf(written: string, hex: string | undefined, decimal: string | undefined): number {
  if (hex !== undefined) return Number.parseInt(hex, 16);
  return decimal === undefined ? written.charCodeAt(0) : Number(decimal);
}

function forbiddenKind(code: number): string | undefined {
  if (code < 0x20) return [0x9, 0xa, 0xd].includes(code) ? undefined : 'control characters';
  if (code >= 0xd800 && code <= 0xdfff) return 'lone surrogates';
  if (code === 0xfffe || code === 0xffff) return 'noncharacters';
  return code > 0x10ffff ? 'characters that Unicode does not have' : undefined;
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
