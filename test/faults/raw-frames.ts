import type { SeededRandom } from '@nimo/testing';

const OPCODES = 16;
const QUERY =
  'subscription { questionUpdated(questionId: \\"00000000-0000-4000-8000-000000000000\\") { ordinal } }';
/** Messages that violate or overuse graphql-transport-ws. */
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
  '{"type":"unknown"}',
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
  /** Announced instead of the real length. */
  readonly length?: bigint;
}

function frame({ opcode, payload, isLast = true, isMasked = true, reserved = 0, length }: Frame): Buffer {
  const announced = length ?? BigInt(payload.length);
  const mask = isMasked ? 0x80 : 0;
  const head = Buffer.alloc(announced < 126n ? 2 : announced < 65_536n ? 4 : 10);
  head[0] = (isLast ? 0x80 : 0) | (reserved << 4) | opcode;
  if (announced < 126n) head[1] = mask | Number(announced);
  else if (announced < 65_536n) {
    head[1] = mask | 126;
    head.writeUInt16BE(Number(announced), 2);
  } else {
    head[1] = mask | 127;
    head.writeBigUInt64BE(announced, 2);
  }
  // A mask of zeros leaves the payload unchanged.
  return Buffer.concat([head, isMasked ? Buffer.alloc(4) : Buffer.alloc(0), payload]);
}

const textFrame = (text: string): Buffer => frame({ opcode: 1, payload: Buffer.from(text) });

const GENERATORS: readonly ((random: SeededRandom) => Buffer)[] = [
  (random) => textFrame(MESSAGES[random.between(0, MESSAGES.length - 1)] ?? ''),
  (random) => textFrame(MESSAGES[random.between(0, MESSAGES.length - 1)] ?? ''),
  // Valid and invalid opcodes.
  (random) => frame({ opcode: random.between(0, OPCODES - 1), payload: noise(random, 200) }),
  (random) =>
    frame({
      opcode: random.between(0, OPCODES - 1),
      payload: noise(random, 20),
      reserved: random.between(0, 7),
      isLast: random.isTrue(0.5),
    }),
  (random) => frame({ opcode: 1, payload: noise(random, 50), isMasked: false }),
  // Fragmented, with an unrelated frame in between.
  (random) =>
    Buffer.concat([
      frame({ opcode: 1, payload: Buffer.from('{"type":'), isLast: false }),
      frame({ opcode: random.between(0, 10), payload: noise(random, 10), isLast: random.isTrue(0.5) }),
      frame({ opcode: 0, payload: Buffer.from('"ping"}') }),
    ]),
  // Longer than allowed or than the payload.
  (random) =>
    frame({ opcode: 2, payload: noise(random, 100), length: BigInt(random.between(65, 4_000)) * 1_024n }),
  () => frame({ opcode: 1, payload: Buffer.alloc(0), length: 2n ** 63n }),
  () => frame({ opcode: 1, payload: Buffer.alloc(0), length: 2n ** 53n }),
  // Control frames.
  (random) => frame({ opcode: 8, payload: noise(random, 130) }),
  (random) =>
    Buffer.concat(Array.from({ length: 40 }, () => frame({ opcode: 9, payload: noise(random, 125) }))),
  (random) => frame({ opcode: 10, payload: noise(random, 126), isLast: random.isTrue(0.5) }),
  () => frame({ opcode: 8, payload: Buffer.from([0x03]) }),
  () => frame({ opcode: 8, payload: Buffer.from([0x03, 0xed]) }),
  // Invalid UTF-8.
  () => frame({ opcode: 1, payload: Buffer.from([0xc3, 0x28, 0xff, 0xfe, 0xed, 0xa0, 0x80]) }),
];

/** Random bytes of a client after the handshake. */
export function webSocketBytes(random: SeededRandom): Buffer {
  const start = random.isTrue(0.6) ? [textFrame('{"type":"connection_init"}')] : [];
  const rest = Array.from({ length: random.between(0, 8) }, () => {
    const generate = GENERATORS[random.between(0, GENERATORS.length - 1)];
    return generate ? generate(random) : Buffer.alloc(0);
  });
  return Buffer.concat([...start, ...rest]);
}

function noise(random: SeededRandom, maxLength: number): Buffer {
  return Buffer.from(Array.from({ length: random.between(0, maxLength) }, () => random.between(0, 255)));
}
