import type { SeededRandom } from '@nimo/testing';

const OPCODES = 16;
const QUERY =
  'subscription { questionUpdated(questionId: \\"00000000-0000-4000-8000-000000000000\\") { ordinal } }';
/** What somebody says who does not keep to graphql-transport-ws, or keeps to it and overdoes it. */
const MESSAGES = [
  '{"type":"connection_init"}',
  '{"type":"connection_init","payload":{"authorization":"Bearer nonsense"}}',
  '{"type":"connection_init","payload":{"authorization":{"x":[]}}}',
  `{"type":"subscribe","id":"1","payload":{"query":"${QUERY}"}}`,
  `{"type":"subscribe","id":"__proto__","payload":{"query":"${QUERY}"}}`,
  '{"type":"subscribe","id":"2","payload":{"query":"{ __typename }"}}',
  '{"type":"subscribe","id":"3","payload":{"query":"subscription {"}}',
  '{"type":"subscribe","id":"","payload":{}}',
  '{"type":"subscribe"}',
  '{"type":"complete","id":"1"}',
  '{"type":"complete","id":"constructor"}',
  '{"type":"next","id":"1","payload":{}}',
  '{"type":"ping","payload":{"deep":[[[[[]]]]]}}',
  '{"type":"pong"}',
  '{"type":"unheard of"}',
  '{"type":',
  '[]',
  'null',
  '',
  `{"type":"ping","payload":{"x":"${'y'.repeat(70_000)}"}}`,
];

interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
  readonly isLast?: boolean;
  readonly isMasked?: boolean;
  readonly reserved?: number;
  /** Said instead of the true length. */
  readonly length?: bigint;
}

function frame({ opcode, payload, isLast = true, isMasked = true, reserved = 0, length }: Frame): Buffer {
  const said = length ?? BigInt(payload.length);
  const mask = isMasked ? 0x80 : 0;
  const head = Buffer.alloc(said < 126n ? 2 : said < 65_536n ? 4 : 10);
  head[0] = (isLast ? 0x80 : 0) | (reserved << 4) | opcode;
  if (said < 126n) head[1] = mask | Number(said);
  else if (said < 65_536n) {
    head[1] = mask | 126;
    head.writeUInt16BE(Number(said), 2);
  } else {
    head[1] = mask | 127;
    head.writeBigUInt64BE(said, 2);
  }
  // A mask of zeros leaves the payload as it is.
  return Buffer.concat([head, isMasked ? Buffer.alloc(4) : Buffer.alloc(0), payload]);
}

const said = (text: string): Buffer => frame({ opcode: 1, payload: Buffer.from(text) });

const MAKERS: readonly ((random: SeededRandom) => Buffer)[] = [
  (random) => said(MESSAGES[random.between(0, MESSAGES.length - 1)] ?? ''),
  (random) => said(MESSAGES[random.between(0, MESSAGES.length - 1)] ?? ''),
  // Every opcode there is, and those that are none.
  (random) => frame({ opcode: random.between(0, OPCODES - 1), payload: noise(random, 200) }),
  (random) =>
    frame({
      opcode: random.between(0, OPCODES - 1),
      payload: noise(random, 20),
      reserved: random.between(0, 7),
      isLast: random.isTrue(0.5),
    }),
  (random) => frame({ opcode: 1, payload: noise(random, 50), isMasked: false }),
  // In pieces, with something between them that does not belong there.
  (random) =>
    Buffer.concat([
      frame({ opcode: 1, payload: Buffer.from('{"type":'), isLast: false }),
      frame({ opcode: random.between(0, 10), payload: noise(random, 10), isLast: random.isTrue(0.5) }),
      frame({ opcode: 0, payload: Buffer.from('"ping"}') }),
    ]),
  // Longer than it may be, or than it is.
  (random) =>
    frame({ opcode: 2, payload: noise(random, 100), length: BigInt(random.between(65, 4_000)) * 1_024n }),
  () => frame({ opcode: 1, payload: Buffer.alloc(0), length: 2n ** 63n }),
  () => frame({ opcode: 1, payload: Buffer.alloc(0), length: 2n ** 53n }),
  // Controls.
  (random) => frame({ opcode: 8, payload: noise(random, 130) }),
  (random) =>
    Buffer.concat(Array.from({ length: 40 }, () => frame({ opcode: 9, payload: noise(random, 125) }))),
  (random) => frame({ opcode: 10, payload: noise(random, 126), isLast: random.isTrue(0.5) }),
  () => frame({ opcode: 8, payload: Buffer.from([0x03]) }),
  () => frame({ opcode: 8, payload: Buffer.from([0x03, 0xed]) }),
  // Text that is no UTF-8.
  () => frame({ opcode: 1, payload: Buffer.from([0xc3, 0x28, 0xff, 0xfe, 0xed, 0xa0, 0x80]) }),
];

/** What a client sends after its handshake. */
export function webSocketBytes(random: SeededRandom): Buffer {
  const start = random.isTrue(0.6) ? [said('{"type":"connection_init"}')] : [];
  const rest = Array.from({ length: random.between(0, 8) }, () => {
    const make = MAKERS[random.between(0, MAKERS.length - 1)];
    return make ? make(random) : Buffer.alloc(0);
  });
  return Buffer.concat([...start, ...rest]);
}

function noise(random: SeededRandom, most: number): Buffer {
  return Buffer.from(Array.from({ length: random.between(0, most) }, () => random.between(0, 255)));
}
