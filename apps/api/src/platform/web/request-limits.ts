import type { IncomingMessage } from 'node:http';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.js';
import type { ExpensiveWork } from '../callers/expensive-work.js';
import type { ClientAddresses } from '../callers/client-address.js';

/** How long a client may take, and how much it may send before we know who it is. */
export const REQUEST_LIMITS = {
  /** For the line and the headers of a request; also for a connection on which nothing is said at all. */
  headersMs: 10_000,
  /** For a whole request with its body: the longest is a picture over a slow line. */
  requestMs: 120_000,
  /** For any other body. */
  bodyMs: 20_000,
  /** Without a byte in either direction while an answer is made or read. */
  silentMs: 120_000,
  /** How often Node looks at its connections. */
  lookMs: 2_000,
  headerBytes: 16 * 1024,
  /** Of any body but a picture. The longest text is 64 kB, in JSON at worst six times as long. */
  bodyBytes: 512 * 1024,
  /** Larger bodies are read from signed-in callers only, and so many at once: no form before sign-in is near it. */
  smallBodyBytes: 16 * 1024,
  /** Brackets in brackets; inputs of the schema have a lower bound of their own. */
  jsonDepth: 64,
  /** Brackets, commas and colons: several for each entry of the longest list of the product. */
  jsonSigns: 20_000,
} as const;

export const SERVER_OPTIONS = {
  bodyLimit: REQUEST_LIMITS.bodyBytes,
  requestTimeout: REQUEST_LIMITS.requestMs,
  connectionTimeout: REQUEST_LIMITS.silentMs,
  http: {
    headersTimeout: REQUEST_LIMITS.headersMs,
    connectionsCheckingInterval: REQUEST_LIMITS.lookMs,
    maxHeaderSize: REQUEST_LIMITS.headerBytes,
  },
} as const;

/** Settles when the request is answered, or its connection has closed. */
export const answered = ({ raw }: FastifyReply): Promise<void> =>
  new Promise((resolve) => {
    if (raw.closed) resolve();
    else raw.once('close', resolve);
  });

/** Infinite for a body whose length is not declared. */
function bodyBytes({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
}

export interface BodyBounds {
  readonly clients: ClientAddresses;
  readonly work: ExpensiveWork;
  readonly isSignedIn: (request: FastifyRequest) => Promise<boolean>;
  /** Uploads are admitted before any of their body is read, and may take as long as a request. */
  readonly isUpload: (route: string | undefined) => boolean;
}

/** Ends bodies that do not arrive in time. Bounds who may send large ones, and how many are in memory at once. */
export function boundBodies(
  server: FastifyInstance,
  { clients, work, isSignedIn, isUpload }: BodyBounds,
): void {
  const admitLarge = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!(await isSignedIn(request))) {
      // What is on its way is not read.
      void reply.header('connection', 'close');
      throw TOO_LARGE;
    }
    await work.enter('body', answered(reply), clients.callerOf(request, reply));
  };
  server.addHook('preParsing', (request, reply, payload, done) => {
    const { raw, routeOptions } = request;
    const bytes = bodyBytes(raw);
    // Fastify refuses a body that declares more than any may have.
    const isRefused = bytes > REQUEST_LIMITS.bodyBytes && bytes < Infinity;
    if (bytes === 0 || isRefused || isUpload(routeOptions.url)) {
      done(null, payload);
      return;
    }
    const read = (): void => {
      endLate(raw);
      done(null, payload);
    };
    if (bytes <= REQUEST_LIMITS.smallBodyBytes) read();
    else admitLarge(request, reply).then(read, done);
  });
}

function endLate(raw: IncomingMessage): void {
  const late = (): unknown => raw.destroy(new Error('the body did not arrive in time'));
  const timer = setTimeout(late, REQUEST_LIMITS.bodyMs).unref();
  const stop = (): void => clearTimeout(timer);
  raw.once('end', stop).once('close', stop);
}

/** Half a megabyte of brackets takes the parser up to 200 ms, a hundred times longer than text: the bytes are looked at first. */
export function parseBoundedJson(adapter: FastifyAdapter): void {
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

/** @returns why the body is refused; undefined also for what is no JSON at all, which the parser finds out */
export function problemOfJson(bytes: Uint8Array): ApiError | undefined {
  let [depth, signs] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === SQUARE || byte === CURLY) {
      depth += 1;
      signs += 1;
      if (depth > REQUEST_LIMITS.jsonDepth) return TOO_DEEP;
    } else if (byte === SQUARE_END || byte === CURLY_END) {
      depth -= 1;
      signs += 1;
    } else if (byte === COMMA || byte === COLON) signs += 1;
    if (signs > REQUEST_LIMITS.jsonSigns) return TOO_MANY;
  }
  return undefined;
}

/** @returns where the text ends that begins there */
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

const TOO_LARGE = new ApiError(
  'PAYLOAD_TOO_LARGE',
  `The request is too large: sign in to send more than ${REQUEST_LIMITS.smallBodyBytes / 1024} kB.`,
  { rule: 'BODY_TOO_LARGE' },
);
const TOO_DEEP = refusal(
  `The body is nested too deep: at most ${REQUEST_LIMITS.jsonDepth} levels.`,
  'BODY_TOO_DEEP',
);
const TOO_MANY = refusal(
  `The body has too many values: at most ${REQUEST_LIMITS.jsonSigns} brackets, commas and colons.`,
  'BODY_TOO_MANY_VALUES',
);
