import { isShownAtOnce, UploadError, uploadImage } from '../../lib/api/files';
import { takePictures } from '../gallery/take-pictures';
import { newListeners } from '../../lib/listeners';

interface PictureUpload {
  readonly file: File;
  readonly previewUrl: string;
  readonly state: 'sending' | 'failed' | 'stored';
  /** In percent, of what was sent. */
  readonly percent: number;
  /** What went wrong, in words. */
  readonly message?: string;
  readonly location?: string;
  readonly width?: number;
  readonly height?: number;
}

interface PictureUploadsOptions {
  /** How many more pictures the post may have. */
  room: () => number;
  onTooMany: () => void;
  onRefused: (files: readonly File[]) => void;
}

/** The room that a picture takes on a page; none where the browser cannot tell. */
async function sidesOf(url: string): Promise<{ width?: number; height?: number }> {
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

/** The pictures that are on their way into one text. The document names each by its id until it is stored. */
export class PictureUploads {
  private readonly options: PictureUploadsOptions;
  private readonly uploads = new Map<string, PictureUpload>();
  private readonly stops = new Map<string, AbortController>();
  private readonly turns = new Map<string, Promise<void>>();
  private readonly listeners = newListeners();
  readonly subscribe = this.listeners.subscribe;

  constructor(options: PictureUploadsOptions) {
    this.options = options;
  }

  /** Takes those that are pictures, as far as there is room; of the others somebody is told. @returns nothing: each comes by `put` */
  take(files: readonly File[], put: (ids: readonly string[]) => void): void {
    takePictures(files, {
      onRefused: this.options.onRefused,
      onTaken: (pictures) => {
        const room = Math.max(0, this.options.room());
        if (pictures.length > room) this.options.onTooMany();
        const ids = pictures.slice(0, room).map((file) => this.add(file));
        if (ids.length > 0) put(ids);
      },
    });
  }

  /** Begins to send it. @returns its id */
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
    this.stops.get(id)?.abort();
  }

  /** Waits until those are stored. @throws UploadError where one could not be */
  async stored(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.flatMap((id) => this.turns.get(id) ?? []));
    const failed = ids.map((id) => this.get(id)).find((upload) => upload?.state === 'failed');
    if (failed) throw new UploadError(failed.message);
  }

  /** Ends what is under way; nothing shows it any more. */
  dispose(): void {
    this.stops.forEach((stop) => stop.abort());
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
    this.stops.set(id, stop);
    this.change(id, { state: 'sending', percent: 0 });
    const sides = sidesOf(upload.previewUrl);
    const onProgress = (share: number) => this.change(id, { percent: Math.round(share * 100) });
    this.turns.set(
      id,
      uploadImage(upload.file, undefined, stop.signal, onProgress).then(
        async (location) => {
          const shown = isShownAtOnce(upload.file) ? {} : { previewUrl: location };
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
