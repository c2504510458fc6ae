import { createHash, createHmac } from 'node:crypto';

/** Input of a Signature Version 4. */
export interface SignedParts {
  readonly method: string;
  readonly path: string;
  /** Without the signature. */
  readonly query: URLSearchParams;
  /** Signed headers, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly payloadHash: string;
  /** Such as `20130524T000000Z`. */
  readonly time: string;
}

export interface SigningKey {
  readonly secretAccessKey: string;
  readonly region: string;
}

export const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: Buffer | string, data: string): Buffer => createHmac('sha256', key).update(data).digest();
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** Implements the specification independently of the product's library, so that the double can detect errors in it. */
export function signatureOf(parts: SignedParts, { secretAccessKey, region }: SigningKey): string {
  const { method, path, query, headers, payloadHash, time } = parts;
  const names = Object.keys(headers).sort();
  const canonical = [
    method,
    path,
    [...query]
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join('&'),
    ...names.map((name) => `${name}:${(headers[name] ?? '').trim()}`),
    '',
    names.join(';'),
    payloadHash,
  ].join('\n');
  const day = time.slice(0, 8);
  const key = ['s3', 'aws4_request'].reduce(
    (signing, part) => hmac(signing, part),
    hmac(hmac(`AWS4${secretAccessKey}`, day), region),
  );
  const scope = `${day}/${region}/s3/aws4_request`;
  return hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex');
}
