import sharp from 'sharp';

/** A picture of one colour. */
export function newPicture(background: string, width = 640, height = 420): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

export const asFile = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer });

/** A picture out of SVG source. */
export function drawn(source: string): Promise<Buffer> {
  return sharp(Buffer.from(source)).png().toBuffer();
}
