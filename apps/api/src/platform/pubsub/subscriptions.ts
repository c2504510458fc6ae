import { guarded, type OnFault } from '../runtime/guarded.js';
import type { MessageSubscription } from './messages.js';

/** Who listens to what in this process. A fault of one keeps nothing from the others, nor from whoever hands over. */
export class Subscriptions {
  private readonly byChannel = new Map<string, Set<MessageSubscription>>();

  /** @param onFault told of what a listener threw */
  constructor(private readonly onFault: OnFault) {}

  get channels(): string[] {
    return [...this.byChannel.keys()];
  }

  /** @returns whether it is the first of its channel */
  add(channel: string, subscription: MessageSubscription): boolean {
    const known = this.byChannel.get(channel);
    known?.add(subscription);
    if (!known) this.byChannel.set(channel, new Set([subscription]));
    return !known;
  }

  remove(channel: string, subscription: MessageSubscription): void {
    this.byChannel.get(channel)?.delete(subscription);
  }

  hand(channel: string, payload: string): void {
    for (const { onMessage } of this.byChannel.get(channel) ?? []) guarded(this.onFault, onMessage)(payload);
  }

  tellOfGap(): void {
    for (const ofChannel of this.byChannel.values())
      for (const { onGap } of ofChannel) if (onGap) guarded(this.onFault, onGap)();
  }
}
