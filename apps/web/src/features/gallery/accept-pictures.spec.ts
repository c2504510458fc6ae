import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { acceptPictures } from './accept-pictures';

const file = (name: string, type: string) => new File(['x'], name, { type });

/** Accepted and refused files by name and type, once all are known. */
async function taken(...files: readonly File[]): Promise<string[]> {
  const seen: string[] = [];
  await new Promise<void>((resolve) => {
    const note = (what: string) => (some: readonly File[]) => {
      seen.push(...some.map(({ name, type }) => `${what} ${name} ${type}`.trim()));
      if (seen.length === files.length) resolve();
    };
    acceptPictures(files, { onAccepted: note('takes'), onRejected: note('refuses') });
  });
  return seen.sort();
}

/** Fakes a browser that reads these types, and writes JPEG. */
function browserThatReads(...types: readonly string[]): void {
  const read = ({ type }: File) =>
    types.includes(type)
      ? Promise.resolve({ width: 2, height: 2, close: () => undefined })
      : Promise.reject(new DOMException('it cannot be decoded', 'InvalidStateError'));
  Object.assign(globalThis, { createImageBitmap: read });
  jest.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  jest
    .spyOn(HTMLCanvasElement.prototype, 'toBlob')
    .mockImplementation((done, type) => done(new Blob(['drawn'], { type: type ?? '' })));
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'createImageBitmap');
  jest.restoreAllMocks();
});

describe('added files', () => {
  it.each(['png', 'apng', 'jpeg', 'webp', 'gif', 'avif', 'tiff'])(
    'are accepted unchanged: %s',
    async (type) => {
      expect(await taken(file('a', `image/${type}`))).toEqual([`takes a image/${type}`]);
    },
  );

  it('are converted if only the browser can read them', async () => {
    browserThatReads('image/bmp', 'image/heic');
    expect(await taken(file('paint.bmp', 'image/bmp'), file('IMG_1.HEIC', 'image/heic'))).toEqual([
      'takes IMG_1.jpg image/jpeg',
      'takes paint.jpg image/jpeg',
    ]);
  });

  it('are rejected if the browser cannot read them, or they are not images', async () => {
    browserThatReads('image/bmp');
    expect(
      await taken(file('a.svg', 'image/svg+xml'), file('IMG_1.HEIC', ''), file('a.pdf', 'application/pdf')),
    ).toEqual(['refuses IMG_1.HEIC', 'refuses a.pdf application/pdf', 'refuses a.svg image/svg+xml']);
  });

  it('are rejected if the browser cannot convert', async () => {
    expect(await taken(file('paint.bmp', 'image/bmp'))).toEqual(['refuses paint.bmp image/bmp']);
  });
});
