import { NotLeaderError } from '@eventstore/db-client';

/** Notified once per change of the server's availability. */
export interface AvailabilityListener {
  /** @param cause the first transient error; later ones are only counted */
  readonly onUnavailable: (cause: unknown) => void;
  /** @param failures number of calls that failed meanwhile */
  readonly onAvailable: (failures: number) => void;
}

export class Availability {
  private readonly listener: AvailabilityListener | undefined;
  private failures = 0;

  constructor(listener: AvailabilityListener | undefined) {
    this.listener = listener;
  }

  recordFailure(error: unknown): void {
    // The server did respond, with the leader's address.
    if (error instanceof NotLeaderError) return;
    this.failures += 1;
    if (this.failures === 1) this.listener?.onUnavailable(error);
  }

  recordSuccess(): void {
    if (this.failures === 0) return;
    const failures = this.failures;
    this.failures = 0;
    this.listener?.onAvailable(failures);
  }
}
