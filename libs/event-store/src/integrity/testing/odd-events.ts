import { randomUUID } from 'node:crypto';
import { readFrom } from '../../contract/event-fixtures.js';
import type { Append, EventStore, JsonObject } from '../../port.js';
import { EMPTY_CHAIN, linksOf } from '../event-chain.js';

/** Parsed with JSON.parse, since object literals cannot express all of them. */
const ODD: readonly string[] = [
  '{"z":1,"a":{"y":[3,{"b":1,"a":2}],"x":null}}',
  '{"whole":1.0,"power":1e2,"small":1e-7,"large":1e21,"exact":9007199254740993,"tenth":0.1}',
  '{"number":123456789012345678901234567890,"least":5e-324,"most":1.7976931348623157e308}',
  '{"a":1,"a":2,"10":"ten","9":"nine","é":1,"e\\u0301":2}',
  '{"controls":"\\u0001\\u001f\\u007f","line":"\\u2028\\u2029","quotes":"\\"\\\\/","emoji":"😀"}',
  '{"":{"":[]},"__proto__":{"polluted":true},"constructor":"x","empty":""}',
  '{}',
];

/** Events whose JSON stores might return in different forms. */
export function oddAppends(): Append[] {
  return ODD.map((json) => ({
    streamId: `odd-${randomUUID()}`,
    expectedRevision: 'no-stream',
    events: [
      {
        id: randomUUID(),
        type: 'OddThing',
        data: JSON.parse(json) as JsonObject,
        metadata: JSON.parse(json) as JsonObject,
      },
      { id: randomUUID(), type: 'OddThing', data: { again: JSON.parse(json) as JsonObject }, metadata: {} },
    ],
  }));
}

/** Chain head of a log. */
export async function chainedHead(log: EventStore): Promise<string> {
  return (linksOf(EMPTY_CHAIN, await readFrom(log, undefined)).at(-1) ?? EMPTY_CHAIN).head.toString('hex');
}
