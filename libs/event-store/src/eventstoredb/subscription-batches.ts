import type { AllStreamSubscription } from '@eventstore/db-client';
import { EventStoreUnavailableError, type RecordedEvent } from '../port.js';
import { WakeSignal } from '../wake-signal.js';
import { isProductEvent, recordedEventOf } from './product-events.js';

/** What one subscription has buffered, in batches, until it breaks (then it throws) or the signal aborts. */
export async function* batchesOf(
  subscription: AllStreamSubscription,
  batchSize: number,
  signal: AbortSignal,
): AsyncGenerator<RecordedEvent[]> {
  const changed = new WakeSignal();
  let failure: Error | undefined;
  const wake = (): void => changed.wake();
  const fail = (error?: Error): void => {
    failure ??= error ?? new EventStoreUnavailableError('the subscription ended');
    wake();
  };
  subscription.on('readable', wake).on('error', fail);
  subscription.on('end', fail).on('close', fail);
  while (!signal.aborted) {
    const since = changed.version;
    const batch = takeBatch(subscription, batchSize);
    if (batch.length > 0) yield batch;
    else if (failure !== undefined) throw failure;
    else await changed.wait({ since, signal });
  }
}

/** Leaving the rest unread is what slows the server down when the consumer is slow. */
function takeBatch(subscription: AllStreamSubscription, batchSize: number): RecordedEvent[] {
  const batch: RecordedEvent[] = [];
  while (batch.length < batchSize) {
    const resolved = subscription.read() as { event?: Parameters<typeof recordedEventOf>[0] } | null;
    if (resolved === null) break;
    if (resolved.event && isProductEvent(resolved.event)) batch.push(recordedEventOf(resolved.event));
  }
  return batch;
}
