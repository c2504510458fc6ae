import type { PublicKey } from '../chain/signing-key.js';
import { exportedLines } from './exported-lines.js';
import { type ExportFormat, type ExportSeal, isGenuineSeal, parseSeal } from './export-seal.js';
import { lineHash, LineMarks, nextDigest, NO_LINES } from './line-digest.js';
import type { ExportProblem } from './prove-export.js';

export interface SealCheck {
  readonly seal: ExportSeal | null;
  readonly problems: readonly ExportProblem[];
}

interface SealedFile {
  readonly open: () => AsyncIterable<Uint8Array>;
  readonly format: ExportFormat;
  readonly keys: readonly PublicKey[];
  /** Each line but the last, which should be the seal. */
  readonly onLine: (line: Buffer, number: number) => void;
}

const MAX_NAMED = 20;

const refused = (kind: 'no-seal' | 'unknown-key', detail: string): SealCheck => ({
  seal: null,
  problems: [{ kind, detail }],
});

/** Whether the file is as it was exported, and which lines are not. */
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
    return refused(
      'no-seal',
      'The last line is no seal: the file is cut off, or was exported without the head of the chain.',
    );
  const key = keys.find(({ keyId }) => keyId === seal.signed.keyId);
  if (!key)
    return refused(
      'unknown-key',
      `It was sealed with the key ${seal.signed.keyId}, which is not known here; name it with --public-key.`,
    );
  if (!isGenuineSeal(seal, key))
    return refused('no-seal', 'The seal was changed: its signature does not fit.');
  if (seal.lines === marks.lines && seal.digest === digest.toString('hex')) return { seal, problems: [] };
  return { seal, problems: [{ kind: 'changed-file', detail: changeOf(seal, marks) }] };
}

function changeOf({ lines, marks: sealed }: ExportSeal, found: LineMarks): string {
  const changed = differing(LineMarks.of(sealed), found);
  if (found.lines !== lines) {
    const [first = Math.min(lines, found.lines) + 1] = changed;
    return `The file has ${found.lines} lines, and ${lines} were exported. The first that is another is line ${first}.`;
  }
  if (changed.length === 0) return 'The text was changed after export.';
  const named = changed.slice(0, MAX_NAMED).join(', ');
  const more = changed.length > MAX_NAMED ? ` and ${changed.length - MAX_NAMED} more` : '';
  return `The text was changed after export (${changed.length === 1 ? 'line' : 'lines'} ${named}${more}).`;
}

/** Numbers of the lines that are not what was sealed, from 1. */
function differing(sealed: LineMarks, found: LineMarks): number[] {
  const lines: number[] = [];
  for (let line = 1; line <= found.lines; line += 1)
    if (!found.at(line).equals(sealed.at(line))) lines.push(line);
  return lines;
}
