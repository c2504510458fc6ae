const UNREAD_MAX_BYTES = 64 * 1024 * 1024;

interface Sent {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  destroy(): unknown;
}

/** Answers that were given and not taken yet, which stay in memory: when they are too many, the largest is dropped first. */
export class UnreadAnswers {
  private readonly held = new Map<Sent, number>();
  private total = 0;

  constructor(private readonly mostBytes = UNREAD_MAX_BYTES) {}

  get bytes(): number {
    return this.total;
  }

  hold(response: Sent, bytes: number): void {
    if (response.destroyed || this.held.has(response)) return;
    this.held.set(response, bytes);
    this.total += bytes;
    response.once('close', () => this.forget(response));
    while (this.total > this.mostBytes) {
      const largest = this.largest();
      if (!largest) return;
      this.forget(largest);
      largest.destroy();
    }
  }

  private forget(response: Sent): void {
    this.total -= this.held.get(response) ?? 0;
    this.held.delete(response);
  }

  private largest(): Sent | undefined {
    let [found, most] = [undefined as Sent | undefined, -1];
    for (const [response, bytes] of this.held) if (bytes > most) [found, most] = [response, bytes];
    return found;
  }
}
