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

/** Identifies a client in rate limits. Only created by `clientKey`, so that no limit counts raw addresses. */
export type ClientKey = string & { readonly [KEY]: true };

/** Groups of a /64, the smallest network of a household; all of its addresses are one client. */
const NETWORK_GROUPS = 4;
const NO_ADDRESS = 'unknown';

/**
 * The key by which limits count an address: an IPv4 address, also if IPv4-mapped (`::ffff:192.0.2.1`), or the /64 of an IPv6 address. All
 * invalid addresses share a key.
 */
export function clientKey(address: string): ClientKey {
  return keyOf(address) as ClientKey;
}

function keyOf(address: string): string {
  if (!ipaddr.isValid(address)) return NO_ADDRESS;
  // Unmaps IPv4-mapped addresses.
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

export interface Client {
  /** Normalised, for display. */
  readonly address: string;
  /** For limits. */
  readonly key: ClientKey;
}

type Trust = (address: string, hop: number) => boolean;

/** Returns whether the peer at a hop is a trusted proxy. */
export function compileTrust(proxies: ProxyTrust): Trust {
  if (typeof proxies !== 'number') return proxyAddr.compile([...proxies]);
  return (_address, hop) => hop < proxies;
}

/** Determines the client of HTTP and WebSocket requests. Starts at the nearest hop, since clients can forge the farther ones. */
@Injectable()
export class ClientAddresses {
  private readonly trusts: Trust;

  constructor(@Inject(SETTINGS) { trustProxy }: Pick<Settings, 'trustProxy'>) {
    this.trusts = compileTrust(trustProxy);
  }

  of(request: IncomingMessage): Client {
    // Nearest hop first; an invalid entry was forged, so the last valid hop before it counts.
    const hops = proxyAddr.all(request, this.trusts);
    const forgedIndex = hops.findIndex((hop) => !ipaddr.isValid(hop));
    const known = hops[(forgedIndex < 0 ? hops.length : forgedIndex) - 1];
    const address = known === undefined ? '' : ipaddr.process(known).toString();
    return { address, key: clientKey(address) };
  }

  callerOf({ raw, headers }: FastifyRequest, reply: FastifyReply): Caller {
    const { address } = this.of(raw);
    return {
      address,
      userAgent: headers['user-agent'] ?? '',
      acceptLanguage: headers['accept-language'],
      isDisconnected: () => reply.raw.closed,
    };
  }
}

/** Most specific first: most browsers also claim to be those further down. */
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
  /** Null when unknown. */
  readonly browser: string | null;
  readonly system: string | null;
}

/** Coarse device information, enough to recognise one's own devices. */
export const deviceOf = (userAgent: string): Device => ({
  browser: BROWSERS.find(([, sign]) => sign.test(userAgent))?.[0] ?? null,
  system: SYSTEMS.find(([, sign]) => sign.test(userAgent))?.[0] ?? null,
});

/** Where a call came from, precise enough for its sender to recognise but without the address, which identifies a household. */
export interface ClientOrigin extends Device {
  /** `192.0.2.0/24`, or the /48 of IPv6. */
  readonly network: string | null;
}

/** For actions of staff or the system, whose location the account owner must not see. */
export const NO_ORIGIN: ClientOrigin = { browser: null, system: null, network: null };

/** Groups (16 bits each) of the IPv6 prefix assigned to one site. */
const SITE_GROUPS = 3;
const NETWORK_OCTETS = 3;

/** @returns null for an invalid address */
export function networkOf(address: string): string | null {
  if (!ipaddr.isValid(address)) return null;
  // Unmaps IPv4-mapped addresses.
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6)
    return `${new ipaddr.IPv6([...parsed.parts.slice(0, SITE_GROUPS), 0, 0, 0, 0, 0]).toString()}/48`;
  return `${new ipaddr.IPv4([...parsed.octets.slice(0, NETWORK_OCTETS), 0]).toString()}/24`;
}

/** The client waiting for a response. */
export interface Caller {
  readonly address: string;
  readonly userAgent: string;
  /** The header of this name. */
  readonly acceptLanguage?: string | undefined;
  /** Whether the connection has closed. */
  readonly isDisconnected?: () => boolean;
}

export const originOf = ({ address, userAgent }: Pick<Caller, 'address' | 'userAgent'>): ClientOrigin => ({
  ...deviceOf(userAgent),
  network: networkOf(address),
});

interface Call {
  readonly caller?: Caller;
  /** Lazy: needed only when something is written. */
  readonly origin: () => ClientOrigin;
}

/** Async context, like the correlation id. */
const calls = new AsyncLocalStorage<Call>();

export const runAsCaller = <Result>(caller: Caller, work: () => Result): Result =>
  calls.run({ caller, origin: () => originOf(caller) }, work);

/** For jobs that continue a finished call. */
export const withOrigin = <Result>(origin: ClientOrigin, work: () => Result): Result =>
  calls.run({ origin: () => origin }, work);

/** Undefined in the CLI and the worker. */
export const currentCaller = (): Caller | undefined => calls.getStore()?.caller;

/** The language the caller prefers; undefined outside of a call, or if it prefers none of the product's. */
export const currentLanguage = (): Language | undefined => preferredLanguage(currentCaller()?.acceptLanguage);

export const currentOrigin = (): ClientOrigin => calls.getStore()?.origin() ?? NO_ORIGIN;
