import type { FastifyRequest } from 'fastify';

const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252})|\[[0-9a-f:]+\])(?::\d{1,5})?$/i;

/** Where people reach the product: as configured, otherwise as this request did. Undefined for a host that is none. */
export function siteOrigin(
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  publicUrl: string | undefined,
): string | undefined {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
  return HOST.test(host) ? `${protocol}://${host.toLowerCase()}` : undefined;
}
