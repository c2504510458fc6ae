import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sha256, signatureOf } from './signature-v4.js';

export const CREDENTIALS = { accessKeyId: 'DOUBLE', secretAccessKey: 'hush/hush+hush', region: 'eu-west-1' };
const BUCKET = 'pictures';

interface Stored {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The signature of a request and what it covers. */
interface Claim {
  readonly credential: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly time: string;
  readonly payloadHash: string;
  /** Milliseconds since the epoch. */
  readonly validUntil: number;
}

/**
 * Test double of the S3 HTTP API with one private bucket. Verifies signatures in headers and queries, what they cover, and their expiry, as
 * specified. Proves nothing about a real store.
 */
export class S3Double {
  readonly objects = new Map<string, Stored>();
  /** If set, every request fails with this status. */
  failsWith: number | undefined;
  /** CORS headers that allow every origin. */
  cors: Readonly<Record<string, string>> = {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, PUT',
    'access-control-allow-headers': 'content-type',
  };

  private constructor(private readonly server: Server) {}

  static async start(): Promise<S3Double> {
    const server = createServer();
    const double = new S3Double(server);
    server.on('request', (request, response) => void double.answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return double;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get bucket() {
    return { endpoint: this.endpoint, bucket: BUCKET, ...CREDENTIALS };
  }

  /** Settings of the product for this store. */
  get environment(): Readonly<Record<string, string>> {
    return {
      S3_ENDPOINT: this.endpoint,
      S3_BUCKET: BUCKET,
      S3_REGION: CREDENTIALS.region,
      S3_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      S3_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const { cors: open } = this;
    const url = new URL(request.url ?? '', this.endpoint);
    if (request.method === 'OPTIONS') {
      response.writeHead(204, open).end();
      return;
    }
    const refusal = this.failsWith ?? refusalOf(request, url, body);
    const {
      status,
      headers = {},
      bytes,
    } = refusal === undefined ? this.perform(request, url, body) : { status: refusal };
    response.writeHead(status, { ...open, ...headers }).end(bytes);
  }

  private perform(
    { method, headers }: IncomingMessage,
    { pathname, searchParams }: URL,
    body: Buffer,
  ): { status: number; headers?: Record<string, string>; bytes?: Buffer } {
    const path = pathname.replace(`/${BUCKET}/`, '');
    if (method === 'GET' && path === '') return { status: 200, bytes: this.listed(searchParams) };
    const stored = this.objects.get(path);
    switch (method) {
      case 'PUT': {
        const { 'content-type': type = '', 'cache-control': cache = '' } = headers;
        this.objects.set(path, { bytes: body, headers: { 'content-type': type, 'cache-control': cache } });
        return { status: 200 };
      }
      case 'DELETE':
        this.objects.delete(path);
        return { status: 204 };
      case 'GET':
      case 'HEAD':
        if (!stored) return { status: 404 };
        return {
          status: 200,
          headers: { ...stored.headers, 'content-length': String(stored.bytes.length) },
          ...(method === 'GET' && { bytes: stored.bytes }),
        };
      default:
        return { status: 405 };
    }
  }

  /** ListObjectsV2. */
  private listed(query: URLSearchParams): Buffer {
    const [prefix, after] = [query.get('prefix') ?? '', query.get('start-after') ?? ''];
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const shown = keys.slice(0, Number(query.get('max-keys') ?? 1000));
    const contents = shown.map((key) => `<Contents><Key>${key.replaceAll('&', '&amp;')}</Key></Contents>`);
    return Buffer.from(`<ListBucketResult>${contents.join('')}</ListBucketResult>`);
  }
}

/** Error status of a request; undefined if it is allowed. */
function refusalOf({ method = '', headers }: IncomingMessage, url: URL, body: Buffer): number | undefined {
  if (!url.pathname.startsWith(`/${BUCKET}/`)) return 404;
  const claim = claimOf(headers, url);
  if (!claim || Date.now() > claim.validUntil) return 403;
  const scope = `${claim.time.slice(0, 8)}/${CREDENTIALS.region}/s3/aws4_request`;
  if (claim.credential !== `${CREDENTIALS.accessKeyId}/${scope}`) return 403;
  const query = new URLSearchParams(url.searchParams);
  query.delete('X-Amz-Signature');
  const expected = signatureOf(
    {
      method,
      path: url.pathname,
      query,
      headers: Object.fromEntries(claim.signedHeaders.map((name) => [name, String(headers[name] ?? '')])),
      payloadHash: claim.payloadHash,
      time: claim.time,
    },
    CREDENTIALS,
  );
  if (expected !== claim.signature) return 403;
  return ['UNSIGNED-PAYLOAD', sha256(body)].includes(claim.payloadHash) ? undefined : 400;
}

function claimOf(headers: IncomingMessage['headers'], { searchParams }: URL): Claim | undefined {
  const time = searchParams.get('X-Amz-Date') ?? String(headers['x-amz-date'] ?? '');
  const signedAt = Date.parse(
    time.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/, '$1-$2-$3T$4:$5:$6Z'),
  );
  if (Number.isNaN(signedAt)) return undefined;
  if (searchParams.has('X-Amz-Signature')) {
    return {
      credential: searchParams.get('X-Amz-Credential') ?? '',
      signedHeaders: (searchParams.get('X-Amz-SignedHeaders') ?? '').split(';'),
      signature: searchParams.get('X-Amz-Signature') ?? '',
      time,
      payloadHash: 'UNSIGNED-PAYLOAD',
      validUntil: signedAt + 1000 * Number(searchParams.get('X-Amz-Expires')),
    };
  }
  const [, credential, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (credential === undefined || signedHeaders === undefined || signature === undefined) return undefined;
  return {
    credential,
    signedHeaders: signedHeaders.split(';'),
    signature,
    time,
    payloadHash: String(headers['x-amz-content-sha256'] ?? ''),
    validUntil: signedAt + 15 * 60_000,
  };
}
