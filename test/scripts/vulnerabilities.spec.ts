import { describe, expect, it } from '@jest/globals';
import { judge } from '../../scripts/checks/vulnerabilities.mjs';

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

describe('judge', () => {
  it.each(['high', 'critical'])('fails on a vulnerability that is %s, and names it', (severity) => {
    expect(judge(report({ fine: { severity: 'low' }, bad: { severity } }))).toEqual({
      kind: 'grave',
      text: `low: fine <1.2.3 (a fix is available)\n${severity}: bad <1.2.3 (a fix is available)`,
    });
  });

  it('prints the lesser ones and passes', () => {
    expect(judge(report({ some: { severity: 'moderate' } })).kind).toBe('fine');
    expect(judge(report({}))).toEqual({ kind: 'fine', text: 'No known vulnerabilities.' });
  });

  it.each([
    ['a refusal', JSON.stringify({ message: '405 Method Not Allowed', statusCode: 405, error: {} })],
    [
      'an error of npm',
      JSON.stringify({ error: { code: 'ENOAUDIT', summary: 'audit endpoint returned an error' } }),
    ],
    ['nothing', ''],
    ['no JSON', '<html>'],
  ])('never takes %s for a clean bill', (_what, answer) => {
    expect(judge(answer).kind).toBe('unanswered');
  });
});
