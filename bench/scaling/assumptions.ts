import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../report.js';

/** Inputs of the calculation. Each is debatable; nothing else in docs/scaling.md is assumed. */
export const ASSUMPTIONS = {
  /** Share of all students on a school day. */
  activeShare: 0.2,
  /** Pages per active student: lists, questions, searches, leaderboards. */
  pagesPerDay: 20,
  /** Minutes that the browser of an active student is open. */
  minutesPerDay: 30,
  /** Questions per active student. */
  questionsPerDay: 0.1,
  /** Share of the day's traffic in the busiest hour; homework is done in the evening. */
  busiestHour: 0.14,
  /** Ratio of the busiest second of that hour to the mean. */
  busiestSecond: 2,
  /** Average space size. */
  studentsPerSpace: 500,
  schoolDaysPerYear: 200,
} as const;

/**
 * Measured on 2026-11-21 in a running product with the imported French meta community of Stack Exchange and the demo spaces: 14,326 events.
 * Sizes in bytes: tables with their indexes (pg_total_relation_size), text of search documents.
 */
export const MEASURED_SIZES = {
  /** A question with its answers, comments, votes, acceptances and bookmarks. */
  eventsPerQuestion: 21,
  /** Questions and answers are searchable. */
  documentsPerQuestion: 2.6,
  /** Sign-up of a student: registration, claims, a membership. */
  eventsPerStudent: 6,
  logBytesPerEvent: 1065,
  chainBytesPerEvent: 153,
  readBytesPerEvent: 2100,
  searchBytesPerDocument: 3200,
} as const;

/** Rates from docs/performance.json. */
export function measured() {
  const path = join(import.meta.dirname, '../../docs/performance.json');
  const report = JSON.parse(readFileSync(path, 'utf8')) as Report;
  const all = report.sections.flatMap(({ measurements }) => measurements);
  const valuesOf = (figure: RegExp, what: RegExp, unit: RegExp): readonly number[] => {
    const found = all.filter(
      (each) => figure.test(each.figure) && what.test(each.what) && unit.test(each.unit),
    );
    if (found.length === 0)
      throw new Error(`docs/performance.json has no figure ${figure.source}, ${what.source}`);
    return found.map(({ value }) => value);
  };
  const only = (...patterns: Parameters<typeof valuesOf>): number => Math.min(...valuesOf(...patterns));
  const visible = all.find(({ figure }) => figure === 'command to visible, p99');
  return {
    appendsPerSecond: only(/^appends, 32 clients$/, /bare/, /appends/),
    /** The slower of two pages; one API process and PostgreSQL on two cores. */
    pagesPerSecond: only(/^(dashboard|question with)/, /connections$/, /^pages/),
    /** Rate of the slowest projection. */
    rebuiltPerSecond: only(/^rebuild of (?!all)/, /switched over/, /events\/s/),
    /** Commands that all projections kept up with; one worker and everything else on two cores. */
    followedPerSecond: Number(/([\d,]+) commands\/s/.exec(visible?.what ?? '')?.[1]?.replaceAll(',', '')),
    /** Rate of the statement alone, over a million facts. */
    rescoredPerSecond: only(/^rescoring, the statement$/, /facts/, /facts\/s/),
  };
}
