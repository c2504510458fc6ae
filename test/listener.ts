import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { eventually, type TestApp } from './app.js';

/** Somebody who listens over a socket of their own, as a browser does. */
export interface Listener {
  readonly heard: unknown[];
  readonly errors: unknown[];
  /** Subscriptions that the api said to have begun. */
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

/** Until it has heard something more, by acts that are repeated since a subscription takes a moment. */
export async function untilHeard({ heard }: Listener, act: () => Promise<unknown>): Promise<void> {
  const before = heard.length;
  await eventually(async () => {
    await act();
    return heard.length > before;
  });
}
