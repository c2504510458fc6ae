import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { ApiError } from '../../platform/errors/api-error.js';

export const LARGEST_UPLOAD_BYTES = 10 * 1024 * 1024;
const MAX_PIXELS = 50_000_000;
const MAX_SIDE_PX = 2_000;
const THUMBNAIL_SIDE = 480;
const QUALITY = { picture: 82, thumbnail: 75 } as const;
/** No SVG: it is a program. */
export const IMAGE_TYPES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
]);

const RULES = {
  IMAGE_EMPTY: 'The file is empty.',
  IMAGE_TYPE: 'Only PNG, JPEG, WebP, GIF and AVIF images can be uploaded.',
  IMAGE_BROKEN: 'The file is not a readable image.',
  IMAGE_TOO_MANY_PIXELS: 'The image has too many pixels.',
} as const;
export type ImageRule = keyof typeof RULES;

/** What is wrong with an upload, kept with its slot as the rule's name. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';

  constructor(readonly rule: ImageRule) {
    super(RULES[rule]);
  }
}

export const refusedFor = (rule: string): ApiError =>
  new ApiError('VALIDATION_FAILED', rule in RULES ? RULES[rule as ImageRule] : RULES.IMAGE_BROKEN, {
    field: 'file',
    rule,
  });

/** Looks at the bytes, not at what the client says, and at no more than the head of the image. @throws ImageRefused */
export async function inspectImage(bytes: Buffer): Promise<void> {
  if (bytes.length === 0) throw new ImageRefused('IMAGE_EMPTY');
  const type = await fileTypeFromBuffer(bytes);
  if (!type || !IMAGE_TYPES.has(type.mime)) throw new ImageRefused('IMAGE_TYPE');
  const { width, height } = await decoded(() => sharp(bytes, { limitInputPixels: false }).metadata());
  if (width * height > MAX_PIXELS) throw new ImageRefused('IMAGE_TOO_MANY_PIXELS');
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
  const upright = await decoded(() =>
    sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
      .rotate()
      .resize(within(MAX_SIDE_PX))
      .webp({ quality: QUALITY.picture })
      .toBuffer(),
  );
  const thumbnail = await sharp(upright)
    .resize(within(THUMBNAIL_SIDE))
    .webp({ quality: QUALITY.thumbnail })
    .toBuffer();
  return { picture: upright, thumbnail };
}

const within = (side: number) =>
  ({ width: side, height: side, fit: 'inside', withoutEnlargement: true }) as const;

/** The decoder's words name libraries; the rule is all that leaves. */
async function decoded<Result>(decode: () => Promise<Result>): Promise<Result> {
  try {
    return await decode();
  } catch {
    throw new ImageRefused('IMAGE_BROKEN');
  }
}
