import type { Readable } from 'node:stream';

/** Files by path: images as `incoming/<key>`, `pictures/<key>` or `thumbnails/<key>`, data exports as `exports/<run>.zip`. Callers must validate keys. */
export interface FileStore {
  put(path: string, bytes: Buffer, contentType: string): Promise<void>;
  /** Null when missing. */
  get(path: string): Promise<Buffer | null>;
  /** Size in bytes; null when missing. */
  sizeOf(path: string): Promise<number | null>;
  remove(path: string): Promise<void>;
  /** Uploads a local file of any size, atomically. */
  putFile(path: string, local: string, contentType: string): Promise<void>;
  /** Streams a file of any size; null when missing. */
  read(path: string): Promise<StoredFile | null>;
  /** Null when browsers access files only through the API. */
  readonly signedUrls: SignedUrls | null;
}

export interface StoredFile {
  readonly stream: Readable;
  readonly bytes: number;
}

export interface UploadAnnouncement {
  readonly contentType: string;
  readonly contentLength: number;
}

/** Signed, temporary URLs of the store for browsers. */
export interface SignedUrls {
  /** For a PUT of exactly the announced type and length. */
  toPut(path: string, announced: UploadAnnouncement, seconds: number): Promise<string>;
  /** Stable for a while, so that browsers can cache images. */
  toGet(path: string): Promise<string>;
}
