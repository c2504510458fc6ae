/** KurrentDB is the later name of EventStoreDB; the client only knows the earlier one. The protocol is the same. */
export function clientAddress(url: string): string {
  return url.replace(/^kurrentdb(\+discover)?:/, 'esdb$1:');
}
