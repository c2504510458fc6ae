import type { Pool } from 'pg';
import {
  isGenuineHead,
  isSignedBy,
  isSignedHead,
  type PublicKey,
  type SignedHead,
  type SigningKey,
  signStatement,
} from './signed-head.js';
import {
  exportedLines,
  lineHash,
  LineMarks,
  type NamedEvent,
  namedEventOf,
  nextDigest,
  NO_LINES,
  type ExportFormat,
} from './log-lines.js';
import { findLinks } from './chain-table.js';
import type { Mismatch } from './mismatches.js';

export type ExportProblem =
  | { readonly kind: 'no-seal'; readonly detail: string }
  | { readonly kind: 'unknown-key'; readonly detail: string }
  | { readonly kind: 'changed-file'; readonly detail: string }
  | { readonly kind: 'log'; readonly detail: string; readonly mismatch: Mismatch }
  | { readonly kind: 'line'; readonly line: number; readonly detail: string };

const FORMAT = 'nimo.export-seal/2';

/** Last line of an exported audit: a signed digest of the lines, and the chain head that covers their events. */
export interface ExportSeal {
  readonly format: typeof FORMAT;
  /** Number of lines before this one. */
  readonly lines: number;
  /** Digest of the lines, hexadecimal; see `NO_LINES`. */
  readonly digest: string;
  /** Concatenated hash prefixes of the lines, base64. */
  readonly marks: string;
  readonly signed: SignedHead;
  readonly signature: string;
}

const statementOf = ({ format, lines, digest, marks, signed }: Omit<ExportSeal, 'signature'>) => ({
  format,
  lines,
  digest,
  marks,
  signed: { ...signed },
});

/** Accumulates the lines of an export and seals them. */
export class ExportSealer {
  private digest: Buffer = NO_LINES;
  private readonly marks = new LineMarks();

  /** @param line without its line terminator */
  add(line: string): void {
    const hash = lineHash(line);
    this.digest = nextDigest(this.digest, hash);
    this.marks.add(hash);
  }

  seal(signed: SignedHead, key: SigningKey): ExportSeal {
    const unsigned: Omit<ExportSeal, 'signature'> = {
      format: FORMAT,
      lines: this.marks.lines,
      digest: this.digest.toString('hex'),
      marks: this.marks.toString(),
      signed,
    };
    return { ...unsigned, signature: signStatement(statementOf(unsigned), key) };
  }
}

export function isGenuineSeal(seal: ExportSeal, key: PublicKey): boolean {
  return isGenuineHead(seal.signed, key) && isSignedBy(statementOf(seal), seal.signature, key);
}

const CSV_MARK = '#seal,';

export function sealLine(seal: ExportSeal, format: ExportFormat): string {
  const json = JSON.stringify(seal);
  return format === 'ndjson' ? json : `${CSV_MARK}"${json.replaceAll('"', '""')}"`;
}

