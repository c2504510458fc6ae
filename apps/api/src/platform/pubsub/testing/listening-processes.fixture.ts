import { randomUUID } from 'node:crypto';
import { eventually } from '@nimo/testing';
import type { Messages } from '../messages.js';

export const unexpected = (fault: unknown): never => {
  throw new Error('a listener failed', { cause: fault });
};

export const newChannel = (): string => `nimo_${randomUUID()}`;

/** Processes of one test, as far as messages can tell. */
export class ListeningProcesses {
  private readonly started: Messages[] = [];

  /** One that is connected. */
  async connected(messages: Messages): Promise<Messages> {
    await this.start(messages);
    await eventually(() => messages.isConnected);
    return messages;
  }

  async start(messages: Messages): Promise<void> {
    this.started.push(messages);
    await messages.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.started.splice(0).map((messages) => messages.stop()));
  }
}

/** What a process heard on a channel; gaps among the messages. */
export async function hearing(messages: Messages, channel: string): Promise<string[]> {
  const heard: string[] = [];
  await messages.subscribe(channel, {
    onMessage: (payload) => heard.push(payload),
    onGap: () => heard.push('GAP'),
  });
  return heard;
}
