import type { FileStore } from './file-store.js';
import { signRequest, type AwsCredentials, type SignedRequest } from './sigv4.js';

const PATIENCE_MS = 15_000;

export interface S3Bucket extends AwsCredentials {
  readonly endpoint: string;
  readonly bucket: string;
}

/** Any store that speaks S3, addressed by path. */
export class S3Files implements FileStore {
  constructor(private readonly bucket: S3Bucket) {}

  async put(path: string, bytes: Buffer, contentType: string): Promise<void> {
    const response = await this.send('PUT', path, bytes, { 'content-type': contentType });
    if (!response.ok) throw failed('PUT', response);
  }

  async get(path: string): Promise<Buffer | null> {
    const response = await this.send('GET', path);
    if (response.status === 404) return null;
    if (!response.ok) throw failed('GET', response);
    return Buffer.from(await response.arrayBuffer());
  }

  async remove(path: string): Promise<void> {
    const response = await this.send('DELETE', path);
    if (!response.ok && response.status !== 404) throw failed('DELETE', response);
  }

  private async send(
    method: SignedRequest['method'],
    path: string,
    payload: Buffer | '' = '',
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const { endpoint, bucket } = this.bucket;
    const url = new URL(`${endpoint.replace(/\/$/, '')}/${bucket}/${path}`);
    const { host: _host, ...signed } = signRequest(
      { method, url, headers, payload },
      this.bucket,
      new Date(),
    );
    return fetch(url, {
      method,
      headers: signed,
      ...(payload !== '' && { body: new Uint8Array(payload) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  }
}

const failed = (method: string, { status }: Response): Error =>
  new Error(`the file store answered ${method} with ${status}`);
