import { describe, expect, it } from '@jest/globals';
import { differenceOf, type LineTeller, shownCells, toldCells } from './log-lines.js';

const teller: LineTeller = {
  columns: ['ordinal', 'text', 'operator'],
  fromEvent: ['ordinal', 'operator'],
  inCsv: (cell) => String(cell ?? ''),
  linesOf: () => [],
};
const nobody = { ordinal: 7, operator: null };
const ada = { ordinal: 7, operator: 'ada' };

describe('a line of an export', () => {
  it.each([
    ['7,x,ada,leaf', 'csv'],
    ['{"ordinal":7,"text":"x","operator":"ada","leaf":"leaf"}', 'ndjson'],
  ] as const)('says with the column what its event says, or not: %s', (line, format) => {
    const shown = shownCells(line, format, teller);
    if (!shown) throw new Error('not read');
    expect(differenceOf(shown, toldCells(ada, format, teller))).toBeUndefined();
    expect(differenceOf(shown, toldCells(nobody, format, teller))).toContain('operator is');
  });

  it.each([
    ['7,x,leaf', 'csv'],
    ['7,leaf', 'csv'],
    ['7,x,ada,more,leaf', 'csv'],
    ['{"ordinal":7,"operator":"ada","leaf":"leaf"}', 'ndjson'],
  ] as const)('with other columns is none: %s', (line, format) => {
    expect(shownCells(line, format, teller)).toBeUndefined();
  });
});
