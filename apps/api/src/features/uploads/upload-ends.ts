import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Messages } from '../../platform/pubsub/messages.js';
import { UPLOAD_DONE_CHANNEL } from './upload-slots.js';

/** Tells those who wait that the worker is done with their picture. */
@Injectable()
export class UploadEnds implements OnModuleInit, OnModuleDestroy {
  private readonly waiting = new Map<string, Set<() => void>>();
  private unsubscribe: (() => void) | undefined;

  constructor(private readonly messages: Messages) {}

  async onModuleInit(): Promise<void> {
    this.unsubscribe = await this.messages.subscribe(UPLOAD_DONE_CHANNEL, {
      onMessage: (key) => this.release(key),
      onGap: () => [...this.waiting.keys()].forEach((key) => this.release(key)),
    });
  }

  onModuleDestroy(): void {
    this.unsubscribe?.();
  }

  /** Resolves when that upload is done or the time is over, whichever is first. Ask before the work is given away. */
  async of(key: string, patienceMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      // The same bytes may come twice at once.
      this.waiting.set(key, (this.waiting.get(key) ?? new Set()).add(resolve));
      timer = setTimeout(() => {
        this.leave(key, resolve);
        resolve();
      }, patienceMs);
    });
    clearTimeout(timer);
  }

  private release(key: string): void {
    for (const resolve of this.waiting.get(key) ?? []) resolve();
    this.waiting.delete(key);
  }

  private leave(key: string, resolve: () => void): void {
    const others = this.waiting.get(key);
    others?.delete(resolve);
    if (others?.size === 0) this.waiting.delete(key);
  }
}
