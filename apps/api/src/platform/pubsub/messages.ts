import { guarded, type OnFault } from '../errors/guarded.js';

export interface MessageSubscription {
  readonly onMessage: (payload: string) => void;
  /** Messages may have been missed: the connection was lost and is back. */
  readonly onGap?: () => void;
}

/**
 * What processes tell each other at once: sessions that ended, roles that changed, pictures that are ready. Told at most once, in the order of
 * the teller, to those who listen at that moment. Whoever may have missed something hears of a gap and looks for itself.
 */
export abstract class Messages {
  /** While this holds, nothing that was told has been missed. */
  abstract readonly isConnected: boolean;

  abstract start(): Promise<void>;

  /** @returns what ends the subscription */
  abstract subscribe(channel: string, subscription: MessageSubscription): Promise<() => void>;

  /** What could not be told for now becomes a gap for all who listen, as soon as it can. */
  abstract publish(channel: string, payload: string): Promise<void>;

  abstract stop(): Promise<void>;
}

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
