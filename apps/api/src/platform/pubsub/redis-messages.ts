import type { Redis } from 'ioredis';
import { openRedis } from '../redis/open-redis.js';
import { guarded, type OnFault } from '../errors/guarded.js';
import { Messages, type MessageSubscription, Subscriptions } from './messages.js';

/** Everybody listens to it: somebody could not tell something, and it is not known whom it concerned. */
const LOST_CHANNEL = 'nimo_lost';
const LOOKS_EVERY_MS = 5_000;

/** Redis pub/sub. While Redis is away nobody waits for it; when it is back everybody hears of a gap. */
export class RedisMessages extends Messages {
  private readonly subscriptions: Subscriptions;
  private readonly listener: Redis;
  private readonly teller: Redis;
  private isListening = false;
  private hasLost = false;
  private looking: NodeJS.Timeout | undefined;

  constructor(
    url: string,
    private readonly onFault: OnFault,
  ) {
    super();
    this.subscriptions = new Subscriptions(onFault);
    this.listener = openRedis(url, 'listener');
    this.teller = openRedis(url, 'teller');
    this.listener.on('message', (channel: string, payload: string) => this.hear(channel, payload));
    this.listener.on(
      'ready',
      guarded(onFault, () => this.listen()),
    );
    this.listener.on('close', () => (this.isListening = false));
    this.teller.on(
      'ready',
      guarded(onFault, () => this.tellOfLost()),
    );
  }

  get isConnected(): boolean {
    return this.isListening;
  }

  /** A process starts without Redis as well: only what is told at once comes late. */
  async start(): Promise<void> {
    await Promise.all([this.listener, this.teller].map((redis) => redis.connect().catch(() => undefined)));
    // A network that swallows everything looks like silence.
    this.looking = setInterval(
      guarded(this.onFault, () => this.look()),
      LOOKS_EVERY_MS,
    ).unref();
  }

  async subscribe(channel: string, subscription: MessageSubscription): Promise<() => void> {
    const isFirst = this.subscriptions.add(channel, subscription);
    // Where that fails the connection is lost, and all channels are subscribed to with the next.
    if (isFirst && this.isListening) await this.listener.subscribe(channel).catch(() => this.mistrust());
    return () => this.subscriptions.remove(channel, subscription);
  }

  async publish(channel: string, payload: string): Promise<void> {
    try {
      await this.teller.publish(channel, payload);
    } catch {
      this.hasLost = true;
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.looking);
    this.isListening = false;
    await this.tellOfLost();
    this.listener.disconnect();
    this.teller.disconnect();
  }

  private hear(channel: string, payload: string): void {
    if (channel === LOST_CHANNEL) this.subscriptions.tellOfGap();
    else this.subscriptions.hand(channel, payload);
  }

  private async listen(): Promise<void> {
    try {
      await this.listener.subscribe(LOST_CHANNEL, ...this.subscriptions.channels);
    } catch {
      this.mistrust();
      return;
    }
    // Before anybody trusts the connection again.
    this.subscriptions.tellOfGap();
    this.isListening = true;
  }

  private async look(): Promise<void> {
    if (!this.isListening) return;
    await this.listener.ping().catch(() => this.mistrust());
  }

  private mistrust(): void {
    this.isListening = false;
    this.listener.disconnect(true);
  }

  private async tellOfLost(): Promise<void> {
    if (!this.hasLost) return;
    this.hasLost = false;
    await this.publish(LOST_CHANNEL, '');
  }
}
