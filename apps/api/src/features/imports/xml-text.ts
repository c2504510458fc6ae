import { isUtf8 } from 'node:buffer';

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
