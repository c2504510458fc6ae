import { ASSUMPTIONS, MEASURED_SIZES, measured } from './assumptions.js';

/** Demand of a number of students. */
export interface Demand {
  readonly students: number;
  readonly spaces: number;
  readonly activePerDay: number;
  readonly eventsPerDay: number;
  readonly eventsPerSecond: number;
  readonly pagesPerSecond: number;
  readonly openBrowsers: number;
  readonly eventsPerYear: number;
  readonly logBytesPerYear: number;
  readonly readBytesPerYear: number;
  readonly documentsPerYear: number;
  readonly searchBytesPerYear: number;
}

export function demandOf(students: number): Demand {
  const {
    activeShare,
    questionsPerDay,
    pagesPerDay,
    minutesPerDay,
    busiestHour,
    busiestSecond,
    schoolDaysPerYear,
  } = ASSUMPTIONS;
  const activePerDay = students * activeShare;
  const questions = activePerDay * questionsPerDay;
  const eventsPerDay = questions * MEASURED_SIZES.eventsPerQuestion;
  const inTheBusiestSecond = (perDay: number): number => (perDay * busiestHour * busiestSecond) / 3600;
  const eventsPerYear = eventsPerDay * schoolDaysPerYear + students * MEASURED_SIZES.eventsPerStudent;
  const documentsPerYear = questions * MEASURED_SIZES.documentsPerQuestion * schoolDaysPerYear;
  return {
    students,
    spaces: Math.ceil(students / ASSUMPTIONS.studentsPerSpace),
    activePerDay,
    eventsPerDay,
    eventsPerSecond: inTheBusiestSecond(eventsPerDay),
    pagesPerSecond: inTheBusiestSecond(activePerDay * pagesPerDay),
    openBrowsers: (activePerDay * minutesPerDay * busiestHour) / 60,
    eventsPerYear,
    logBytesPerYear: eventsPerYear * (MEASURED_SIZES.logBytesPerEvent + MEASURED_SIZES.chainBytesPerEvent),
    readBytesPerYear: eventsPerYear * MEASURED_SIZES.readBytesPerEvent,
    documentsPerYear,
    searchBytesPerYear: documentsPerYear * MEASURED_SIZES.searchBytesPerDocument,
  };
}

/** Load relative to the rates measured on two cores, and the duration of operations on the whole history. */
export interface Load {
  readonly ofAppends: number;
  readonly ofFollowing: number;
  readonly apis: number;
  readonly rebuildHours: number;
  readonly partitionsForPerDay: number;
  readonly rescoringSeconds: number;
}

/** @param years of history for rebuilds and rule changes */
export function loadOf(demand: Demand, years: number): Load {
  const rates = measured();
  const events = demand.eventsPerYear * years;
  const rebuildHours = events / rates.rebuiltPerSecond / 3600;
  return {
    ofAppends: demand.eventsPerSecond / rates.appendsPerSecond,
    ofFollowing: demand.eventsPerSecond / rates.followedPerSecond,
    apis: Math.ceil(demand.pagesPerSecond / rates.pagesPerSecond),
    rebuildHours,
    partitionsForPerDay: Math.ceil(rebuildHours / 24),
    rescoringSeconds: events / rates.rescoredPerSecond,
  };
}
