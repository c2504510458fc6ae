import { randomBytes } from 'node:crypto';
import type { SeededRandom } from '@nimo/testing';
import { webSocketBytes } from './raw-frames.js';

/** Bytes for one connection, in the chunks in which they are sent. */
export interface RawSequence {
  readonly kind: string;
  readonly pieces: readonly Buffer[];
  /** Ends with a TCP reset. */
  readonly isReset: boolean;
}

const CRLF = '\r\n';
const HOST = `Host: nimo.example${CRLF}`;
const UPGRADE = `${HOST}Connection: Upgrade${CRLF}Upgrade: websocket${CRLF}Sec-WebSocket-Version: 13${CRLF}Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}${CRLF}`;

const METHODS = [
  'GET',
  'POST',
  'PUT',
  'HEAD',
  'OPTIONS',
  'DELETE',
  'PATCH',
  'TRACE',
  'CONNECT',
  'PRI',
  'get',
  'G\u0000T',
  '',
];
const PATHS = [
  '//',
  '/',
  '',
  '*',
  '/graphql',
  '/graphql?query={__typename}',
  '//graphql',
  '/graphql/',
  'http://[',
  'http://',
  '//[',
  '//:99999',
  '\\\\',
  '/%',
  '/%zz',
  '/%00',
  '/%ff%fe',
  '/..%2f..%2fetc/passwd',
  '/assets/../index.html',
  '/question/%F0%9F',
  '/upload/x?expires=&signature=',
  '/upload/00000000-0000-4000-8000-000000000000.webp?expires=1&signature=%',
  '/media/thumb/..',
  '/sitemap/x/1.xml',
  '/health/ready',
  '/auth/oidc/first/callback?code=%',
  '/\u00ff\u00fe',
  `/${'a'.repeat(20_000)}`,
  `/${'%41'.repeat(2_000)}`,
  '/?'.repeat(400),
  'ws://x/graphql',
];
const VERSIONS = ['HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'HTTP/1.1 ', 'HTTP', '', 'HTTP/1.\u0000'];
const HEADERS = [
  HOST,
  '',
  `Host:${CRLF}`,
  `${HOST}${HOST}`,
  `Host: [${CRLF}`,
  `Host: \u00ff${CRLF}`,
  `${HOST}X: ${'x'.repeat(20_000)}${CRLF}`,
  HOST + `X-Many: y${CRLF}`.repeat(2_500),
  `${HOST} folded: yes${CRLF}`,
  `${HOST}No colon${CRLF}`,
  `${HOST}: no name${CRLF}`,
  `${HOST}Bad\u0000: byte${CRLF}`,
  `${HOST}Expect: 100-continue${CRLF}`,
  `${HOST}Expect: tea${CRLF}`,
  `${HOST}Connection: close, Upgrade${CRLF}`,
  `${HOST}Authorization: Bearer ${'\u00fe'.repeat(50)}${CRLF}`,
  `${HOST}X-Forwarded-For: ${'1.1.1.1, '.repeat(500)}${CRLF}`,
  `${HOST}Accept: text/html${CRLF}`,
  `${HOST}If-None-Match: "\u00ff${CRLF}`,
  `${HOST}Range: bytes=0-,-1,5-4${CRLF}`,
  UPGRADE,
  UPGRADE.replace('websocket', 'h2c'),
  UPGRADE.replace('websocket', ''),
  UPGRADE.replace('13', '99'),
  UPGRADE.replace(/Key: .*/, 'Key: short'),
  `${UPGRADE}Origin: https://elsewhere.example${CRLF}`,
  `${UPGRADE}Origin: null${CRLF}`,
  `${UPGRADE}Sec-WebSocket-Protocol: ,,${CRLF}`,
  `${UPGRADE}Sec-WebSocket-Extensions: permessage-deflate; x=${CRLF}`,
  `${UPGRADE}Sec-WebSocket-Protocol: graphql-transport-ws${CRLF}`,
];
const JSONS = [
  '{"query":"{ getAvatars { category } }"}',
  '{"query":',
  '[]',
  'null',
  '"x"',
  '{}',
  '{"query":1}',
  `{"query":"{${' a'.repeat(5_000)}}"}`,
  '['.repeat(20_000),
  '{"__proto__":{"x":1}}',
  '{"query":"\\ud800"}',
  `{"query":"${'{a'.repeat(500)}"}`,
  '{"query":"{ __typename }","variables":[]}',
  '{"query":"subscription { questionUpdated(questionId: \\"x\\") { ordinal } }"}',
  '[{"query":"{ __typename }"},{"query":"{ __typename }"}]',
];
const TYPES = [
  'application/json',
  'application/json; charset=utf-7',
  'text/plain',
  'image/png',
  'application/octet-stream',
  'multipart/form-data; boundary=',
  'a/b;c',
  '\u00ff',
  '',
];
const LENGTHS = ['-1', '1e3', '99999999999999999999', '10485760', '0', '5', '', 'x', '1, 2'];
const CHUNKS = [
  '0\r\n\r\n',
  'ffffffffffffffff\r\n',
  '-1\r\nx\r\n',
  'zz\r\n',
  '5\r\nab',
  '3;ext=\u0000\r\nabc\r\n0\r\nTrailer: x\r\n\r\n',
  '5\r\nhello\r\n0\r\n\r\n',
  '\r\n',
];

type Generated = readonly [kind: string, bytes: Buffer];

/** Latin-1: one byte per character. */
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

function requestLine(random: SeededRandom): Generated {
  const line = `${pick(random, METHODS)} ${pick(random, PATHS)} ${pick(random, VERSIONS)}${random.isTrue(0.8) ? CRLF : '\n'}`;
  return ['line', bytes(`${line}${pick(random, HEADERS)}${random.isTrue(0.8) ? CRLF : ''}`)];
}

function upgrade(random: SeededRandom): Generated {
  const method = random.isTrue(0.8) ? 'GET' : pick(random, METHODS);
  return [
    'upgrade',
    bytes(`${method} ${pick(random, PATHS)} HTTP/1.1${CRLF}${pick(random, HEADERS.slice(-10))}${CRLF}`),
  ];
}

function body(random: SeededRandom): Generated {
  const json = pick(random, JSONS);
  const length = random.isTrue(0.5) ? String(Buffer.byteLength(json)) : pick(random, LENGTHS);
  const both = random.isTrue(0.1) ? `Transfer-Encoding: chunked${CRLF}` : '';
  const head = `POST ${random.isTrue(0.7) ? '/graphql' : pick(random, PATHS)} HTTP/1.1${CRLF}${HOST}Content-Type: ${pick(random, TYPES)}${CRLF}`;
  return ['body', bytes(`${head}Content-Length: ${length}${CRLF}${both}${CRLF}${json}`)];
}

function chunked(random: SeededRandom): Generated {
  const head = `POST /graphql HTTP/1.1${CRLF}${HOST}Content-Type: application/json${CRLF}Transfer-Encoding: ${random.isTrue(0.8) ? 'chunked' : 'gzip, chunked, x'}${CRLF}${CRLF}`;
  return ['chunked', bytes(head + pick(random, CHUNKS) + pick(random, CHUNKS))];
}

function frames(random: SeededRandom): Generated {
  const protocol = random.isTrue(0.9) ? `Sec-WebSocket-Protocol: graphql-transport-ws${CRLF}` : '';
  const handshake = bytes(`GET /graphql HTTP/1.1${CRLF}${UPGRADE}${protocol}${CRLF}`);
  return ['frames', Buffer.concat([handshake, webSocketBytes(random)])];
}

function noise(random: SeededRandom): Generated {
  return ['noise', Buffer.from(Array.from({ length: random.between(1, 400) }, () => random.between(0, 255)))];
}

/** A generated sequence with random bytes replaced. */
function corrupted(random: SeededRandom): Generated {
  const [kind, made] = pick(random, [requestLine, upgrade, body, chunked, frames])(random);
  const buffer = Buffer.from(made);
  for (let left = random.between(1, 6); left > 0 && buffer.length > 0; left--)
    buffer[random.between(0, buffer.length - 1)] = random.between(0, 255);
  return [
    `corrupted ${kind}`,
    random.isTrue(0.4) ? buffer.subarray(0, random.between(0, buffer.length)) : buffer,
  ];
}

/** Several requests on one connection. */
function pipelined(random: SeededRandom): Generated {
  const made = Array.from(
    { length: random.between(2, 8) },
    () => pick(random, [requestLine, body])(random)[1],
  );
  return ['pipelined', Buffer.concat(made)];
}

const GENERATORS = [
  requestLine,
  upgrade,
  upgrade,
  body,
  body,
  chunked,
  frames,
  frames,
  frames,
  noise,
  corrupted,
  corrupted,
  pipelined,
] as const;

/** Sequences that crashed a process before; sent first. */
const KNOWN_CRASHES = PATHS.map((path): Generated => [
  'known',
  bytes(`GET ${path} HTTP/1.1${CRLF}${UPGRADE}${CRLF}`),
]);

export function* rawSequences(random: SeededRandom, count: number): Generator<RawSequence> {
  for (let n = 0; n < count; n++) {
    const [kind, made] = KNOWN_CRASHES[n] ?? pick(random, GENERATORS)(random);
    yield { kind, pieces: pieces(random, made), isReset: random.isTrue(0.3) };
  }
}

function pieces(random: SeededRandom, whole: Buffer): Buffer[] {
  if (random.isTrue(0.7) || whole.length < 2) return [whole];
  const at = random.between(1, whole.length - 1);
  return [whole.subarray(0, at), whole.subarray(at)];
}

function pick<Value>(random: SeededRandom, values: readonly Value[]): Value {
  const value = values[random.between(0, values.length - 1)];
  if (value === undefined) throw new Error('nothing to choose from');
  return value;
}
