import { AsyncLocalStorage } from 'node:async_hooks';

const METHODS = ['run', 'enterWith'];

export function watchStorages() {
  const used = new Set();
  const { prototype } = AsyncLocalStorage;
  const originals = METHODS.map((method) => prototype[method]);
  METHODS.forEach((method, index) => {
    prototype[method] = function (...given) {
      used.add(this);
      return originals[index].apply(this, given);
    };
  });
  return {
    disableUsed: () => {
      for (const storage of used) storage.disable();
      used.clear();
    },
    stop: () => METHODS.forEach((method, index) => (prototype[method] = originals[index])),
  };
}
