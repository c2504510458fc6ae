import { NotLeaderError } from '@eventstore/db-client';

/** How the server is reached, for whoever runs the product: each change once, and what came meanwhile as a number. */
export interface ReachabilityNews {
  /** The first of the calls that failed in passing, with its cause. Those after it are only counted. */
  readonly onAway: (cause: unknown) => void;
  /** @param failures how many calls had failed */
  readonly onBack: (failures: number) => void;
}

export class Reachability {
  private readonly news: ReachabilityNews | undefined;
  private failures = 0;

  constructor(news: ReachabilityNews | undefined) {
    this.news = news;
  }

  failed(error: unknown): void {
    // Where the leader is, is an answer.
    if (error instanceof NotLeaderError) return;
    this.failures += 1;
    if (this.failures === 1) this.news?.onAway(error);
  }

  answered(): void {
    if (this.failures === 0) return;
    const failures = this.failures;
    this.failures = 0;
    this.news?.onBack(failures);
  }
}
