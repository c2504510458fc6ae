import { isDeepStrictEqual } from 'node:util';

/** An event's data as it lies in a log that a version wrote. */
export interface StoredExample {
  readonly schemaVersion: number;
  readonly data: Readonly<Record<string, unknown>>;
}
/** By the event's type, each version in order. */
export type StoredEvents = Readonly<Record<string, readonly StoredExample[]>>;

/**
 * The examples of every version with that of the current one, where it is new. What was written once stays as it is.
 * @throws Error where a shape changed and its version did not
 */
export const storedWith = (
  stored: StoredEvents,
  examples: Readonly<Record<string, object>>,
  versionOf: (type: string) => number,
): StoredEvents => {
  const added = Object.entries(examples).map(([type, example]): [string, readonly StoredExample[]] => {
    const known = stored[type] ?? [];
    const schemaVersion = versionOf(type);
    const data = JSON.parse(JSON.stringify(example)) as StoredExample['data'];
    if (known.length === schemaVersion - 1) return [type, [...known, { schemaVersion, data }]];
    if (known.length !== schemaVersion)
      throw new Error(`${type} has examples of ${known.length} versions, and is at version ${schemaVersion}`);
    if (!isDeepStrictEqual(known.at(-1)?.data, data))
      throw new Error(`${type} has another shape than version ${schemaVersion}: lift that by an upcaster`);
    return [type, known];
  });
  return { ...stored, ...Object.fromEntries(added) };
};

/** The name of the stream of every decider that a module exports, of an aggregate `one` (of `two`). */
export const streamNamesIn = (module: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(module).flatMap(([name, value]) =>
      name.endsWith('Decider') && typeof value === 'object' && value !== null && 'stream' in value
        ? [[name.replace(/Decider$/, ''), (value.stream as (...ids: string[]) => string)('one', 'two')]]
        : [],
    ),
  );

/**
 * The names that streams ever had with those of new deciders.
 * @throws Error where a decider's streams have another name than before, or are gone
 */
export const namesWith = (
  stored: Readonly<Record<string, string>>,
  current: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  for (const [decider, name] of Object.entries(stored))
    if (current[decider] !== name) throw new Error(`The streams of ${decider} were ${name}`);
  return { ...stored, ...current };
};
