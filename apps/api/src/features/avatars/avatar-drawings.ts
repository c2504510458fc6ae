/** An SVG document. */
type Avatar = string;

const SIZE = 120;
const INK = '#2d3142';

const drawing = (ground: string, shapes: string): Avatar =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}" width="${SIZE}" height="${SIZE}">` +
  `<rect width="${SIZE}" height="${SIZE}" fill="${ground}"/>${shapes}</svg>`;

const circle = (cx: number, cy: number, r: number, fill: string): string =>
  `<circle cx="${cx}" cy="${cy}" r="${r}" fill="${fill}"/>`;
const ellipse = (cx: number, cy: number, rx: number, ry: number, fill: string): string =>
  `<ellipse cx="${cx}" cy="${cy}" rx="${rx}" ry="${ry}" fill="${fill}"/>`;
const path = (d: string, fill: string): string => `<path d="${d}" fill="${fill}"/>`;
const line = (d: string, stroke: string, width: number): string =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round"/>`;
/** A shape and its mirror image. */
const both = (shape: (side: 1 | -1) => string): string => shape(-1) + shape(1);

const MIDDLE = SIZE / 2;

interface AnimalLook {
  readonly ground: string;
  readonly fur: string;
  readonly inner: string;
  readonly ears: 'round' | 'pointed' | 'long' | 'eyes';
  /** Ears and rings around the eyes. */
  readonly dark?: string;
}

function animal({ ground, fur, inner, ears, dark = fur }: AnimalLook): Avatar {
  const head = ellipse(MIDDLE, 70, 36, 33, fur);
  const muzzle = ellipse(MIDDLE, 82, 18, 14, inner);
  const eyes = both((side) => {
    const x = MIDDLE + side * 15;
    if (ears === 'eyes') return circle(x, 44, 11, fur) + circle(x, 43, 8, '#fff') + circle(x, 44, 4, INK);
    const ring = dark === fur ? '' : ellipse(x, 64, 8, 10, dark);
    return ring + circle(x, 64, 4, dark === fur ? INK : '#fff') + circle(x, 64, 2.5, INK);
  });
  const nose = path('M54 77 h12 l-6 7 z', INK) + line('M60 84 v4 M53 90 q7 5 14 0', INK, 2.5);
  return drawing(ground, earsOf(ears, dark, inner) + head + eyes + muzzle + nose);
}

function earsOf(ears: AnimalLook['ears'], fur: string, inner: string): string {
  switch (ears) {
    case 'round':
      return both(
        (side) => circle(MIDDLE + side * 27, 44, 14, fur) + circle(MIDDLE + side * 27, 44, 7, inner),
      );
    case 'pointed':
      return both((side) => {
        const [outer, middle, near] = [36, 30, 8].map((x) => MIDDLE + side * x);
        return (
          path(`M${outer} 66 L${middle} 26 L${near} 46 Z`, fur) +
          path(`M${MIDDLE + side * 30} 54 L${MIDDLE + side * 28} 36 L${MIDDLE + side * 17} 46 Z`, inner)
        );
      });
    case 'long':
      return both(
        (side) =>
          ellipse(MIDDLE + side * 16, 32, 9, 26, fur) + ellipse(MIDDLE + side * 16, 34, 4.5, 19, inner),
      );
    case 'eyes':
      return '';
  }
}

interface PersonLook {
  readonly ground: string;
  readonly skin: string;
  readonly hair: string;
  readonly cut: 'short' | 'long' | 'bun' | 'curls';
  readonly shirt: string;
}

function person({ ground, skin, hair, cut, shirt }: PersonLook): Avatar {
  const behind = cut === 'long' ? path('M30 56 q0 -34 30 -34 q30 0 30 34 v34 h-60 z', hair) : '';
  const bun = cut === 'bun' ? circle(MIDDLE, 20, 11, hair) : '';
  const body =
    path('M20 120 q2 -30 40 -30 q38 0 40 30 z', shirt) + path('M50 78 h20 v14 q-10 9 -20 0 z', skin);
  const face = ellipse(MIDDLE, 58, 24, 27, skin);
  const fringe =
    cut === 'curls'
      ? [34, 42, 52, 64, 76, 86]
          .map((x, place) => circle(x, 40 - Math.abs(2.5 - place) ** 0.5 * -4 - 6, 11, hair))
          .join('')
      : path('M35 56 q-2 -30 25 -30 q27 0 25 30 q-6 -16 -20 -16 q-20 2 -30 16 z', hair);
  const look = both((side) => circle(MIDDLE + side * 9, 60, 2.8, INK)) + line('M52 71 q8 7 16 0', INK, 2.5);
  return drawing(ground, behind + bun + body + face + fringe + look);
}

interface PlanetLook {
  readonly sky: string;
  readonly body: string;
  readonly mark: string;
  readonly look: 'bands' | 'craters' | 'land' | 'ring' | 'rays' | 'comet';
}

const STARS: readonly (readonly [number, number, number])[] = [
  [18, 22, 1.6],
  [98, 18, 2],
  [104, 92, 1.6],
  [20, 98, 2],
  [60, 10, 1.2],
  [108, 56, 1.2],
];

function planet({ sky, body, mark, look }: PlanetLook): Avatar {
  const stars = STARS.map(([x, y, r]) => circle(x, y, r, '#fff')).join('');
  const behind =
    look === 'rays' ? raysOf(mark) : look === 'comet' ? path('M70 40 L112 2 L86 62 Z', mark) : '';
  return drawing(
    sky,
    stars + behind + circle(MIDDLE, MIDDLE, look === 'comet' ? 24 : 32, body) + markOf(look, mark),
  );
}

