import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import proxyAddr from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';
import type { ProxyTrust } from '../config/proxies.js';
import type { Settings } from '../config/load-settings.js';
import { type ClientKey, clientKey } from '../rate-limit/client-key.js';
import { SETTINGS } from '../runtime/tokens.js';

export interface Client {
  /** As people read it: one spelling of each address. */
  readonly address: string;
  /** As limits count it. */
  readonly key: ClientKey;
}

type Trust = (address: string, hop: number) => boolean;

/** Whether whoever stands that many hops before us is a proxy of ours, so that what it says of the one before it is believed. */
export function trustOf(proxies: ProxyTrust): Trust {
  if (typeof proxies !== 'number') return proxyAddr.compile([...proxies]);
  return (_address, hop) => hop < proxies;
}

/** From where a request comes, over HTTP and WebSocket alike: read from the nearest end, as the far end is written by whoever asks. */
@Injectable()
export class ClientAddresses {
  private readonly trusts: Trust;

  constructor(@Inject(SETTINGS) { trustProxy }: Pick<Settings, 'trustProxy'>) {
    this.trusts = trustOf(trustProxy);
  }

  of(request: IncomingMessage): Client {
    // The nearest first. What is no address was made up on the way: the last hop that is one counts.
    const hops = proxyAddr.all(request, this.trusts);
    const made = hops.findIndex((hop) => !ipaddr.isValid(hop));
    const known = hops[(made < 0 ? hops.length : made) - 1];
    const address = known === undefined ? '' : ipaddr.process(known).toString();
    return { address, key: clientKey(address) };
  }
}
