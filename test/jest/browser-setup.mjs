import '@testing-library/jest-dom/jest-globals';

class NoopObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
  takeRecords() {
    return [];
  }
}

// Specs replace it to define matches.
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

globalThis.matchMedia = noMatch;
globalThis.ResizeObserver ??= NoopObserver;
globalThis.IntersectionObserver ??= NoopObserver;
Range.prototype.getBoundingClientRect = emptyRect;
Range.prototype.getClientRects = () => [];
// Standards mode, as in the app; KaTeX does not render in quirks mode.
Object.defineProperty(document, 'compatMode', { value: 'CSS1Compat' });
document.elementFromPoint ??= () => null;
Element.prototype.scrollIntoView ??= () => {};
for (const [property, attribute] of [
  ['ariaLabel', 'aria-label'],
  ['ariaLive', 'aria-live'],
])
  Object.defineProperty(Element.prototype, property, {
    get() {
      return this.getAttribute(attribute);
    },
    set(value) {
      this.setAttribute(attribute, value);
    },
    configurable: true,
  });
globalThis.scrollTo = () => {};
Object.defineProperty(document, 'fonts', {
  value: { ready: Promise.resolve(), addEventListener() {}, removeEventListener() {} },
  configurable: true,
});
