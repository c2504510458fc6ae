import type { Redis } from 'ioredis';
import { openRedis } from '../redis/open-redis.js';
import { guarded, type OnFault } from '../errors/guarded.js';
import { Messages, type MessageSubscription, Subscriptions } from './messages.js';

/** Announces that a publisher lost messages on unknown channels. Every process subscribes. */
const LOST_CHANNEL = 'nimo_lost';
const PING_INTERVAL_MS = 5_000;

/** Messages over Redis pub/sub. While Redis is down nothing blocks; afterwards all subscribers are notified of a gap. */
export class RedisMessages extends Messages {
  private readonly subscriptions: Subscriptions;
  private readonly listener: Redis;
  private readonly publisher: Redis;
  private isListening = false;
  private hasLost = false;
  private pingTimer: NodeJS.Timeout | undefined;

  constructor(
    url: string,
    private readonly onFault: OnFault,
  ) {
    super();
    this.subscriptions = new Subscriptions(onFault);
    this.listener = openRedis(url, 'listener');
    this.publisher = openRedis(url, 'teller');
    this.listener.on('message', (channel: string, payload: string) => this.receive(channel, payload));
    this.listener.on(
      'ready',
      guarded(onFault, () => this.listen()),
    );
    this.listener.on('close', () => (this.isListening = false));
    this.publisher.on(
      'ready',
      guarded(onFault, () => this.publishLost()),
    );
  }

  get isConnected(): boolean {
    return this.isListening;
  }

  /** Does not fail without Redis: only notifications are delayed. */
  async start(): Promise<void> {
    await Promise.all([this.listener, this.publisher].map((redis) => redis.connect().catch(() => undefined)));
    // Detects half-open connections.
    this.pingTimer = setInterval(
      guarded(this.onFault, () => this.ping()),
      PING_INTERVAL_MS,
    ).unref();
  }

  async subscribe(channel: string, subscription: MessageSubscription): Promise<() => void> {
    const isFirst = this.subscriptions.add(channel, subscription);
    // If this fails the connection is lost, and the next one subscribes to all channels.
    if (isFirst && this.isListening) await this.listener.subscribe(channel).catch(() => this.reconnect());
    return () => this.subscriptions.remove(channel, subscription);
  }

  async publish(channel: string, payload: string): Promise<void> {
    try {
      await this.publisher.publish(channel, payload);
    } catch {
      this.hasLost = true;
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.pingTimer);
    this.isListening = false;
    await this.publishLost();
    this.listener.disconnect();
    this.publisher.disconnect();
  }

  private receive(channel: string, payload: string): void {
    if (channel === LOST_CHANNEL) this.subscriptions.notifyGap();
    else this.subscriptions.deliver(channel, payload);
  }

  private async listen(): Promise<void> {
    try {
      await this.listener.subscribe(LOST_CHANNEL, ...this.subscriptions.channels);
    } catch {
      this.reconnect();
      return;
    }
    // Before `isConnected` becomes true.
    this.subscriptions.notifyGap();
    this.isListening = true;
  }

  private async ping(): Promise<void> {
    if (!this.isListening) return;
    await this.listener.ping().catch(() => this.reconnect());
  }

  private reconnect(): void {
    this.isListening = false;
    this.listener.disconnect(true);
  }

  private async publishLost(): Promise<void> {
    if (!this.hasLost) return;
    this.hasLost = false;
    await this.publish(LOST_CHANNEL, '');
  }
}
