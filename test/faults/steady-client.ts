import { Agent, request } from 'node:http';

/**
 * What became of a request. A refused connection was never accepted, nor was a new one that is reset: it waited in the queue of a socket
 * that stopped listening. One that breaks after it had served before was accepted, and went without an answer.
 */
export type Outcome = 'answered' | 'refused-connection' | 'broken' | 'error-answer';

export interface Sent {
  readonly key: string;
  readonly outcome: Outcome;
  /** It was under way when the process was told to go. */
  readonly wasAtHand: boolean;
  readonly detail: string;
}

/** Sends one mutation after the other over a connection that it keeps, and never tries again. */
export class SteadyClient {
  readonly sent: Sent[] = [];
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private isStopping = false;
  private running: Promise<void> | undefined;

  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly isLeaving: () => boolean,
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
      const startedBefore = !this.isLeaving();
      const { outcome, detail } = await this.send(key);
      this.sent.push({ key, outcome, detail, wasAtHand: startedBefore && this.isLeaving() });
      // Nobody is there any more.
      if (outcome === 'refused-connection') return;
    }
  }

  private send(key: string): Promise<Pick<Sent, 'outcome' | 'detail'>> {
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
