import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Messages } from '../../platform/messages/messages.js';
import { UPLOAD_DONE_CHANNEL } from './upload-slots.js';

/** Tells those who wait that the worker is done with their picture. */
@Injectable()
export class UploadEnds implements OnModuleInit, OnModuleDestroy {
  private readonly waiting = new Map<string, () => void>();
  private unsubscribe: (() => void) | undefined;

  constructor(private readonly messages: Messages) {}

  async onModuleInit(): Promise<void> {
    this.unsubscribe = await this.messages.subscribe(UPLOAD_DONE_CHANNEL, {
      onMessage: (key) => this.waiting.get(key)?.(),
      onGap: () => this.waiting.forEach((release) => release()),
    });
  }

  onModuleDestroy(): void {
    this.unsubscribe?.();
  }

  /** Resolves when that upload is done or the time is over, whichever is first. Ask before the work is given away. */
  async of(key: string, patienceMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.waiting.set(key, resolve);
      timer = setTimeout(resolve, patienceMs);
    });
    clearTimeout(timer);
    this.waiting.delete(key);
  }
}
