/** How people write the host that a process listens on. One spelling everywhere: to a browser another one is another place. */
export function shownHost(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
