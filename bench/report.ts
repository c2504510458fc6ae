import { cpus, totalmem } from 'node:os';

/** A measured value with its limit from the same run. */
export interface Measurement {
  readonly figure: string;
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly limit?: { readonly what: string; readonly value: number };
  readonly goal?: Goal;
}

export interface Goal {
  readonly text: string;
  readonly isMet: boolean;
}

/** The measurements of one `--only` name. */
export interface Section {
  readonly name: string;
  readonly takenAt: string;
  readonly isQuick: boolean;
  /** Load average of the machine just before. */
  readonly loadBefore: number;
  readonly measurements: readonly Measurement[];
  readonly notes: readonly string[];
}

export interface Report {
  readonly machine: string;
  readonly node: string;
  readonly sections: readonly Section[];
}

export const atLeast = (value: number, goal: number, unit: string): Goal => ({
  text: `at least ${formatNumber(goal)} ${unit}`,
  isMet: value >= goal,
});

export const atMost = (value: number, goal: number, unit: string): Goal => ({
  text: `under ${formatNumber(goal)} ${unit}`,
  isMet: value < goal,
});

export function machine(): string {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? 'unknown processor';
  return `${processors.length} cores of ${model}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}`;
}

/** A Markdown table that is readable in a terminal too. */
function formatTable(measurements: readonly Measurement[]): string {
  const head = ['figure', 'what', 'value', 'limit', 'ratio', 'goal', ''];
  const rows = measurements.map(({ figure, what, value, unit, limit, goal }) => [
    figure,
    what,
    `${formatNumber(value)} ${unit}`,
    limit ? `${formatNumber(limit.value)} ${unit} (${limit.what})` : '',
    limit ? (value / limit.value).toFixed(2) : '',
    goal?.text ?? '',
    goal ? (goal.isMet ? 'met' : 'MISSED') : '',
  ]);
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length), 3),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [head, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n');
}

function formatNumber(value: number): string {
  if (value >= 100 || value === 0) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export function formatReport({ machine: on, node, sections }: Report): string {
  const parts = sections.map(({ name, takenAt, isQuick, loadBefore, measurements, notes }) => {
    const quick = isQuick ? ', quick' : '';
    const head = `### ${name}\n\nTaken ${takenAt.slice(0, 16).replace('T', ' ')} UTC${quick}; load average before: ${loadBefore.toFixed(1)}.`;
    return [head, formatTable(measurements), ...notes].join('\n\n');
  });
  return [`${on}, node ${node}`, ...parts].join('\n\n');
}
