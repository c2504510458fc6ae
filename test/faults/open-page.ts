import { createClient, type Client } from 'graphql-ws';
import { WebSocket } from 'ws';

/** A browser with an open question, whose socket reconnects automatically to any API. */
export class OpenPage {
  updates = 0;
  reconnects = 0;
  readonly errors: unknown[] = [];
  private readonly client: Client;

  constructor(url: () => string, questionId: string) {
    this.client = createClient({
      url: () => `${url().replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: Infinity,
      shouldRetry: () => true,
      // As in a browser, but with shorter delays.
      retryWait: (retries) => new Promise((resolve) => setTimeout(resolve, Math.min(50 * 2 ** retries, 400))),
      on: { connected: (_socket, _payload, wasRetry) => (this.reconnects += wasRetry ? 1 : 0) },
    });
    this.client.subscribe(
      { query: `subscription { questionUpdated(questionId: "${questionId}") { ordinal } }` },
      {
        next: ({ errors }) => (errors ? this.errors.push(...errors) : (this.updates += 1)),
        error: (error) => this.errors.push(error),
        complete: () => undefined,
      },
    );
  }

  async close(): Promise<void> {
    await this.client.dispose();
  }
}