/** Undefined if the line is not a seal. */
export function parseSeal(line: string): ExportSeal | undefined {
  const quoted = line.startsWith(CSV_MARK) ? line.slice(CSV_MARK.length).trim() : undefined;
  const json = quoted === undefined ? line : quoted.replace(/^"|"$/g, '').replaceAll('""', '"');
  try {
    const value: unknown = JSON.parse(json);
    return isSeal(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isSeal(value: unknown): value is ExportSeal {
  if (typeof value !== 'object' || value === null) return false;
  const { format, lines, digest, marks, signed, signature } = value as Partial<
    Record<keyof ExportSeal, unknown>
  >;
  return (
    format === FORMAT &&
    typeof marks === 'string' &&
    Number.isSafeInteger(lines) &&
    typeof digest === 'string' &&
    typeof signature === 'string' &&
    isSignedHead(signed)
  );
}

interface SealedExportOptions {
  readonly pool: Pool;
  /** Lines that start with an ordinal and have an `eventId`, in chunks of any size. The first line of a CSV is the header. */
  readonly text: AsyncIterable<string>;
  readonly format: ExportFormat;
  /** Lines of later events are omitted. */
  readonly signed: SignedHead;
  readonly key: SigningKey;
}

const BATCH_SIZE = 500;

/** Adds the leaf of its event to each line, and the seal that `proveExport` checks at the end. */
export async function* sealedExport(options: SealedExportOptions): AsyncGenerator<string> {
  const { format, signed, key } = options;
  const end = format === 'csv' ? '\r\n' : '\n';
  const sealer = new ExportSealer();
  const written = (line: string): string => {
    // A reader that splits at \n sees the carriage return of a CSV line as part of it.
    sealer.add(format === 'csv' ? `${line}\r` : line);
    return line + end;
  };
  let isHeading = format === 'csv';
  for await (const lines of batchesOf(options)) {
    const heading = isHeading ? lines.shift() : undefined;
    isHeading = false;
    if (heading !== undefined) yield written(`${heading},leaf`);
    const proven = await withLeaves(options, lines);
    if (proven.length > 0) yield proven.map(written).join('');
  }
  yield sealLine(sealer.seal(signed, key), format) + end;
}

async function* batchesOf({ text, format }: SealedExportOptions): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const bytes of exportedLines(bytesOf(text), format)) {
    batch.push(bytes.toString().replace(/\r$/, ''));
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function* bytesOf(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const part of text) yield Buffer.from(part);
}

async function withLeaves(
  { pool, format, signed }: SealedExportOptions,
  lines: readonly string[],
): Promise<string[]> {
  const identified = lines.flatMap((line) => {
    const event = namedEventOf(line, format);
    if (!event) throw new TypeError(`a line of the export does not identify an event: ${line.slice(0, 80)}`);
    return event.ordinal <= signed.ordinal ? [{ line, event }] : [];
  });
  const links = await findLinks(
    pool,
    identified.map(({ event }) => event.ordinal),
  );
  return identified.map(({ line, event }) =>
    withLeaf(line, leafFor(event, links.get(event.ordinal)), format),
  );
}

function leafFor(
  { ordinal, eventId }: NamedEvent,
  link: { readonly eventId: string; readonly leaf: Buffer } | undefined,
): string {
  if (link?.eventId === eventId) return link.leaf.toString('hex');
  throw new Error(
    `ordinal ${ordinal} is ${eventId} in the audit and ${link?.eventId ?? 'nothing'} in the chain`,
  );
}

function withLeaf(line: string, leaf: string, format: ExportFormat): string {
  return format === 'csv' ? `${line},${leaf}` : `${line.slice(0, line.lastIndexOf('}'))},"leaf":"${leaf}"}`;
}

interface SealCheck {
  readonly seal: ExportSeal | null;
  readonly problems: readonly ExportProblem[];
}

interface SealedFile {
  readonly open: () => AsyncIterable<Uint8Array>;
  readonly format: ExportFormat;
  readonly keys: readonly PublicKey[];
  /** Called for each line except the last, which should be the seal. */
  readonly onLine: (line: Buffer, number: number) => void;
}

const MAX_LISTED = 20;

const failed = (kind: 'no-seal' | 'unknown-key', detail: string): SealCheck => ({
  seal: null,
  problems: [{ kind, detail }],
});

/** Checks that the file is unchanged, and finds the lines that are not. */
export async function checkSeal({ open, format, keys, onLine }: SealedFile): Promise<SealCheck> {
  let digest: Buffer = NO_LINES;
  const marks = new LineMarks();
  let last: Buffer | undefined;
  for await (const line of exportedLines(open(), format)) {
    if (last) {
      const hash = lineHash(last);
      digest = nextDigest(digest, hash);
      marks.add(hash);
      onLine(last, marks.lines);
    }
    last = line;
  }
  const seal = last && parseSeal(last.toString());
  if (!seal)
    return failed(
      'no-seal',
      'The last line is not a seal: the file is truncated, or was exported without a chain head.',
    );
  const key = keys.find(({ keyId }) => keyId === seal.signed.keyId);
  if (!key)
    return failed(
      'unknown-key',
      `The export was sealed with the unknown key ${seal.signed.keyId}. Pass the key with --public-key.`,
    );
  if (!isGenuineSeal(seal, key)) return failed('no-seal', 'The seal was changed: its signature is invalid.');
  if (seal.lines === marks.lines && seal.digest === digest.toString('hex')) return { seal, problems: [] };
  return { seal, problems: [{ kind: 'changed-file', detail: describeChange(seal, marks) }] };
}

function describeChange({ lines, marks: sealed }: ExportSeal, found: LineMarks): string {
  const changed = changedLines(LineMarks.of(sealed), found);
  if (found.lines !== lines) {
    const [first = Math.min(lines, found.lines) + 1] = changed;
    return `The file has ${found.lines} lines, but ${lines} were exported. The first difference is at line ${first}.`;
  }
  if (changed.length === 0) return 'The text was changed after export.';
  const listed = changed.slice(0, MAX_LISTED).join(', ');
  const more = changed.length > MAX_LISTED ? ` and ${changed.length - MAX_LISTED} more` : '';
  return `The text was changed after export (${changed.length === 1 ? 'line' : 'lines'} ${listed}${more}).`;
}

/** Numbers (from 1) of the lines that differ from the sealed ones. */
function changedLines(sealed: LineMarks, found: LineMarks): number[] {
  const lines: number[] = [];
  for (let line = 1; line <= found.lines; line += 1)
    if (!found.at(line).equals(sealed.at(line))) lines.push(line);
  return lines;
}
