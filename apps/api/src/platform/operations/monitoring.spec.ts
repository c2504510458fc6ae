import { describe, expect, it } from '@jest/globals';
import { dashboard, rules, section } from './monitoring.fixture.js';

/** GitHub's anchor for a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');

const entries = [...section('Runbook').matchAll(/^### (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
const rows = section('Alerts')
  .split('\n')
  .flatMap((line) => [...line.matchAll(/^\| `(Nimo\w+)`.*\]\(#([\w-]+)\)/g)])
  .map(([, alert, anchor]) => ({ alert, anchor }));

describe('an alert', () => {
  it('has a row in docs/operations.md that links to the same runbook entry', () => {
    const expected = rules.map(({ alert, annotations }) => ({
      alert,
      anchor: annotations.runbook.replace(/^docs\/operations\.md#/, ''),
    }));
    expect(rows).toEqual(expected);
    expect(new Set(rows.map(({ alert }) => alert)).size).toBe(rows.length);
  });

  it.each(rows)('has a runbook entry: $alert', ({ anchor }) => {
    expect(entries).toContain(anchor);
  });

  it.each(entries)('exists for every runbook entry: %s', (entry) => {
    expect(rows.map(({ anchor }) => anchor)).toContain(entry);
  });
});

describe('the dashboard', () => {
  it('has unique panel ids and a query in every panel', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(dashboard.panels.filter(({ targets }) => targets.length === 0)).toEqual([]);
  });
});
