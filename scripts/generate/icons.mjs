// Renders the app icons from the favicon: with its rounded corners, and full-bleed (maskable) for systems that crop icons.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

const folder = join(import.meta.dirname, '../../apps/web/public');
const svg = readFileSync(join(folder, 'favicon.svg'), 'utf8');
// Systems crop at most a fifth on each side.
const maskable = svg
  .replace(' rx="9"', '')
  .replace(/(<rect[^>]*\/>)(.*)(<\/svg>)/, '$1<g transform="translate(3.2 3.2) scale(.8)">$2</g>$3');

const draw = (source, size, name) =>
  sharp(Buffer.from(source), { density: (72 * size) / 32 })
    .resize(size, size)
    .png({ palette: true, compressionLevel: 9 })
    .toFile(join(folder, name));

await draw(svg, 192, 'icon-192.png');
await draw(svg, 512, 'icon-512.png');
await draw(maskable, 512, 'icon-maskable-512.png');
await draw(maskable, 180, 'apple-touch-icon.png');
