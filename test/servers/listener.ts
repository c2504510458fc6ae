import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { type TestApp } from '../app.js';
import { eventually } from '@nimo/testing';

/** A subscriber with its own socket, like a browser. */
export interface Listener {
  readonly heard: unknown[];
  readonly errors: unknown[];
  /** Subscriptions confirmed by the API. */
  readonly confirmed: string[];
  close(): Promise<void>;
}

export function listenTo(app: TestApp, subscription: string, token?: string): Listener {
  const confirmed: string[] = [];
  const client = createClient({
    url: `${app.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    on: {
      pong: (received, payload) => {
        if (received && typeof payload?.['subscribed'] === 'string') confirmed.push(payload['subscribed']);
      },
    },
    connectionParams: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  const listener: Listener = { heard: [], errors: [], confirmed, close: async () => client.dispose() };
  client.subscribe(
    { query: `subscription { ${subscription} }` },
    {
      next: ({ data, errors }) => (errors ? listener.errors.push(...errors) : listener.heard.push(data)),
      error: (error) => listener.errors.push(error),
      complete: () => undefined,
    },
  );
  return listener;
}

/** Waits until the API has confirmed every subscription; from then on, no event is missed. */
export async function untilListening(...listeners: readonly Listener[]): Promise<void> {
  await eventually(() => listeners.every(({ confirmed }) => confirmed.length > 0));
}

/** Waits until the listener has received `count` events. */
export async function untilHeard({ heard }: Listener, count: number): Promise<void> {
  await eventually(() => heard.length >= count);
}
