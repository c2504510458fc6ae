import { Agent, request } from 'node:http';

/**
 * Outcome of a request. `refused-connection`: never accepted; includes new connections that are reset, which waited in the queue of a closed
 * listening socket. `broken`: accepted on an existing connection, but not answered.
 */
export type Outcome = 'answered' | 'refused-connection' | 'broken' | 'error-answer';

export interface SentRequest {
  readonly key: string;
  readonly outcome: Outcome;
  /** Whether the request was in flight when the shutdown began. */
  readonly wasInFlight: boolean;
  readonly detail: string;
}

/** Sends mutations sequentially over one connection, without retries. */
export class SteadyClient {
  readonly sent: SentRequest[] = [];
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private isStopping = false;
  private running: Promise<void> | undefined;

  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly isShuttingDown: () => boolean,
    private readonly nextQuery: () => string,
  ) {}

  start(name: string): void {
    this.running = this.keepSending(name);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running;
    this.agent.destroy();
  }

  private async keepSending(name: string): Promise<void> {
    for (let count = 0; !this.isStopping; count += 1) {
      const key = `${name}-${count}`;
      const startedBefore = !this.isShuttingDown();
      const { outcome, detail } = await this.send(key);
      this.sent.push({ key, outcome, detail, wasInFlight: startedBefore && this.isShuttingDown() });
      // The server is gone.
      if (outcome === 'refused-connection') return;
    }
  }

  private send(key: string): Promise<Pick<SentRequest, 'outcome' | 'detail'>> {
    const body = JSON.stringify({ query: this.nextQuery() });
    return new Promise((resolve) => {
      const sending = request(
        `${this.url}/graphql`,
        {
          agent: this.agent,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            authorization: `Bearer ${this.token}`,
            'idempotency-key': key,
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => {
            text += part;
          });
          response.on('end', () => {
            const isGood = response.statusCode === 200 && !text.includes('"errors"');
            resolve({ outcome: isGood ? 'answered' : 'error-answer', detail: text.slice(0, 300) });
          });
          response.on('error', (error) => resolve({ outcome: 'broken', detail: error.message }));
        },
      );
      sending.on('error', (error: NodeJS.ErrnoException) =>
        resolve({
          outcome: isUnaccepted(error, sending.reusedSocket) ? 'refused-connection' : 'broken',
          detail: String(error),
        }),
      );
      sending.end(body);
    });
  }
}

const isUnaccepted = ({ code }: NodeJS.ErrnoException, isReused: boolean): boolean =>
  code === 'ECONNREFUSED' || (code === 'ECONNRESET' && !isReused);
