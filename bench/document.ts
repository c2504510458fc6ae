import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Report, formatReport } from './report.js';

const DOCS = join(import.meta.dirname, '../docs');
const DOCUMENT = join(DOCS, 'performance.md');
const DATA = join(DOCS, 'performance.json');
const BEGIN = '<!-- measured -->';
const END = '<!-- /measured -->';

/** Replaces the sections of this run in docs/performance.json and docs/performance.md. */
export function document(report: Report): void {
  const earlier = JSON.parse(readFileSync(DATA, 'utf8')) as Report;
  const taken = new Map(report.sections.map((section) => [section.name, section]));
  const kept = earlier.sections.filter(({ name }) => !taken.has(name));
  const sections = [...kept, ...report.sections].toSorted((a, b) => a.name.localeCompare(b.name));
  const merged: Report = { ...report, sections };
  writeFileSync(DATA, `${JSON.stringify(merged, undefined, 2)}\n`);
  const text = readFileSync(DOCUMENT, 'utf8');
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${DOCUMENT} has no markers`);
  writeFileSync(DOCUMENT, `${before}${BEGIN}\n\n${formatReport(merged)}\n\n${END}${after}`);
}
