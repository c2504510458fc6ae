import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '../../../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const Rules = z.object({
  groups: z.tuple([
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ]),
});
export const rules = Rules.parse(parse(read('deploy/prometheus/rules.yml'))).groups[0].rules;

const Dashboard = z.object({
  panels: z.array(z.object({ id: z.number(), targets: z.array(z.object({ expr: z.string() })) })),
});
export const dashboard = Dashboard.parse(JSON.parse(read('deploy/grafana/nimo.json')));

const handbook = read('docs/operations.md');

const extractNames = (texts: readonly string[]): readonly string[] =>
  [...new Set(texts.join('\n').match(/\b(?:nimo|nodejs|process)_\w+/g))].sort();

export const alertMetrics = (): readonly string[] => extractNames(rules.map(({ expr }) => expr));
export const dashboardMetrics = (): readonly string[] =>
  extractNames(dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)));

/** The section of the operations handbook under a second-level heading. */
export function section(heading: string): string {
  const [, text] = handbook.split(`\n## ${heading}\n`);
  if (text === undefined) throw new Error(`unknown section ${heading}`);
  return text.split('\n## ')[0] ?? '';
}

/** Names in the first column of the metrics table. */
export const documentedMetrics = (): readonly string[] =>
  section('Metrics')
    .split('\n')
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(nimo_\w+)`/g)])
    .map(([, name = '']) => name)
    .sort();
