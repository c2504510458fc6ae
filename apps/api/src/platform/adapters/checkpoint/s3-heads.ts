import { type HeadsRead, type ExternalCheckpoint, parseSignedHead, type SignedHead } from '@nimo/event-store';
import type { S3Files } from '../files/s3-files.js';

const DIGITS = 16;
const PAGE = 1_000;
const JSON_TYPE = 'application/json';

/**
 * Stores each signed head as an object, ideally in a bucket with Object Lock. Names encode the whole head, so listing reads them;
 * `last.json` holds the latest head and is trusted only by its signature.
 */
export class S3Heads implements ExternalCheckpoint {
  readonly name = 'LOG_CHECKPOINT_URL';

  constructor(
    private readonly files: S3Files,
    private readonly prefix: string,
  ) {}

  async append(heads: readonly SignedHead[]): Promise<void> {
    for (const head of heads)
      await this.files.put(
        `${this.prefix}heads/${nameOf(head)}`,
        Buffer.from(JSON.stringify(head)),
        JSON_TYPE,
      );
    const last = heads.at(-1);
    if (last) await this.files.put(`${this.prefix}last.json`, Buffer.from(JSON.stringify(last)), JSON_TYPE);
  }

  async read(after = 0, limit = Infinity): Promise<HeadsRead> {
    const folder = `${this.prefix}heads/`;
    const heads: SignedHead[] = [];
    let damagedLines = 0;
    for (let from = `${folder}${padded(after + 1)}`; heads.length < limit;) {
      const paths = await this.files.list(folder, from, PAGE);
      for (const path of paths) {
        const head = headOf(path.slice(folder.length));
        if (head) heads.push(head);
        else damagedLines += 1;
      }
      const last = paths.at(-1);
      // A store without `start-after` would return the same page forever.
      if (last === undefined || paths.length < PAGE || last <= from) break;
      from = last;
    }
    return { heads: heads.slice(0, limit), damagedLines };
  }

  async last(): Promise<HeadsRead> {
    const bytes = await this.files.get(`${this.prefix}last.json`);
    if (bytes === null) return { heads: [], damagedLines: 0 };
    const head = parseSignedHead(bytes.toString());
    return head ? { heads: [head], damagedLines: 0 } : { heads: [], damagedLines: 1 };
  }
}

const padded = (ordinal: number): string => String(ordinal).padStart(DIGITS, '0');

/** Uses only characters that URLs do not escape. */
const nameOf = ({ ordinal, keyId, head, at, signature }: SignedHead): string =>
  [padded(ordinal), keyId, head, Date.parse(at), Buffer.from(signature, 'base64').toString('base64url')].join(
    '~',
  );

function headOf(name: string): SignedHead | undefined {
  const [ordinal, keyId, head, at, signature = ''] = name.split('~');
  const time = new Date(Number(at));
  return parseSignedHead(
    JSON.stringify({
      ordinal: Number(ordinal),
      head,
      at: Number.isNaN(time.getTime()) ? undefined : time.toISOString(),
      keyId,
      signature: Buffer.from(signature, 'base64url').toString('base64'),
    }),
  );
}
