import type { AddressInfo } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { Settings } from '../config/load-settings.js';
import { displayHost } from '../config/setting.js';
import { SETTINGS } from '../config/tokens.js';

type AddressSettings = Pick<Settings, 'publicUrl' | 'host' | 'port'>;

/** The public URL of Nimo: as configured, or where this process listens. Never from a request, which can be forged. */
@Injectable()
export class PublicAddress {
  constructor(
    @Inject(SETTINGS) private readonly settings: AddressSettings,
    private readonly adapter: HttpAdapterHost,
  ) {}

  /** Without a trailing slash. */
  origin(): string {
    if (this.settings.publicUrl !== undefined) return configuredOrigin(this.settings);
    const server = this.adapter.httpAdapter.getHttpServer() as { address(): AddressInfo | string | null };
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : this.settings.port;
    return configuredOrigin({ ...this.settings, port });
  }
}

/** The public URL for a process that does not listen itself. Without a trailing slash. */
export const configuredOrigin = ({ publicUrl, host, port }: AddressSettings): string =>
  publicUrl === undefined ? `http://${displayHost(host)}:${port}` : withoutSlash(publicUrl);

const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252})|\[[0-9a-f:]+\])(?::\d{1,5})?$/i;

/** Origin for pages and search engines: as configured, otherwise from the request. Undefined for an invalid host. */
export function siteOrigin(
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  publicUrl: string | undefined,
): string | undefined {
  if (publicUrl !== undefined) return withoutSlash(publicUrl);
  return HOST.test(host) ? `${protocol}://${host.toLowerCase()}` : undefined;
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');
