import type { IncomingMessage } from 'node:http';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.js';
import type { ExpensiveWork } from '../callers/expensive-work.js';
import type { ClientAddresses } from '../callers/client-address.js';

/** Timeouts and size limits of requests. */
export const REQUEST_LIMITS = {
  /** Timeout for the request line and headers, and for idle new connections. */
  headersMs: 10_000,
  /** Timeout for a whole request; the slowest is an image over a slow connection. */
  requestMs: 120_000,
  /** Timeout for bodies other than uploads. */
  bodyMs: 20_000,
  /** Timeout without traffic in either direction. */
  silentMs: 120_000,
  /** How often Node checks connections for timeouts. */
  checkMs: 2_000,
  headerBytes: 16 * 1024,
  /** Maximum size of bodies other than uploads. The longest text is 64 kB, at worst six times that in JSON. */
  bodyBytes: 512 * 1024,
  /** Larger bodies are read only from signed-in callers and with limited concurrency. No form before sign-in comes close. */
  smallBodyBytes: 16 * 1024,
  /** Nesting depth; GraphQL inputs have a lower limit. */
  jsonDepth: 64,
  /** Number of brackets, commas and colons; enough for the longest list any field accepts. */
  jsonSigns: 20_000,
} as const;

export const SERVER_OPTIONS = {
  bodyLimit: REQUEST_LIMITS.bodyBytes,
  requestTimeout: REQUEST_LIMITS.requestMs,
  connectionTimeout: REQUEST_LIMITS.silentMs,
  http: {
    headersTimeout: REQUEST_LIMITS.headersMs,
    connectionsCheckingInterval: REQUEST_LIMITS.checkMs,
    maxHeaderSize: REQUEST_LIMITS.headerBytes,
  },
} as const;

/** Resolves when the response is sent or the connection closes. */
export const responseClosed = ({ raw }: FastifyReply): Promise<void> =>
  new Promise((resolve) => {
    if (raw.closed) resolve();
    else raw.once('close', resolve);
  });

/** Infinity for a chunked body. */
function bodyBytes({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
}

export interface BodyBounds {
  readonly clients: ClientAddresses;
  readonly work: ExpensiveWork;
  readonly isSignedIn: (request: FastifyRequest) => Promise<boolean>;
  /** Uploads are admitted by their route and have the timeout of a request. */
  readonly isUpload: (route: string | undefined) => boolean;
}

/** Times out slow bodies and limits who may send large ones, and how many are in memory at once. */
export function limitBodies(
  server: FastifyInstance,
  { clients, work, isSignedIn, isUpload }: BodyBounds,
): void {
  const admitLarge = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!(await isSignedIn(request))) {
      // The body is not read.
      void reply.header('connection', 'close');
      throw BODY_TOO_LARGE;
    }
    await work.enter('body', responseClosed(reply), clients.callerOf(request, reply));
  };
  server.addHook('preParsing', (request, reply, payload, done) => {
    const { raw, routeOptions } = request;
    const bytes = bodyBytes(raw);
    // Fastify rejects bodies that declare more than the limit.
    const isRefused = bytes > REQUEST_LIMITS.bodyBytes && bytes < Infinity;
    if (bytes === 0 || isRefused || isUpload(routeOptions.url)) {
      done(null, payload);
      return;
    }
    const read = (): void => {
      destroyLate(raw);
      done(null, payload);
    };
    if (bytes <= REQUEST_LIMITS.smallBodyBytes) read();
    else admitLarge(request, reply).then(read, done);
  });
}

function destroyLate(raw: IncomingMessage): void {
  const late = (): unknown => raw.destroy(new Error('the body did not arrive in time'));
  const timer = setTimeout(late, REQUEST_LIMITS.bodyMs).unref();
  const stop = (): void => clearTimeout(timer);
  raw.once('end', stop).once('close', stop);
}

/** Checks the shape of a body before parsing: half a megabyte of brackets would block the parser for up to 200 ms. */
export function limitJsonShape(adapter: FastifyAdapter): void {
  const parse = adapter.getInstance<FastifyInstance>().getDefaultJsonParser('error', 'error');
  adapter.useBodyParser('application/json', false, {}, (request, body: Buffer, done) => {
    const problem = problemOfJson(body);
    if (problem) done(problem);
    else void parse(request, body.toString(), done);
  });
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [SQUARE, CURLY] = [0x5b, 0x7b];
const [SQUARE_END, CURLY_END] = [0x5d, 0x7d];

/** @returns why the body is rejected; invalid JSON is left to the parser */
export function problemOfJson(bytes: Uint8Array): ApiError | undefined {
  let [depth, signs] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === SQUARE || byte === CURLY) {
      depth += 1;
      signs += 1;
      if (depth > REQUEST_LIMITS.jsonDepth) return BODY_TOO_DEEP;
    } else if (byte === SQUARE_END || byte === CURLY_END) {
      depth -= 1;
      signs += 1;
    } else if (byte === COMMA || byte === COLON) signs += 1;
    if (signs > REQUEST_LIMITS.jsonSigns) return BODY_TOO_MANY_VALUES;
  }
  return undefined;
}

/** @returns the index of the closing quote */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return bytes.length;
}

const refusal = (message: string, rule: string): ApiError =>
  new ApiError('VALIDATION_FAILED', message, { field: 'body', rule });

const BODY_TOO_LARGE = new ApiError(
  'PAYLOAD_TOO_LARGE',
  `The request is too large: sign in to send more than ${REQUEST_LIMITS.smallBodyBytes / 1024} kB.`,
  { rule: 'BODY_TOO_LARGE' },
);
const BODY_TOO_DEEP = refusal(
  `The body is nested too deeply: at most ${REQUEST_LIMITS.jsonDepth} levels.`,
  'BODY_TOO_DEEP',
);
const BODY_TOO_MANY_VALUES = refusal(
  `The body has too many values: at most ${REQUEST_LIMITS.jsonSigns} brackets, commas and colons.`,
  'BODY_TOO_MANY_VALUES',
);
