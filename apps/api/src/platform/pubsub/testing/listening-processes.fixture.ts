import { randomUUID } from 'node:crypto';
import { eventually } from '@nimo/testing';
import type { Messages } from '../messages.js';

export const unexpected = (fault: unknown): never => {
  throw new Error('a listener failed', { cause: fault });
};

export const newChannel = (): string => `nimo_${randomUUID()}`;

/** Message connections of one test, each standing for a process. */
export class ListeningProcesses {
  private readonly started: Messages[] = [];

  /** Starts and waits for the connection. */
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

/** Records the messages and gaps on a channel. */
export async function recordMessages(messages: Messages, channel: string): Promise<string[]> {
  const heard: string[] = [];
  await messages.subscribe(channel, {
    onMessage: (payload) => heard.push(payload),
    onGap: () => heard.push('GAP'),
  });
  return heard;
}
