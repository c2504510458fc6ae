import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Settings } from '../../config/load-settings.js';
import { FolderFiles } from './folder-files.js';
import { type S3Bucket, S3Files } from './s3-files.js';

/** Files by path: pictures as `incoming/<key>`, `pictures/<key>` or `thumbnails/<key>`, copies of people's data as `exports/<run>.zip`. Keys are checked by whoever takes them from outside. */
export interface FileStore {
  put(path: string, bytes: Buffer, contentType: string): Promise<void>;
  /** Null where there is no such file. */
  get(path: string): Promise<Buffer | null>;
  /** In bytes; null where there is no such file. */
  sizeOf(path: string): Promise<number | null>;
  remove(path: string): Promise<void>;
  /** A file of this machine, of any size, whole or not at all. */
  putFile(path: string, local: string, contentType: string): Promise<void>;
  /** For files of any size; null where there is no such file. */
  read(path: string): Promise<StoredFile | null>;
  /** Null where browsers come through the api alone. */
  readonly addresses: StoreAddresses | null;
}

export interface StoredFile {
  readonly stream: Readable;
  readonly bytes: number;
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
  const bucket = s3BucketOf(settings);
  return bucket ? new S3Files(bucket) : new FolderFiles(join(settings.dataDir, 'media'));
}

/** @param name of the bucket; that of the pictures unless given */
export function s3BucketOf(settings: Settings, name = settings.s3Bucket): S3Bucket | undefined {
  const { s3Endpoint: endpoint, s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = settings;
  if (!endpoint || !name || !accessKeyId || !secretAccessKey) return undefined;
  return { endpoint, bucket: name, region: settings.s3Region, accessKeyId, secretAccessKey };
}
