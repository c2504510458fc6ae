/** How the double fails an append. */
export type AppendFault =
  /** The connection breaks before anything is written. */
  | { readonly kind: 'drops-before' }
  /** The append is written, and the connection breaks before the response. */
  | { readonly kind: 'drops-after' }
  /** No response ever comes, whether written or not. */
  | { readonly kind: 'no-response'; readonly isWritten: boolean }
  /** The leader timed out waiting for its followers. */
  | { readonly kind: 'times-out' }
  /** A leader election is in progress. */
  | { readonly kind: 'not-ready' }
  | { readonly kind: 'no-leader' }
  /** A permanent error. */
  | { readonly kind: 'denies-access' };

/** Queue of faults for the next appends. */
export class AppendFaults {
  private readonly next: AppendFault[] = [];

  plan(faults: readonly AppendFault[]): void {
    this.next.push(...faults);
  }

  take(): AppendFault | undefined {
    return this.next.shift();
  }
}
