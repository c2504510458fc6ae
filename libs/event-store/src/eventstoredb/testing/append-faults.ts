/** What the double does to one append instead of answering it. */
export type AppendFault =
  /** The connection breaks before anything is written. */
  | { readonly kind: 'drops-before' }
  /** It is written, and the connection breaks before the answer. */
  | { readonly kind: 'drops-after' }
  /** Written or not, no answer ever comes. */
  | { readonly kind: 'is-silent'; readonly isWritten: boolean }
  /** The server gave up on its own followers. */
  | { readonly kind: 'times-out' }
  /** During an election. */
  | { readonly kind: 'is-not-ready' }
  | { readonly kind: 'knows-no-leader' }
  /** A refusal for good: sending it again changes nothing. */
  | { readonly kind: 'denies-access' };

/** Faults in the order of the appends that they meet. */
export class AppendFaults {
  private readonly next: AppendFault[] = [];

  plan(faults: readonly AppendFault[]): void {
    this.next.push(...faults);
  }

  take(): AppendFault | undefined {
    return this.next.shift();
  }
}
