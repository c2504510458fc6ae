import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { resolveCorrelationId, parseTraceParent } from './logger.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('the correlation id', () => {
  it.each([`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-00`, `01-${TRACE}-${SPAN}-01-what-comes-later`])(
    'is the trace id, which takes precedence over the header: %s',
    (traceparent) => {
      expect(parseTraceParent(traceparent)).toEqual({ traceId: TRACE, spanId: SPAN });
      expect(resolveCorrelationId({ traceparent, 'x-correlation-id': randomUUID() })).toBe(
        '4bf92f35-77b3-4da6-a3ce-929d0e0e4736',
      );
    },
  );

  it.each([
    undefined,
    '',
    TRACE,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01x`,
    [`00-${TRACE}-${SPAN}-01`],
  ])('is taken from the header without a valid traceparent: %j', (traceparent) => {
    const given = randomUUID();
    expect(parseTraceParent(traceparent)).toBeUndefined();
    expect(resolveCorrelationId({ traceparent, 'x-correlation-id': given })).toBe(given);
  });

  it('is random without either', () => {
    expect(resolveCorrelationId({})).not.toBe(resolveCorrelationId({}));
  });
});
