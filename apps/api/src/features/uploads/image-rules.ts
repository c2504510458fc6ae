import { DomainError, messageOf } from '@nimo/domain';
import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { Inject, Injectable } from '@nestjs/common';
import type { FileStore } from '../../platform/adapters/files/file-store.js';
import type { JobQueues } from '../../platform/adapters/jobs/job-queues.js';
import { FILES, JOBS } from '../../platform/adapters/tokens.js';
import { ExpensiveWork } from '../../platform/callers/expensive-work.js';
import { STORAGE_PATHS } from './picture-access.js';
import { UploadSlots } from './upload-slots.js';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The area alone limits the long side, so that long screenshots stay legible. */
interface Bounds {
  readonly shortSide: number;
  readonly area: number;
}

const PICTURE: Bounds = { shortSide: 2_000, area: 16_000_000 };
const THUMBNAIL: Bounds = { shortSide: 480, area: 480 * 360 };
/** WebP limit. */
const MAX_SIDE_PX = 16_383;

const fitWithin =
  ({ shortSide, area }: Bounds) =>
  ({ width, height }: Size): Size => {
    const scale = Math.min(
      1,
      shortSide / Math.min(width, height),
      MAX_SIDE_PX / Math.max(width, height),
      Math.sqrt(area / (width * height)),
    );
    const scaled = (side: number): number => Math.max(1, Math.round(side * scale));
    return { width: scaled(width), height: scaled(height) };
  };

/** Stored size of an upright picture, in pixels. */
export const pictureSize = fitWithin(PICTURE);

/** Thumbnail size of a stored picture, in pixels. */
export const thumbnailSize = fitWithin(THUMBNAIL);

export const MAX_UPLOAD_BYTES = 10 * 1024 * 1024;
const MAX_PIXELS = 50_000_000;
/** Four 16-bit channels at the pixel limit. TIFF allows wider channels and any number of them. */
const MAX_DECODED_BYTES = MAX_PIXELS * 4 * 2;
const BYTES_PER_CHANNEL = {
  char: 1,
  uchar: 1,
  short: 2,
  ushort: 2,
  int: 4,
  uint: 4,
  float: 4,
  complex: 8,
  double: 8,
  dpcomplex: 16,
} as const;

const QUALITY = { picture: 82, thumbnail: 75 } as const;
/**
 * Formats that libvips decodes with `VIPS_BLOCK_UNTRUSTED`. No SVG, which can contain scripts. The web app lets the browser convert
 * HEIC and BMP, which this build does not support.
 */
export const IMAGE_TYPES: ReadonlySet<string> = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
  'image/tiff',
]);

const IMAGE_RULES = ['IMAGE_EMPTY', 'IMAGE_TYPE', 'IMAGE_BROKEN', 'IMAGE_TOO_MANY_PIXELS'] as const;
type ImageRule = (typeof IMAGE_RULES)[number];

/** Thrown for an invalid upload. The rule is stored with its slot. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';

  constructor(readonly rule: ImageRule) {
    super(messageOf(rule));
  }
}

export const imageError = (rule: string): DomainError =>
  new DomainError(IMAGE_RULES.find((known) => known === rule) ?? 'IMAGE_BROKEN');

/** Checks the type and size found in the image header, not the client's claims. @throws ImageRefused */
export async function inspectImage(bytes: Buffer): Promise<void> {
  if (bytes.length === 0) throw new ImageRefused('IMAGE_EMPTY');
  const type = await fileTypeFromBuffer(bytes);
  if (!type || !IMAGE_TYPES.has(type.mime)) throw new ImageRefused('IMAGE_TYPE');
  const { width, height, channels, depth } = await decoded(() =>
    sharp(bytes, { limitInputPixels: false }).metadata(),
  );
  const pixels = width * height;
  if (pixels > MAX_PIXELS || pixels * channels * BYTES_PER_CHANNEL[depth] > MAX_DECODED_BYTES)
    throw new ImageRefused('IMAGE_TOO_MANY_PIXELS');
}

interface EncodedImage {
  readonly picture: Buffer;
  readonly thumbnail: Buffer;
}

/**
 * Re-encodes the first frame as WebP, upright and within bounds, without any metadata.
 * @throws ImageRefused
 */
async function reencode(bytes: Buffer): Promise<EncodedImage> {
  const source = () => sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 });
  const picture = await decoded(async () => {
    const { autoOrient } = await source().metadata();
    return source()
      .autoOrient()
      .resize({ ...pictureSize(autoOrient), fit: 'fill' })
      .webp({ quality: QUALITY.picture })
      .toBuffer({ resolveWithObject: true });
  });
  const thumbnail = await sharp(picture.data)
    .resize({ ...thumbnailSize(picture.info), fit: 'fill' })
    .webp({ quality: QUALITY.thumbnail })
    .toBuffer();
  return { picture: picture.data, thumbnail };
}

/** Replaces decoder errors, whose messages name libraries, by a rule. */
async function decoded<Result>(decode: () => Promise<Result>): Promise<Result> {
  try {
    return await decode();
  } catch {
    throw new ImageRefused('IMAGE_BROKEN');
  }
}

/** Re-encodes pictures in a job, so that API requests are not delayed. */
@Injectable()
export class ImageJobs {
  constructor(
    @Inject(JOBS) private readonly queues: JobQueues,
    @Inject(FILES) private readonly files: FileStore,
    private readonly slots: UploadSlots,
    private readonly expensive: ExpensiveWork,
  ) {}

  async enqueue(key: string, bytes: Buffer): Promise<void> {
    await this.files.put(STORAGE_PATHS.incoming(key), bytes, 'application/octet-stream');
    await this.enqueueStored(key);
  }

  /** For files that the browser put into quarantine directly. */
  async enqueueStored(key: string): Promise<void> {
    await this.queues.add('image', { key }, key);
  }

  /** Starts the consumer. Worker only. */
  async work(): Promise<void> {
    await this.queues.work('image', ({ key }) => this.perform(key));
  }

  /** Idempotent. May run again after a crash; without a quarantined file the work is already done. */
  async perform(key: string): Promise<void> {
    const bytes = await this.files.get(STORAGE_PATHS.incoming(key));
    if (!bytes) return;
    try {
      const { picture, thumbnail } = await this.expensive.run('picture', async () => {
        // Inspect again: a store accepts another PUT until the URL expires.
        await inspectImage(bytes);
        return reencode(bytes);
      });
      await this.files.put(STORAGE_PATHS.thumbnail(key), thumbnail, 'image/webp');
      await this.files.put(STORAGE_PATHS.picture(key), picture, 'image/webp');
      await this.slots.finish(key, { status: 'ready', rule: null });
    } catch (error) {
      if (!(error instanceof ImageRefused)) throw error;
      await this.slots.finish(key, { status: 'refused', rule: error.rule });
    }
    await this.files.remove(STORAGE_PATHS.incoming(key));
  }
}
