import { createClient, type Client } from 'graphql-ws';
import { WebSocket } from 'ws';

/** A browser with a question open: its socket comes back by itself, to whichever api it gets, and reads again what it may have missed. */
export class OpenPage {
  heard = 0;
  /** How often it came back after its api had died. */
  returns = 0;
  readonly errors: unknown[] = [];
  private readonly client: Client;

  constructor(url: () => string, questionId: string) {
    this.client = createClient({
      url: () => `${url().replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: Infinity,
      shouldRetry: () => true,
      // As in a browser, but for the pauses, which there begin with a second.
      retryWait: (retries) => new Promise((resolve) => setTimeout(resolve, Math.min(50 * 2 ** retries, 400))),
      on: { connected: (_socket, _payload, wasRetry) => (this.returns += wasRetry ? 1 : 0) },
    });
    this.client.subscribe(
      { query: `subscription { questionUpdated(questionId: "${questionId}") { ordinal } }` },
      {
        next: ({ errors }) => (errors ? this.errors.push(...errors) : (this.heard += 1)),
        error: (error) => this.errors.push(error),
        complete: () => undefined,
      },
    );
  }

  async close(): Promise<void> {
    await this.client.dispose();
  }
}
