import { isDisplayable, UploadError, uploadImage } from '../../lib/api/files';
import { acceptPictures } from '../gallery/accept-pictures';
import { newListeners } from '../../lib/listeners';

interface PictureUpload {
  readonly file: File;
  readonly previewUrl: string;
  readonly state: 'sending' | 'failed' | 'stored';
  /** Upload progress, 0 to 100. */
  readonly percent: number;
  /** Error message. */
  readonly message?: string;
  readonly location?: string;
  readonly width?: number;
  readonly height?: number;
}

interface PictureUploadsOptions {
  /** Number of images that can still be added to the post. */
  remaining: () => number;
  onTooMany: () => void;
  onRejected: (files: readonly File[]) => void;
}

/** Dimensions of an image in pixels; empty if the browser cannot decode it. */
async function dimensionsOf(url: string): Promise<{ width?: number; height?: number }> {
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    return width && height ? { width, height } : {};
  } catch {
    return {};
  }
}

/** Image uploads of one text. The document refers to each by ID until it is stored. */
export class PictureUploads {
  private readonly options: PictureUploadsOptions;
  private readonly uploads = new Map<string, PictureUpload>();
  private readonly controllers = new Map<string, AbortController>();
  private readonly pending = new Map<string, Promise<void>>();
  private readonly listeners = newListeners();
  readonly subscribe = this.listeners.subscribe;

  constructor(options: PictureUploadsOptions) {
    this.options = options;
  }

  /** Uploads the images that fit, and reports the other files. Calls `put` with the upload IDs, possibly several times. */
  accept(files: readonly File[], put: (ids: readonly string[]) => void): void {
    acceptPictures(files, {
      onRejected: this.options.onRejected,
      onAccepted: (pictures) => {
        const room = Math.max(0, this.options.remaining());
        if (pictures.length > room) this.options.onTooMany();
        const ids = pictures.slice(0, room).map((file) => this.add(file));
        if (ids.length > 0) put(ids);
      },
    });
  }

  /** Starts an upload. @returns its ID */
  add(file: File): string {
    const id = crypto.randomUUID();
    this.uploads.set(id, { file, previewUrl: URL.createObjectURL(file), state: 'sending', percent: 0 });
    this.send(id);
    return id;
  }

  get hasAny(): boolean {
    return this.uploads.size > 0;
  }

  get(id: unknown): PictureUpload | undefined {
    return typeof id === 'string' ? this.uploads.get(id) : undefined;
  }

  retry(id: string): void {
    if (this.get(id)?.state === 'failed') this.send(id);
  }

  cancel(id: string): void {
    this.controllers.get(id)?.abort();
  }

  /** Waits until the uploads are stored. @throws UploadError if one has failed */
  async stored(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.flatMap((id) => this.pending.get(id) ?? []));
    const failed = ids.map((id) => this.get(id)).find((upload) => upload?.state === 'failed');
    if (failed) throw new UploadError(failed.message);
  }

  /** Aborts all uploads and revokes their previews. */
  dispose(): void {
    this.controllers.forEach((stop) => stop.abort());
    this.uploads.forEach(({ previewUrl }) => URL.revokeObjectURL(previewUrl));
  }

  private change(id: string, changes: Partial<PictureUpload>): void {
    const upload = this.uploads.get(id);
    if (!upload) return;
    this.uploads.set(id, { ...upload, ...changes });
    this.listeners.notify();
  }

  private send(id: string): void {
    const upload = this.uploads.get(id);
    if (!upload) return;
    const stop = new AbortController();
    this.controllers.set(id, stop);
    this.change(id, { state: 'sending', percent: 0 });
    const sides = dimensionsOf(upload.previewUrl);
    const onProgress = (share: number) => this.change(id, { percent: Math.round(share * 100) });
    this.pending.set(
      id,
      uploadImage(upload.file, undefined, stop.signal, onProgress).then(
        async (location) => {
          const shown = isDisplayable(upload.file) ? {} : { previewUrl: location };
          this.change(id, { state: 'stored', percent: 100, location, ...shown, ...(await sides) });
        },
        (error: unknown) =>
          this.change(id, {
            state: 'failed',
            message: error instanceof Error ? error.message : String(error),
          }),
      ),
    );
  }
}
