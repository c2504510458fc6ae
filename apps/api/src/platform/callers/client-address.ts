import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { ProxyTrust } from '../config/proxies.js';
import type { Settings } from '../config/load-settings.js';
import { SETTINGS } from '../config/tokens.js';
import { type Language, preferredLanguage } from '../texts/language.js';

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

export interface Client {
  /** As people read it: one spelling of each address. */
  readonly address: string;
  /** As limits count it. */
  readonly key: ClientKey;
}

type Trust = (address: string, hop: number) => boolean;

/** Whether the peer at that many hops from us is a proxy of ours, so that we believe the address it reports. */
export function trustOf(proxies: ProxyTrust): Trust {
  if (typeof proxies !== 'number') return proxyAddr.compile([...proxies]);
  return (_address, hop) => hop < proxies;
}

/** The client of a request, over HTTP and WebSocket alike. Read from the nearest hop, because the client writes the farthest one itself. */
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

  callerOf({ raw, headers }: FastifyRequest, reply: FastifyReply): Caller {
    const { address } = this.of(raw);
    return {
      address,
      userAgent: headers['user-agent'] ?? '',
      acceptLanguage: headers['accept-language'],
      isGone: () => reply.raw.closed,
    };
  }
}

/** The more particular first: most browsers also claim to be those further down. */
const BROWSERS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];
const SYSTEMS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['iPadOS', /\biPad\b/],
  ['iOS', /\biPhone\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

export interface Device {
  /** Null where it says nothing that is known. */
  readonly browser: string | null;
  readonly system: string | null;
}

/** Enough to recognise one's own devices by. */
export const deviceOf = (userAgent: string): Device => ({
  browser: BROWSERS.find(([, sign]) => sign.test(userAgent))?.[0] ?? null,
  system: SYSTEMS.find(([, sign]) => sign.test(userAgent))?.[0] ?? null,
});

/** Where a call came from, as far as its sender recognises it again: not the address, which names a household. */
export interface ClientOrigin extends Device {
  /** `192.0.2.0/24`, or the /48 of IPv6. */
  readonly network: string | null;
}

/** For what staff or the product itself do to an account: its owner does not see where they sit. */
export const NO_ORIGIN: ClientOrigin = { browser: null, system: null, network: null };

/** Groups of IPv6 (16 bits each) that a provider gives to one site. */
const SITE_GROUPS = 3;
const NETWORK_OCTETS = 3;

/** @returns null for what is no address */
export function networkOf(address: string): string | null {
  if (!ipaddr.isValid(address)) return null;
  // Undoes the mapping of IPv4 into IPv6.
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6)
    return `${new ipaddr.IPv6([...parsed.parts.slice(0, SITE_GROUPS), 0, 0, 0, 0, 0]).toString()}/48`;
  return `${new ipaddr.IPv4([...parsed.octets.slice(0, NETWORK_OCTETS), 0]).toString()}/24`;
}

/** Who waits for the answer of a call. */
export interface Caller {
  readonly address: string;
  readonly userAgent: string;
  /** The header of this name. */
  readonly acceptLanguage?: string | undefined;
  /** Whether the connection has closed. */
  readonly isGone?: () => boolean;
}

export const originOf = ({ address, userAgent }: Pick<Caller, 'address' | 'userAgent'>): ClientOrigin => ({
  ...deviceOf(userAgent),
  network: networkOf(address),
});

interface Call {
  readonly caller?: Caller;
  /** Computed only where something is written. */
  readonly origin: () => ClientOrigin;
}

/** Ambient, like the correlation id: code deep below a resolver notes it. */
const calls = new AsyncLocalStorage<Call>();

export const asCaller = <Result>(caller: Caller, work: () => Result): Result =>
  calls.run({ caller, origin: () => originOf(caller) }, work);

/** For a job that continues a call that has ended. */
export const withOrigin = <Result>(origin: ClientOrigin, work: () => Result): Result =>
  calls.run({ origin: () => origin }, work);

/** Nobody at the command line and in the worker. */
export const currentCaller = (): Caller | undefined => calls.getStore()?.caller;

/** The language the caller prefers; undefined outside of a call, or if it prefers none of the product's. */
export const currentLanguage = (): Language | undefined => preferredLanguage(currentCaller()?.acceptLanguage);

export const currentOrigin = (): ClientOrigin => calls.getStore()?.origin() ?? NO_ORIGIN;
