import { guarded, type OnFault } from '../errors/guarded.js';

export interface MessageSubscription {
  readonly onMessage: (payload: string) => void;
  /** Called after a lost connection: messages may have been missed. */
  readonly onGap?: () => void;
}

/**
 * Publish/subscribe between processes, such as for ended sessions, changed roles and processed images. Delivery is at most once, in publisher
 * order, to current subscribers. After possible loss, subscribers are notified of a gap and must reload.
 */
export abstract class Messages {
  /** While true, no message has been missed. */
  abstract readonly isConnected: boolean;

  abstract start(): Promise<void>;

  /** @returns a function that ends the subscription */
  abstract subscribe(channel: string, subscription: MessageSubscription): Promise<() => void>;

  /** A message that cannot be published becomes a gap for all subscribers once the connection is back. */
  abstract publish(channel: string, payload: string): Promise<void>;

  abstract stop(): Promise<void>;
}

/** The subscriptions of this process. Isolates faults of listeners from each other and from the caller. */
export class Subscriptions {
  private readonly byChannel = new Map<string, Set<MessageSubscription>>();

  /** @param onFault called with errors thrown by listeners */
  constructor(private readonly onFault: OnFault) {}

  get channels(): string[] {
    return [...this.byChannel.keys()];
  }

  /** @returns whether it is the first of its channel */
  add(channel: string, subscription: MessageSubscription): boolean {
    const existing = this.byChannel.get(channel);
    existing?.add(subscription);
    if (!existing) this.byChannel.set(channel, new Set([subscription]));
    return !existing;
  }

  remove(channel: string, subscription: MessageSubscription): void {
    this.byChannel.get(channel)?.delete(subscription);
  }

  deliver(channel: string, payload: string): void {
    for (const { onMessage } of this.byChannel.get(channel) ?? []) guarded(this.onFault, onMessage)(payload);
  }

  notifyGap(): void {
    for (const ofChannel of this.byChannel.values())
      for (const { onGap } of ofChannel) if (onGap) guarded(this.onFault, onGap)();
  }
}
