import ipaddr from 'ipaddr.js';

/** How many proxies stand in front, one behind the other; or the networks and addresses that they have. 0 is none. */
export type ProxyTrust = number | readonly string[];

const MAX_HOPS = 10;

/** Undefined for what is none of both. `true`, which said that there is a proxy without saying how many, is the nearest one alone. */
export function readProxies(text: string): ProxyTrust | undefined {
  if (text === 'false') return 0;
  if (text === 'true') return 1;
  if (/^\d+$/.test(text)) return Number(text) <= MAX_HOPS ? Number(text) : undefined;
  const networks = text.split(',').map((network) => network.trim());
  return networks.every(isNetwork) ? networks : undefined;
}

/** A network of every address would believe anybody. */
function isNetwork(text: string): boolean {
  if (ipaddr.isValid(text)) return text.includes(':') || ipaddr.IPv4.isValidFourPartDecimal(text);
  return ipaddr.isValidCIDR(text) && !text.endsWith('/0');
}
