import { entryOf, type DomainEvent, type KeyKind } from '@nimo/domain';

/** Removes erased personal data from events the way `PersonalDataCodec` does once a student's key is destroyed. */
export class DestroyedKeys {
  private readonly destroyed = new Set<string>();

  destroy(kind: KeyKind, id: string): void {
    this.destroyed.add(`${kind} ${id}`);
  }

  /** The event as read or written after the erasure. */
  withoutErasedData<E extends Pick<DomainEvent, 'type' | 'data'>>(event: E): E {
    const data = event.data as Readonly<Record<string, unknown>>;
    const gone = (entryOf(event.type)?.sealed ?? [])
      .filter((sealed) => this.destroyed.has(`${sealed.with} ${String(data[sealed.of])}`))
      .flatMap((sealed) => Object.entries(sealed.gone))
      // Null and missing fields were never sealed.
      .filter(([field]) => data[field] !== null && data[field] !== undefined);
    return gone.length === 0
      ? event
      : { ...event, data: { ...data, ...Object.fromEntries(gone) } as E['data'] };
  }
}
