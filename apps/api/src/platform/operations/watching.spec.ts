import { describe, expect, it } from '@jest/globals';
import { dashboard, rules, section } from './watching.fixture.js';

/** As GitHub makes it of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');

const entries = [...section('What to do when').matchAll(/^### (.+)$/gm)].map(([, heading = '']) =>
  anchorOf(heading),
);
const rows = section('Alerts')
  .split('\n')
  .flatMap((line) => [...line.matchAll(/^\| `(Nimo\w+)`.*\]\(#([\w-]+)\)/g)])
  .map(([, alert, anchor]) => ({ alert, anchor }));

describe('an alert', () => {
  it('has a line in docs/operations.md, which leads where the alert leads', () => {
    const told = rules.map(({ alert, annotations }) => ({
      alert,
      anchor: annotations.runbook.replace(/^docs\/operations\.md#/, ''),
    }));
    expect(rows).toEqual(told);
    expect(new Set(rows.map(({ alert }) => alert)).size).toBe(rows.length);
  });

  it.each(rows)('is answered by the runbook: $alert', ({ anchor }) => {
    expect(entries).toContain(anchor);
  });

  it.each(entries)('leads to every entry of the runbook: %s', (entry) => {
    expect(rows.map(({ anchor }) => anchor)).toContain(entry);
  });
});

describe('the dashboard', () => {
  it('numbers its panels, and each asks for something', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(dashboard.panels.filter(({ targets }) => targets.length === 0)).toEqual([]);
  });
});