function raysOf(fill: string): string {
  const angles = Array.from({ length: 12 }, (_, place) => place * 30);
  return angles
    .map((angle) => `<path d="M56 22 L60 8 L64 22 Z" fill="${fill}" transform="rotate(${angle} 60 60)"/>`)
    .join('');
}

function markOf(look: PlanetLook['look'], mark: string): string {
  switch (look) {
    case 'bands':
      return line('M34 48 q26 8 52 0 M30 62 q30 9 60 0 M36 76 q24 7 48 0', mark, 4);
    case 'craters':
      return (
        circle(48, 50, 7, mark) +
        circle(72, 66, 9, mark) +
        circle(52, 76, 4.5, mark) +
        circle(70, 44, 3.5, mark)
      );
    case 'land':
      return (
        path('M38 44 q10 -12 22 -8 q2 10 -8 14 q-2 10 -12 8 z', mark) +
        path('M62 62 q14 -6 22 2 q-4 16 -16 20 q-10 -8 -6 -22 z', mark)
      );
    case 'ring':
      return `<ellipse cx="60" cy="60" rx="50" ry="13" fill="none" stroke="${mark}" stroke-width="5" transform="rotate(-18 60 60)"/>`;
    case 'rays':
      return both((side) => circle(MIDDLE + side * 10, 56, 3, INK)) + line('M51 68 q9 7 18 0', INK, 3);
    case 'comet':
      return circle(54, 54, 5, mark) + circle(66, 66, 4, mark);
  }
}

/** Built-in avatars by URL: `/avatars/<category>/<name>.svg`. */
const CATALOGUE: Readonly<Record<string, Readonly<Record<string, Avatar>>>> = {
  animals: {
    bear: animal({ ground: '#ffe2c2', fur: '#9a6240', inner: '#e9c39b', ears: 'round' }),
    cat: animal({ ground: '#d9f0e6', fur: '#f0a35e', inner: '#fbe0c4', ears: 'pointed' }),
    fox: animal({ ground: '#dbe7ff', fur: '#e4683a', inner: '#fff3e8', ears: 'pointed' }),
    frog: animal({ ground: '#fff0c9', fur: '#57b26a', inner: '#c4ecc9', ears: 'eyes' }),
    koala: animal({ ground: '#f6dff0', fur: '#8d97a8', inner: '#e8ebf1', ears: 'round' }),
    panda: animal({ ground: '#dff1d3', fur: '#fdfdfb', inner: '#fdfdfb', ears: 'round', dark: '#2d3142' }),
    rabbit: animal({ ground: '#e3ddfb', fur: '#f7eee6', inner: '#f3b8bd', ears: 'long' }),
    wolf: animal({ ground: '#d5eef6', fur: '#5c6b85', inner: '#e4e9f1', ears: 'pointed' }),
  },
  people: {
    amber: person({ ground: '#ffe7b8', skin: '#c98a5e', hair: '#3b2a22', cut: 'bun', shirt: '#e0672f' }),
    blue: person({ ground: '#d3e4ff', skin: '#f1c7a3', hair: '#7a4a2b', cut: 'short', shirt: '#2f5fd0' }),
    coral: person({ ground: '#ffdcd4', skin: '#8a5a3b', hair: '#1f1a1a', cut: 'curls', shirt: '#d8485b' }),
    green: person({ ground: '#d8f2d9', skin: '#e2ab80', hair: '#20252f', cut: 'long', shirt: '#2f8f5b' }),
    indigo: person({ ground: '#dedcff', skin: '#6f4630', hair: '#17131c', cut: 'short', shirt: '#4b3fb5' }),
    pink: person({ ground: '#ffdcec', skin: '#f4d2b8', hair: '#c2703d', cut: 'long', shirt: '#c93b86' }),
    teal: person({ ground: '#cdf0ee', skin: '#b87a50', hair: '#2a1e1b', cut: 'curls', shirt: '#12807f' }),
    violet: person({ ground: '#ecdcfb', skin: '#dca078', hair: '#47306b', cut: 'bun', shirt: '#7d3fb8' }),
  },
  space: {
    comet: planet({ sky: '#152a5c', body: '#ffd27a', mark: '#fff1cf', look: 'comet' }),
    earth: planet({ sky: '#0f2550', body: '#4aa3e0', mark: '#63c284', look: 'land' }),
    jupiter: planet({ sky: '#2a1d3f', body: '#e2b07a', mark: '#b5713f', look: 'bands' }),
    mars: planet({ sky: '#33182a', body: '#d8603c', mark: '#a8412a', look: 'craters' }),
    moon: planet({ sky: '#1b2440', body: '#d9dee8', mark: '#aab3c4', look: 'craters' }),
    neptune: planet({ sky: '#0d2149', body: '#4f6fe0', mark: '#8aa5ff', look: 'bands' }),
    saturn: planet({ sky: '#24203f', body: '#efcf94', mark: '#c79a5b', look: 'ring' }),
    sun: planet({ sky: '#5c2a2a', body: '#ffb63d', mark: '#ffe08a', look: 'rays' }),
  },
};

const DRAWINGS: ReadonlyMap<string, Avatar> = new Map(
  Object.entries(CATALOGUE).flatMap(([category, avatars]) =>
    Object.entries(avatars).map(([name, avatar]) => [`/avatars/${category}/${name}.svg`, avatar] as const),
  ),
);

/** Built-in avatar by URL, retired or not: users may still have a retired one. */
export const drawingAt = (url: string): Avatar | undefined => DRAWINGS.get(url);
