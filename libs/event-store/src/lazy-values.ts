import type { Json, JsonObject } from './port.js';

const LAZY = Symbol('late values');

/** Source of the fields that are computed on read. */
export interface LazyValues {
  /** The stored form, whose weight is known without computing anything. */
  readonly stored: JsonObject;
  valueOf(field: string): Json;
}

interface HasLazyValues {
  readonly [LAZY]: LazyValues;
}

/** One accessor per field name, shared by all objects: with its own accessors, each would become a dictionary in V8. */
const accessors = new Map<string, PropertyDescriptor & ThisType<HasLazyValues>>();

function accessorOf(name: string): PropertyDescriptor {
  const known = accessors.get(name);
  if (known) return known;
  const made: PropertyDescriptor & ThisType<HasLazyValues> = {
    get() {
      return this[LAZY].valueOf(name);
    },
    enumerable: true,
    configurable: true,
  };
  accessors.set(name, made);
  return made;
}

/**
 * Data with the stored fields in stored order. A lazy field is computed on every read, copy and JSON serialization; caching is up to
 * `values`.
 * @param lazy a fixed set of field names
 */
export function withLazyValues(lazy: readonly string[], values: LazyValues): JsonObject {
  const data: Record<string, Json> = {};
  Object.defineProperty(data, LAZY, { value: values });
  const { stored } = values;
  for (const name in stored) {
    if (lazy.includes(name)) Object.defineProperty(data, name, accessorOf(name));
    else data[name] = stored[name] ?? null;
  }
  return data;
}

/** The stored form of data with lazy values, or the data itself. */
export const asStored = (data: object): object => (data as Partial<HasLazyValues>)[LAZY]?.stored ?? data;
