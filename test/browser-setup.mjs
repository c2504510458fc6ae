import '@testing-library/jest-dom/jest-globals';

class NothingToObserve {
  observe() {}
  unobserve() {}
  disconnect() {}
  takeRecords() {
    return [];
  }
}

const noMatch = (media) => ({
  media,
  matches: false,
  onchange: null,
  addEventListener() {},
  removeEventListener() {},
  addListener() {},
  removeListener() {},
  dispatchEvent: () => false,
});

const emptyRect = () => ({
  x: 0,
  y: 0,
  top: 0,
  left: 0,
  right: 0,
  bottom: 0,
  width: 0,
  height: 0,
  toJSON: () => ({}),
});

globalThis.matchMedia ??= noMatch;
globalThis.ResizeObserver ??= NothingToObserve;
globalThis.IntersectionObserver ??= NothingToObserve;
Range.prototype.getBoundingClientRect = emptyRect;
Range.prototype.getClientRects = () => [];
document.elementFromPoint ??= () => null;
Element.prototype.scrollIntoView ??= () => {};
globalThis.scrollTo = () => {};
Object.defineProperty(document, 'fonts', {
  value: { ready: Promise.resolve(), addEventListener() {}, removeEventListener() {} },
  configurable: true,
});
