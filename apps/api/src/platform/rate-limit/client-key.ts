import ipaddr from 'ipaddr.js';

declare const KEY: unique symbol;

/** Names a client in every limit. Made by `clientKey` alone, so that no limit counts an address as it came. */
export type ClientKey = string & { readonly [KEY]: true };

/** A household or a campus line has one such network at least, and all of its addresses: each is one client. */
const NETWORK_GROUPS = 4;
const NO_ADDRESS = 'unknown';

/**
 * What limits count an address as: an IPv4 address as itself, also where it is written as IPv6 (`::ffff:192.0.2.1`); an IPv6 address as its
 * /64, as one client has all the addresses of it. What is no address is one client together.
 */
export function clientKey(address: string): ClientKey {
  return keyOf(address) as ClientKey;
}

function keyOf(address: string): string {
  if (!ipaddr.isValid(address)) return NO_ADDRESS;
  // Undoes the mapping of IPv4 into IPv6.
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}
