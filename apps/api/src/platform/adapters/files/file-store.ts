import type { Readable } from 'node:stream';

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
