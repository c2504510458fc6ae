import { isUtf8 } from 'node:buffer';

/** Well-formed UTF-8 sequences in bytes decoded as Latin-1. */
const WELL_FORMED =
  /[\x00-\x7f]+|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}/g;

const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|&#(?:x([0-9a-f]+)|([0-9]+));/gi;

/** Attribute values contain no raw "<". */
const ROW_START = /(?=<)/;

const BYTE_ORDER_MARK = '\ufeff';

const NOT_UTF8 = 'bytes that are not UTF-8';

const INCOMPLETE_REFERENCE = /&(?:#(?:x?[0-9a-f]{0,12})?)?$/i;

/** Streaming decoder that drops and counts bytes and characters that XML does not allow. */
export class XmlText {
  /** Number of dropped characters or bytes by kind. */
  readonly dropped = new Map<string, number>();
  /** Number of rows with invalid UTF-8. */
  damagedRows = 0;
  private isRowDamaged = false;
  /** Bytes beyond one per UTF-16 code unit: zero for ASCII, at least one per other letter. */
  private wideBytes = 0;
  private bytes: Buffer = Buffer.alloc(0);
  private text = '';

  write(chunk: Buffer): string {
    const bytes = this.bytes.length === 0 ? chunk : Buffer.concat([this.bytes, chunk]);
    const end = bytes.length - incompleteCharacterLength(bytes);
    this.bytes = bytes.subarray(end);
    const text = this.text + this.decode(bytes.subarray(0, end));
    this.text = INCOMPLETE_REFERENCE.exec(text)?.[0] ?? '';
    return this.dropForbidden(text.slice(0, text.length - this.text.length));
  }

  end(): string {
    return this.dropForbidden(this.text + this.decode(this.bytes));
  }

  /** Whether most letters outside ASCII are malformed. */
  get isMostlyDamaged(): boolean {
    return (this.dropped.get(NOT_UTF8) ?? 0) > this.wideBytes;
  }

  private decode(bytes: Buffer): string {
    const valid = this.wellFormed(bytes);
    const text = valid.toString('utf8');
    this.wideBytes += valid.length - text.length - (text.startsWith(BYTE_ORDER_MARK) ? 2 : 0);
    return text;
  }

  private wellFormed(bytes: Buffer): Buffer {
    if (isUtf8(bytes)) {
      if (bytes.includes('<')) this.isRowDamaged = false;
      return bytes;
    }
    const rows = bytes.toString('latin1').split(ROW_START);
    return Buffer.from(rows.map((row) => this.keepWellFormed(row)).join(''), 'latin1');
  }

  /** @param row as Latin-1; may be the rest of a row that started in an earlier chunk */
  private keepWellFormed(row: string): string {
    if (row.startsWith('<')) this.isRowDamaged = false;
    const valid = (row.match(WELL_FORMED) ?? []).join('');
    if (valid.length === row.length) return row;
    this.count(NOT_UTF8, row.length - valid.length);
    if (!this.isRowDamaged) this.damagedRows += 1;
    this.isRowDamaged = true;
    return valid;
  }

  private dropForbidden(text: string): string {
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

/** Length of an incomplete character at the end. */
function incompleteCharacterLength(bytes: Buffer): number {
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
  return code > 0x10ffff ? 'characters beyond Unicode' : undefined;
}
