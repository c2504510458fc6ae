import { readEventStoreAddress } from '../event-store-address.js';

/**
 * KurrentDB is the later name of EventStoreDB; the client only knows the earlier one. The protocol is the same. Told to discover, the client
 * asks the first of several nodes alone, so that its end would be the end of all: of a list it asks every one without being told.
 */
export function clientAddress(url: string): string {
  const isList = (readEventStoreAddress(url)?.nodes.length ?? 1) > 1;
  return url.replace(/^(?:esdb|kurrentdb)(\+discover)?:/, isList ? 'esdb:' : 'esdb$1:');
}
