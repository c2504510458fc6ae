import { animal, person, planet, type Avatar } from './avatar-drawings.js';

/** Pictures drawn for the product, by category and name: `/avatars/<category>/<name>.svg`. */
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

/** The picture at an address of the built-in avatars: also of a retired one, which somebody may wear. */
export const drawingAt = (url: string): Avatar | undefined => DRAWINGS.get(url);
