import { AsyncLocalStorage } from 'node:async_hooks';
import ipaddr from 'ipaddr.js';
import { type Device, deviceOf } from './user-agent.js';

/** From where somebody acts, as far as they recognise it again: not the address, which names a household. */
export interface Whence extends Device {
  /** `192.0.2.0/24`, or the /48 of IPv6. */
  readonly network: string | null;
}

export interface Caller {
  readonly address: string;
  readonly userAgent: string;
}

/** Of what staff or the product itself do to an account: whence is not told to its owner. */
export const NOWHERE: Whence = { browser: null, system: null, network: null };

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

export const whenceOf = ({ address, userAgent }: Caller): Whence => ({
  ...deviceOf(userAgent),
  network: networkOf(address),
});

/** Goes along with a call as its correlation does, as what is written deep down says whence it was asked for. */
const calls = new AsyncLocalStorage<() => Whence>();

/** Read from what the client sent only where something is written. */
export const calledBy = <Result>(caller: Caller, work: () => Result): Result =>
  calls.run(() => whenceOf(caller), work);

/** For what a job does in the name of a call that is over. */
export const calledFrom = <Result>(whence: Whence, work: () => Result): Result =>
  calls.run(() => whence, work);

/** Of the call at hand; nowhere at the command line and in the worker. */
export const whenceNow = (): Whence => calls.getStore()?.() ?? NOWHERE;
