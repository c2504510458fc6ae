import { DomainError, messageOf } from '@nimo/domain';
import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { Inject, Injectable } from '@nestjs/common';
import type { FileStore } from '../../platform/adapters/files/file-store.js';
import type { JobQueues } from '../../platform/adapters/jobs/job-queues.js';
import { FILES, JOBS } from '../../platform/adapters/tokens.js';
import { ExpensiveWork } from '../../platform/callers/expensive-work.js';
import { STORED_AT } from './picture-access.js';
import { UploadSlots } from './upload-slots.js';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The long side is bound by the area only, so that a screenshot of a chat or a scanned scroll stays readable. */
interface Bounds {
  readonly shortSide: number;
  readonly area: number;
}

const PICTURE: Bounds = { shortSide: 2_000, area: 16_000_000 };
const THUMBNAIL: Bounds = { shortSide: 480, area: 480 * 360 };
/** The longest side that WebP can have. */
const MAX_SIDE_PX = 16_383;

const within =
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

/** How large an upright picture of that size is stored. */
export const pictureSize = within(PICTURE);

/** How large the thumbnail of a stored picture is. */
export const thumbnailSize = within(THUMBNAIL);

export const MAX_UPLOAD_BYTES = 10 * 1024 * 1024;
const MAX_PIXELS = 50_000_000;
/** Size of the largest picture with four channels of 16 bits. TIFF also has wider channels, and any number of them. */
const MAX_DECODED_BYTES = MAX_PIXELS * 4 * 2;
const BYTES_OF_DEPTH = {
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
 * What libvips decodes without its loaders for trusted input only (`VIPS_BLOCK_UNTRUSTED`). No SVG, which is a program. HEIC and BMP are not
 * among its formats here; the web app has the browser convert them.
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

/** What is wrong with an upload, kept with its slot as the rule's name. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';

  constructor(readonly rule: ImageRule) {
    super(messageOf(rule));
  }
}

export const refusedFor = (rule: string): DomainError =>
  new DomainError(IMAGE_RULES.find((known) => known === rule) ?? 'IMAGE_BROKEN');

/** Looks at the bytes, not at what the client says, and at no more than the head of the image. @throws ImageRefused */
export async function inspectImage(bytes: Buffer): Promise<void> {
  if (bytes.length === 0) throw new ImageRefused('IMAGE_EMPTY');
  const type = await fileTypeFromBuffer(bytes);
  if (!type || !IMAGE_TYPES.has(type.mime)) throw new ImageRefused('IMAGE_TYPE');
  const { width, height, channels, depth } = await decoded(() =>
    sharp(bytes, { limitInputPixels: false }).metadata(),
  );
  const pixels = width * height;
  if (pixels > MAX_PIXELS || pixels * channels * BYTES_OF_DEPTH[depth] > MAX_DECODED_BYTES)
    throw new ImageRefused('IMAGE_TOO_MANY_PIXELS');
}

interface EncodedImage {
  readonly picture: Buffer;
  readonly thumbnail: Buffer;
}

/**
 * Draws the image anew as webp: upright, within bounds, the first frame alone, and nothing else that was in the file.
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

/** The decoder's words name libraries; the rule is all that leaves. */
async function decoded<Result>(decode: () => Promise<Result>): Promise<Result> {
  try {
    return await decode();
  } catch {
    throw new ImageRefused('IMAGE_BROKEN');
  }
}

/** Pictures are drawn anew by a job, away from the requests that others are waiting for. */
@Injectable()
export class ImageJobs {
  constructor(
    @Inject(JOBS) private readonly queues: JobQueues,
    @Inject(FILES) private readonly files: FileStore,
    private readonly slots: UploadSlots,
    private readonly expensive: ExpensiveWork,
  ) {}

  async enqueue(key: string, bytes: Buffer): Promise<void> {
    await this.files.put(STORED_AT.incoming(key), bytes, 'application/octet-stream');
    await this.enqueueStored(key);
  }

  /** What the browser has put into quarantine itself. */
  async enqueueStored(key: string): Promise<void> {
    await this.queues.add('image', { key }, key);
  }

  /** In the worker. */
  async work(): Promise<void> {
    await this.queues.work('image', ({ key }) => this.perform(key));
  }

  /** May run again after a crash: a picture that is there already was the end of an earlier run. */
  async perform(key: string): Promise<void> {
    const bytes = await this.files.get(STORED_AT.incoming(key));
    if (!bytes) return;
    try {
      const { picture, thumbnail } = await this.expensive.run('picture', async () => {
        // Again: a store takes another PUT for as long as its address is good.
        await inspectImage(bytes);
        return reencode(bytes);
      });
      await this.files.put(STORED_AT.thumbnail(key), thumbnail, 'image/webp');
      await this.files.put(STORED_AT.picture(key), picture, 'image/webp');
      await this.slots.finish(key, { status: 'ready', rule: null });
    } catch (error) {
      if (!(error instanceof ImageRefused)) throw error;
      await this.slots.finish(key, { status: 'refused', rule: error.rule });
    }
    await this.files.remove(STORED_AT.incoming(key));
  }
}
