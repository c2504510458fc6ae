import type { AddressInfo } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Settings } from '../config/load-settings.js';
import { SETTINGS } from '../runtime/tokens.js';
import { shownHost } from './shown-host.js';

/** Where people reach Nimo: as configured, or where this process listens. Never what a request says, which anybody can make up. */
@Injectable()
export class PublicAddress {
  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'publicUrl' | 'host' | 'port'>,
    private readonly adapter: HttpAdapterHost,
  ) {}

  /** Without a slash at the end. */
  origin(): string {
    const { publicUrl, host, port } = this.settings;
    if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
    const server = this.adapter.httpAdapter.getHttpServer() as { address(): AddressInfo | string | null };
    const address = server.address();
    const listened = typeof address === 'object' && address !== null ? address.port : port;
    return `http://${shownHost(host)}:${listened}`;
  }
}
