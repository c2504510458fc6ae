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

  it.each([
    ['7,x,leaf', 'csv'],
    ['7,leaf', 'csv'],
    ['7,x,ada,more,leaf', 'csv'],
    ['{"ordinal":7,"operator":"ada","leaf":"leaf"}', 'ndjson'],
  ] as const)('with other columns is rejected: %s', (line, format) => {
    expect(parsedCells(line, format, renderer)).toBeUndefined();
  });
});
