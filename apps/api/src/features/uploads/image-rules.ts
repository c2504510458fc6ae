import { DomainError, messageOf } from '@nimo/domain';
import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { pictureSize, thumbnailSize } from './picture-sizes.js';

export const LARGEST_UPLOAD_BYTES = 10 * 1024 * 1024;
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
export type ImageRule = (typeof IMAGE_RULES)[number];

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

export interface EncodedImage {
  readonly picture: Buffer;
  readonly thumbnail: Buffer;
}

/**
 * Draws the image anew as webp: upright, within bounds, the first frame alone, and nothing else that was in the file.
 * @throws ImageRefused
 */
export async function reencode(bytes: Buffer): Promise<EncodedImage> {
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
