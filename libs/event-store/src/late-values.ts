import type { Json, JsonObject } from './port.js';

const LATE = Symbol('late values');

/** What stands behind data of which some values are made when they are first read. */
export interface LateValues {
  /** As it is stored: what it weighs is known without making anything. */
  readonly stored: JsonObject;
  valueOf(field: string): Json;
}

interface Late {
  readonly [LATE]: LateValues;
}

/** One a name, for all objects: with accessors of its own each would be a dictionary. */
const accessors = new Map<string, PropertyDescriptor & ThisType<Late>>();

function accessorOf(name: string): PropertyDescriptor {
  const known = accessors.get(name);
  if (known) return known;
  const made: PropertyDescriptor & ThisType<Late> = {
    get() {
      return this[LATE].valueOf(name);
    },
    enumerable: true,
    configurable: true,
  };
  accessors.set(name, made);
  return made;
}

/**
 * Data with the same fields in the same order. Those that are late are asked for when somebody reads them, copies the object or writes it as
 * JSON, each time anew: whoever gives them decides whether to keep them.
 * @param late names of fields, a fixed set of them
 */
export function withLateValues(late: readonly string[], values: LateValues): JsonObject {
  const data: Record<string, Json> = {};
  Object.defineProperty(data, LATE, { value: values });
  const { stored } = values;
  for (const name in stored) {
    if (late.includes(name)) Object.defineProperty(data, name, accessorOf(name));
    else data[name] = stored[name] ?? null;
  }
  return data;
}

/** The same data as it is stored, where some of it is late: to be looked at without making anything. */
export const asStored = (data: object): object => (data as Partial<Late>)[LATE]?.stored ?? data;
