import sharp from 'sharp';

/** A single-colour image. */
export function newPicture(background: string, width = 640, height = 420): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

export const asFile = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer });

/** Renders SVG source as PNG. */
export function renderSvg(source: string): Promise<Buffer> {
  return sharp(Buffer.from(source)).png().toBuffer();
}
