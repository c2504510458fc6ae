import type { SignedHead } from '../chain/signed-head.js';
import { isGenuineHead, isSignedHead } from '../chain/signed-head.js';
import { isSignedBy, type PublicKey, type SigningKey, signStatement } from '../chain/signing-key.js';
import { lineHash, LineMarks, nextDigest, NO_LINES } from './line-digest.js';

const FORMAT = 'nimo.export-seal/2';

/** The last line of an exported audit: what was exported, and the head of the chain that its events belong to. */
export interface ExportSeal {
  readonly format: typeof FORMAT;
  /** Lines before this one. */
  readonly lines: number;
  /** Hexadecimal; see line-digest.ts. */
  readonly digest: string;
  /** The beginning of each line's hash, joined, in base64. */
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

/** Sees every line of an export as it is written, and seals it at the end. */
export class ExportSealer {
  #digest: Buffer = NO_LINES;
  readonly #marks = new LineMarks();

  /** @param line without its end */
  add(line: string): void {
    const hash = lineHash(line);
    this.#digest = nextDigest(this.#digest, hash);
    this.#marks.add(hash);
  }

  seal(signed: SignedHead, key: SigningKey): ExportSeal {
    const said: Omit<ExportSeal, 'signature'> = {
      format: FORMAT,
      lines: this.#marks.lines,
      digest: this.#digest.toString('hex'),
      marks: this.#marks.toString(),
      signed,
    };
    return { ...said, signature: signStatement(statementOf(said), key) };
  }
}

export function isGenuineSeal(seal: ExportSeal, key: PublicKey): boolean {
  return isGenuineHead(seal.signed, key) && isSignedBy(statementOf(seal), seal.signature, key);
}

export type ExportFormat = 'ndjson' | 'csv';

const CSV_MARK = '#seal,';

export function sealLine(seal: ExportSeal, format: ExportFormat): string {
  const json = JSON.stringify(seal);
  return format === 'ndjson' ? json : `${CSV_MARK}"${json.replaceAll('"', '""')}"`;
}

/** Undefined where the line is not the seal of an export. */
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
