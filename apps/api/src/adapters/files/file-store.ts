import { join } from 'node:path';
import type { Settings } from '../../platform/config/load-settings.js';
import { FolderFiles } from './folder-files.js';
import { S3Files } from './s3-files.js';

/** Pictures by path, `incoming/<key>`, `pictures/<key>` or `thumbnails/<key>`. Keys are checked by whoever takes them from outside. */
export interface FileStore {
  put(path: string, bytes: Buffer, contentType: string): Promise<void>;
  /** Null where there is no such file. */
  get(path: string): Promise<Buffer | null>;
  /** In bytes; null where there is no such file. */
  sizeOf(path: string): Promise<number | null>;
  remove(path: string): Promise<void>;
  /** Null where browsers come through the api alone. */
  readonly addresses: StoreAddresses | null;
}

export interface Announced {
  readonly contentType: string;
  readonly contentLength: number;
}

/** The store's own addresses for browsers, signed and for a while. */
export interface StoreAddresses {
  /** For a PUT of exactly that type and so many bytes. */
  toPut(path: string, announced: Announced, seconds: number): Promise<string>;
  /** Stays the same for a while, so that browsers need not load a picture again. */
  toGet(path: string): Promise<string>;
}

/** The S3-compatible store that is configured, otherwise the data folder. */
export function fileStore(settings: Settings): FileStore {
  const { s3Endpoint, s3Bucket, s3AccessKeyId, s3SecretAccessKey, s3Region } = settings;
  if (!s3Endpoint || !s3Bucket || !s3AccessKeyId || !s3SecretAccessKey) {
    return new FolderFiles(join(settings.dataDir, 'media'));
  }
  return new S3Files({
    endpoint: s3Endpoint,
    bucket: s3Bucket,
    region: s3Region,
    accessKeyId: s3AccessKeyId,
    secretAccessKey: s3SecretAccessKey,
  });
}
