import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import type { UploadAnnouncement, FileStore, SignedUrls, StoredFile } from './file-store.js';
import type { Settings } from '../../config/load-settings.js';

/** @param name of the bucket; the configured one by default */
export function s3BucketOf(settings: Settings, name = settings.s3Bucket): S3Bucket | undefined {
  const { s3Endpoint: endpoint, s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = settings;
  if (!endpoint || !name || !accessKeyId || !secretAccessKey) return undefined;
  return { endpoint, bucket: name, region: settings.s3Region, accessKeyId, secretAccessKey };
}

const TIMEOUT_MS = 15_000;
/** Timeout for files that may be gigabytes. */
const LARGE_TIMEOUT_MS = 30 * 60_000;
/** Images may be removed, so only browsers cache them, and briefly. */
const CACHE_CONTROL = 'private, max-age=60';
const STEP_MS = 60_000;
/** URLs are signed per step and valid for the next one too. */
const READ_SECONDS = (2 * STEP_MS) / 1000;

export interface S3Bucket {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** An S3-compatible store with path-style URLs. The bucket is private, so every request is signed. */
export class S3Files implements FileStore {
  readonly signedUrls: SignedUrls;
  private readonly client: AwsClient;
  private readonly root: string;

  constructor({ endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Bucket) {
    this.root = `${endpoint.replace(/\/$/, '')}/${bucket}`;
    this.client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 });
    this.signedUrls = {
      toPut: (path, announced, seconds) => this.toPut(path, announced, seconds),
      toGet: (path) => this.toGet(path),
    };
  }

  async put(path: string, bytes: Buffer, contentType: string): Promise<void> {
    const headers = {
      'content-type': contentType,
      'cache-control': CACHE_CONTROL,
      'x-amz-content-sha256': createHash('sha256').update(bytes).digest('hex'),
    };
    const response = await this.send('PUT', path, { headers, body: new Uint8Array(bytes) });
    if (!response.ok) throw failed('PUT', response);
  }

  /** Does not sign the payload, since the file may exceed memory. */
  async putFile(path: string, local: string, contentType: string): Promise<void> {
    const headers = {
      'content-type': contentType,
      'cache-control': CACHE_CONTROL,
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
    };
    const response = await this.send('PUT', path, {
      headers,
      body: await openAsBlob(local),
      signal: AbortSignal.timeout(LARGE_TIMEOUT_MS),
    });
    if (!response.ok) throw failed('PUT', response);
  }

  async read(path: string): Promise<StoredFile | null> {
    const response = await this.send('GET', path, { signal: AbortSignal.timeout(LARGE_TIMEOUT_MS) });
    if (response.status === 404) return null;
    if (!response.ok || !response.body) throw failed('GET', response);
    const stream = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
    return { stream, bytes: Number(response.headers.get('content-length')) };
  }

  async get(path: string): Promise<Buffer | null> {
    const response = await this.send('GET', path);
    if (response.status === 404) return null;
    if (!response.ok) throw failed('GET', response);
    return Buffer.from(await response.arrayBuffer());
  }

  async sizeOf(path: string): Promise<number | null> {
    const response = await this.send('HEAD', path);
    if (response.status === 404) return null;
    if (!response.ok) throw failed('HEAD', response);
    return Number(response.headers.get('content-length'));
  }

  /** Paths with a prefix, in order, after a given one. */
  async list(prefix: string, after: string, limit: number): Promise<string[]> {
    const query = new URLSearchParams({
      'list-type': '2',
      prefix,
      'start-after': after,
      'max-keys': String(limit),
    });
    const response = await this.send('GET', `?${query.toString()}`);
    if (!response.ok) throw failed('GET', response);
    const text = await response.text();
    return Array.from(text.matchAll(/<Key>([^<]*)<\/Key>/g), ([, key = '']) => plainText(key));
  }

  async remove(path: string): Promise<void> {
    const response = await this.send('DELETE', path);
    if (!response.ok && response.status !== 404) throw failed('DELETE', response);
  }

  private async toPut(path: string, announced: UploadAnnouncement, seconds: number): Promise<string> {
    const headers = {
      'content-type': announced.contentType,
      'content-length': String(announced.contentLength),
    };
    const url = `${this.root}/${path}?X-Amz-Expires=${seconds}`;
    // `allHeaders` signs type and length, so the store accepts nothing else.
    const signed = await this.client.sign(url, {
      method: 'PUT',
      headers,
      aws: { signQuery: true, allHeaders: true },
    });
    return signed.url;
  }

  private async toGet(path: string): Promise<string> {
    const step = new Date(Date.now() - (Date.now() % STEP_MS));
    const datetime = step.toISOString().replace(/[:-]|\.\d{3}/g, '');
    const url = `${this.root}/${path}?X-Amz-Expires=${READ_SECONDS}`;
    const signed = await this.client.sign(url, { method: 'GET', aws: { signQuery: true, datetime } });
    return signed.url;
  }

  private send(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    return this.client.fetch(`${this.root}/${path}`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...init,
      method,
    });
  }
}

const failed = (method: string, { status }: Response): Error =>
  new Error(`the file store responded to ${method} with ${status}`);

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const plainText = (xml: string): string =>
  xml.replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
