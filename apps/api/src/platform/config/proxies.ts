import ipaddr from 'ipaddr.js';

/** Number of proxies in front (0 for none), or their addresses and networks. */
export type ProxyTrust = number | readonly string[];

const MAX_HOPS = 10;

/** Undefined when invalid. `true`, from older versions, means one proxy. */
export function readProxies(text: string): ProxyTrust | undefined {
  if (text === 'false') return 0;
  if (text === 'true') return 1;
  if (/^\d+$/.test(text)) return Number(text) <= MAX_HOPS ? Number(text) : undefined;
  const networks = text.split(',').map((network) => network.trim());
  return networks.every(isNetwork) ? networks : undefined;
}

/** Rejects /0 networks, which would trust anyone. */
function isNetwork(text: string): boolean {
  if (ipaddr.isValid(text)) return text.includes(':') || ipaddr.IPv4.isValidFourPartDecimal(text);
  return ipaddr.isValidCIDR(text) && !text.endsWith('/0');
}
