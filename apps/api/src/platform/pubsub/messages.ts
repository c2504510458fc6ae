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
