export interface Size {
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
