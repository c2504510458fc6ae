import type { Pool } from 'pg';
import { findLinks } from '../chain/chain-table.js';
import type { SignedHead } from '../chain/signed-head.js';
import type { SigningKey } from '../chain/signing-key.js';
import { exportedLines, type NamedEvent, namedEventOf } from './exported-lines.js';
import { type ExportFormat, ExportSealer, sealLine } from './export-seal.js';

export interface SealedExportOptions {
  readonly pool: Pool;
  /** Lines that begin with an ordinal and have an `eventId`, in chunks of any size; in CSV the first is the heading. */
  readonly text: AsyncIterable<string>;
  readonly format: ExportFormat;
  /** Lines of later events are left out: the seal says how far it reaches. */
  readonly signed: SignedHead;
  readonly key: SigningKey;
}

const BATCH = 500;

/** The same lines, each with the leaf of its event, and at the end the seal by which `proveExport` checks them. */
export async function* sealedExport(options: SealedExportOptions): AsyncGenerator<string> {
  const { format, signed, key } = options;
  const end = format === 'csv' ? '\r\n' : '\n';
  const sealer = new ExportSealer();
  const written = (line: string): string => {
    // In CSV the carriage return is a part of the line, as a reader of lines sees it.
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
    if (batch.length < BATCH) continue;
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
  const named = lines.flatMap((line) => {
    const event = namedEventOf(line, format);
    if (!event) throw new TypeError(`a line of the export names no event: ${line.slice(0, 80)}`);
    return event.ordinal <= signed.ordinal ? [{ line, event }] : [];
  });
  const links = await findLinks(
    pool,
    named.map(({ event }) => event.ordinal),
  );
  return named.map(({ line, event }) => withLeaf(line, leafFor(event, links.get(event.ordinal)), format));
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
