import type { Json, JsonObject, LateValues, RecordedEvent } from '@nimo/event-store';
import { sealedGroupsOf } from './sealed-fields.js';
import { boundTo, isSealedText, openText } from './sealed-value.js';
import type { HeldKey } from './student-keys.js';

/** What was sealed and cannot be opened, though nobody was erased: keys are lost, or were tampered with. */
export type OnUnreadable = (reason: 'no key' | 'broken key' | 'wrong key', owner: string) => void;

/** What of one event is sealed: opened when it is first read, and read as gone from the moment in which its key is. */
export class SealedValues implements LateValues {
  readonly stored: JsonObject;
  private opened: Record<string, Json> | undefined;

  /** @param held the key of each of the type's groups, where there is one */
  constructor(
    private readonly event: RecordedEvent,
    private readonly held: readonly (HeldKey | undefined)[],
    private readonly onUnreadable: OnUnreadable,
  ) {
    this.stored = event.data;
  }

  valueOf(field: string): Json {
    const groups = sealedGroupsOf(this.event.type);
    const index = groups.findIndex(({ fields }) => fields.some(({ name }) => name === field));
    const group = groups[index];
    const gone = group?.fields.find(({ name }) => name === field)?.gone ?? null;
    const standing = this.held[index]?.standing;
    if (!(standing instanceof Buffer)) {
      this.opened = undefined;
      return gone;
    }
    this.opened ??= {};
    return (this.opened[field] ??= this.open(field, standing, group?.keyOf(this.stored)?.id) ?? gone);
  }

  /** @returns null where it does not open; nothing that is null is ever sealed */
  private open(field: string, key: Buffer, owner = ''): Json {
    try {
      const sealed = this.stored[field];
      if (!isSealedText(sealed)) return sealed ?? null;
      return JSON.parse(openText(key, sealed, boundTo(this.event, field))) as Json;
    } catch {
      this.onUnreadable('wrong key', owner);
      return null;
    }
  }
}
