import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../report.js';

/** What the calculation starts from. Each one can be argued with; nothing else in docs/scaling.md is assumed. */
export const ASSUMED = {
  /** Of all students, on a school day. */
  activeShare: 0.2,
  /** Pages that an active student opens a day: a list, a question, a search, a leaderboard. */
  pagesADay: 20,
  /** Minutes that a browser of an active student is open a day. */
  minutesADay: 30,
  /** Questions an active student asks a day. */
  questionsADay: 0.1,
  /** Part of the day's traffic in its busiest hour: homework is done in the evening. */
  busiestHour: 0.14,
  /** The busiest second of that hour over its mean. */
  busiestSecond: 2,
  /** Students of a mean space. */
  studentsASpace: 500,
  schoolDaysAYear: 200,
} as const;

/**
 * Taken on 2026-11-21 from a running product with the imported French meta community of Stack Exchange and the demo spaces: 14,326
 * events, bytes of tables with their indexes (pg_total_relation_size), the text of search documents.
 */
export const COUNTED = {
  /** A question with what follows it there: answers, comments, votes, acceptances, saves. */
  eventsAQuestion: 21,
  /** Questions and answers are searched. */
  documentsAQuestion: 2.6,
  /** A student signs up once: the registration, claims, a membership. */
  eventsAStudent: 6,
  logBytesAnEvent: 1065,
  chainBytesAnEvent: 153,
  readBytesAnEvent: 2100,
  searchBytesADocument: 3200,
} as const;

/** Rates of docs/performance.json, so that a better bench is a better calculation. */
export function measured() {
  const path = join(import.meta.dirname, '../../docs/performance.json');
  const report = JSON.parse(readFileSync(path, 'utf8')) as Report;
  const all = report.sections.flatMap(({ measurements }) => measurements);
  const valuesOf = (figure: RegExp, what: RegExp, unit: RegExp): readonly number[] => {
    const found = all.filter(
      (each) => figure.test(each.figure) && what.test(each.what) && unit.test(each.unit),
    );
    if (found.length === 0) throw new Error(`the bench has no figure ${figure.source}, ${what.source}`);
    return found.map(({ value }) => value);
  };
  const only = (...given: Parameters<typeof valuesOf>): number => Math.min(...valuesOf(...given));
  const visible = all.find(({ figure }) => figure === 'command to visible, p99');
  return {
    appendsASecond: only(/^appends, 32 clients$/, /bare/, /appends/),
    /** The slower of the two pages, by one api process and PostgreSQL on two cores. */
    pagesASecond: only(/^(dashboard|question with)/, /connections$/, /^pages/),
    /** At the slowest projection. */
    rebuiltASecond: only(/^rebuild of (?!all)/, /switched over/, /events\/s/),
    /** Commands that every projection kept up with, one worker and everything else on two cores. */
    followedASecond: Number(/([\d,]+) commands\/s/.exec(visible?.what ?? '')?.[1]?.replaceAll(',', '')),
    /** The statement alone, over a million facts. */
    rescoredASecond: only(/^rescoring, the statement$/, /facts/, /facts\/s/),
  };
}
