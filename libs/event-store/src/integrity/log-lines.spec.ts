import { describe, expect, it } from '@jest/globals';
import { differenceOf, type LineRenderer, parsedCells, expectedCells } from './log-lines.js';

const renderer: LineRenderer = {
  columns: ['ordinal', 'text', 'operator'],
  fromEvent: ['ordinal', 'operator'],
  toCsv: (cell) => String(cell ?? ''),
  linesOf: () => [],
};
const noOperator = { ordinal: 7, operator: null };
const ada = { ordinal: 7, operator: 'ada' };

describe('a line of an export', () => {
  it.each([
    ['7,x,ada,leaf', 'csv'],
    ['{"ordinal":7,"text":"x","operator":"ada","leaf":"leaf"}', 'ndjson'],
  ] as const)('is compared with its event column by column: %s', (line, format) => {
    const parsed = parsedCells(line, format, renderer);
    if (!parsed) throw new Error('the line was not parsed');
    expect(differenceOf(parsed, expectedCells(ada, format, renderer))).toBeUndefined();
    expect(differenceOf(parsed, expectedCells(noOperator, format, renderer))).toContain('operator is');
  });

  it('may be of an earlier version, without the columns added since', () => {
    const now = { ...renderer, columns: [...renderer.columns, 'entries'], added: ['entries'] };
    for (const line of ['7,x,ada,leaf', '7,x,ada,300,leaf']) {
      const parsed = parsedCells(line, 'csv', now);
      expect(parsed && differenceOf(parsed, expectedCells(ada, 'csv', now))).toBeUndefined();
      expect(parsed?.get('operator')).toBe('ada');
    }
    expect(parsedCells('7,x,ada,300,more,leaf', 'csv', now)).toBeUndefined();
  });

  it.each([
    ['7,x,leaf', 'csv'],
    ['7,leaf', 'csv'],
    ['7,x,ada,more,leaf', 'csv'],
    ['{"ordinal":7,"operator":"ada","leaf":"leaf"}', 'ndjson'],
  ] as const)('with other columns is rejected: %s', (line, format) => {
    expect(parsedCells(line, format, renderer)).toBeUndefined();
  });
});
