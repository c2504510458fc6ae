import { type PublicKey, publicKeyOf, readEventStoreAddress } from '@nimo/event-store';
import { z } from 'zod';
import { type ProxyTrust, readProxies } from './proxies.js';

export interface Setting<Value> {
  readonly env: string;
  readonly schema: z.ZodType<Value, string | undefined>;
  /** Completes "NAME must be …". */
  readonly rule: string;
  readonly description: string;
  /** Default as written in the environment; undefined for optional settings. */
  readonly fallback: string | undefined;
  readonly isSecret: boolean;
}

interface Kind<Value> {
  readonly schema: z.ZodType<Value, string>;
  readonly rule: string;
  readonly isSecret?: boolean;
}

/** A setting that always has a value. */
export function setting<Value>(
  env: string,
  kind: Kind<Value>,
  fallback: string,
  description: string,
): Setting<Value> {
  return {
    ...common(env, kind, description),
    fallback,
    schema: z.string().default(fallback).pipe(kind.schema),
  };
}

/** A setting without a default. */
export function optional<Value>(
  env: string,
  kind: Kind<Value>,
  description: string,
): Setting<Value | undefined> {
  return { ...common(env, kind, description), fallback: undefined, schema: kind.schema.optional() };
}

function common<Value>(env: string, kind: Kind<Value>, description: string) {
  return { env, rule: kind.rule, description, isSecret: kind.isSecret ?? false };
}

export function wholeNumber(min: number, max: number): Kind<number> {
  const schema = z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(min).max(max));
  return { schema, rule: `a whole number from ${min} to ${max}` };
}

export const ratio: Kind<number> = {
  schema: z
    .string()
    .regex(/^(0|1|0?\.\d{1,6}|1\.0+)$/)
    .transform(Number),
  rule: 'a number from 0 to 1',
};

export function oneOf<const Choices extends readonly [string, ...string[]]>(
  ...choices: Choices
): Kind<Choices[number]> {
  return { schema: z.enum(choices), rule: `one of ${choices.join(', ')}` };
}

/** @param schemes without colon; the first is shown as the example */
export function address(...schemes: [string, ...string[]]): Kind<string> {
  const isAllowed = (text: string): boolean =>
    URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1));
  return {
    schema: z.string().refine(isAllowed),
    rule: `a URL that starts with ${schemes.map((name) => `${name}://`).join(' or ')}`,
  };
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/;

/** Whether a host is reachable only from this machine. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host.toLowerCase());

/** The host of a listening address as shown in URLs. Always the same spelling, since browsers treat each as another origin. */
export function displayHost(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** Issuer URL of an OpenID provider. Plain HTTP would let anyone on the network forge identities. */
export const issuer: Kind<string> = {
  schema: z.string().refine((text) => {
    if (!URL.canParse(text)) return false;
    const { protocol, hostname } = new URL(text);
    return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  }),
  rule: 'a URL that starts with https:// (http:// on this machine only)',
};

/** Space-separated scopes. `openid` and `email` are needed to identify users. */
export const openIdScope: Kind<string> = {
  schema: z.string().refine((scope) => {
    const names = scope.split(' ');
    return ['openid', 'email'].every((name) => names.includes(name)) && !names.includes('');
  }),
  rule: 'scopes separated by single spaces, including openid and email',
};

/** A bucket or a webhook. Plain HTTP would let anyone on the network drop signed heads. */
export const checkpointAddress: Kind<string> = {
  schema: z.string().refine((text) => {
    if (!URL.canParse(text)) return false;
    const { protocol, hostname } = new URL(text);
    return ['s3:', 'https:'].includes(protocol) || (protocol === 'http:' && isLoopback(hostname));
  }),
  rule: 'a URL that starts with s3:// or https:// (http:// on this machine only)',
};

/** Ed25519 public keys, 32 bytes each in base64. */
export const publicKeys: Kind<readonly PublicKey[]> = {
  schema: z.string().transform((text, context) => {
    const keys = text.split(',').map((each) => publicKeyOf(each.trim()));
    if (keys.every((each) => each !== undefined)) return keys;
    context.addIssue({ code: 'custom' });
    return z.NEVER;
  }),
  rule: 'public keys in base64, separated by commas',
};

export const text: Kind<string> = { schema: z.string().min(1), rule: 'a text' };

const MAX_NAME_LENGTH = 64;
/** Rejects control, format and unassigned characters, which could spoof another name or break a line. */
const NAME = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;

export const isPersonName = (text: string): boolean =>
  text.trim() !== '' && [...text].length <= MAX_NAME_LENGTH && NAME.test(text);

/** A display name. */
export const personName: Kind<string> = {
  schema: z.string().refine(isPersonName),
  rule: `a name of at most ${MAX_NAME_LENGTH} characters, without control characters`,
};

export const secretText: Kind<string> = { ...text, isSecret: true };

/** Trusted proxies in front of the API. */
export const proxies: Kind<ProxyTrust> = {
  schema: z.string().transform((text, context) => {
    const read = readProxies(text);
    if (read !== undefined) return read;
    context.addIssue('no proxies');
    return z.NEVER;
  }),
  rule: 'false, a number of hops from 0 to 10, or addresses and networks such as 10.0.0.0/8, separated by commas',
};

export function secretAddress(...schemes: [string, ...string[]]): Kind<string> {
  return { ...address(...schemes), isSecret: true };
}

/** Connection string of one node or several. */
export const eventStoreAddress: Kind<string> = {
  schema: z.string().refine((text) => readEventStoreAddress(text) !== undefined),
  rule: 'a URL that starts with esdb:// or kurrentdb:// (also with +discover), with one node or several separated by commas (esdb://user:password@a:2113,b:2113?tls=true); write : and @ in the password as %3A and %40',
  isSecret: true,
};

const KEY_BYTES = 32;

/** Key material. */
export const key: Kind<Buffer> = {
  schema: z
    .base64()
    .transform((encoded) => Buffer.from(encoded, 'base64'))
    .refine((bytes) => bytes.length === KEY_BYTES),
  rule: `${KEY_BYTES} random bytes in base64 (openssl rand -base64 ${KEY_BYTES})`,
  isSecret: true,
};
