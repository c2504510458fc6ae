import { describe, expect, it } from '@jest/globals';
import { assess } from '../../scripts/checks/vulnerabilities.mjs';

const report = (vulnerabilities: Record<string, { severity: string }>): string =>
  JSON.stringify({
    vulnerabilities: Object.fromEntries(
      Object.entries(vulnerabilities).map(([name, found]) => [
        name,
        { ...found, range: '<1.2.3', fixAvailable: true },
      ]),
    ),
    metadata: { vulnerabilities: { total: Object.keys(vulnerabilities).length } },
  });

describe('assess', () => {
  it.each(['high', 'critical'])('fails on a %s vulnerability and names it', (severity) => {
    expect(assess(report({ fine: { severity: 'low' }, bad: { severity } }))).toEqual({
      kind: 'severe',
      text: `low: fine <1.2.3 (a fix is available)\n${severity}: bad <1.2.3 (a fix is available)`,
    });
  });

  it('prints less severe ones and passes', () => {
    expect(assess(report({ some: { severity: 'moderate' } })).kind).toBe('fine');
    expect(assess(report({}))).toEqual({ kind: 'fine', text: 'No known vulnerabilities.' });
  });

  it.each([
    ['a rejected request', JSON.stringify({ message: '405 Method Not Allowed', statusCode: 405, error: {} })],
    [
      'an npm error',
      JSON.stringify({ error: { code: 'ENOAUDIT', summary: 'audit endpoint returned an error' } }),
    ],
    ['empty output', ''],
    ['output that is not JSON', '<html>'],
  ])('does not pass on %s', (_name, answer) => {
    expect(assess(answer).kind).toBe('unanswered');
  });
});
