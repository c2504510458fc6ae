import { ASSUMED, COUNTED, measured } from './assumptions.js';

/** What so many students ask of each part. */
export interface Demand {
  readonly students: number;
  readonly spaces: number;
  readonly activeADay: number;
  readonly eventsADay: number;
  readonly eventsASecond: number;
  readonly pagesASecond: number;
  readonly openBrowsers: number;
  readonly eventsAYear: number;
  readonly logBytesAYear: number;
  readonly readBytesAYear: number;
  readonly documentsAYear: number;
  readonly searchBytesAYear: number;
}

export function demandOf(students: number): Demand {
  const { activeShare, questionsADay, pagesADay, minutesADay, busiestHour, busiestSecond, schoolDaysAYear } =
    ASSUMED;
  const activeADay = students * activeShare;
  const questions = activeADay * questionsADay;
  const eventsADay = questions * COUNTED.eventsAQuestion;
  const inTheBusiestSecond = (aDay: number): number => (aDay * busiestHour * busiestSecond) / 3600;
  const eventsAYear = eventsADay * schoolDaysAYear + students * COUNTED.eventsAStudent;
  const documentsAYear = questions * COUNTED.documentsAQuestion * schoolDaysAYear;
  return {
    students,
    spaces: Math.ceil(students / ASSUMED.studentsASpace),
    activeADay,
    eventsADay,
    eventsASecond: inTheBusiestSecond(eventsADay),
    pagesASecond: inTheBusiestSecond(activeADay * pagesADay),
    openBrowsers: (activeADay * minutesADay * busiestHour) / 60,
    eventsAYear,
    logBytesAYear: eventsAYear * (COUNTED.logBytesAnEvent + COUNTED.chainBytesAnEvent),
    readBytesAYear: eventsAYear * COUNTED.readBytesAnEvent,
    documentsAYear,
    searchBytesAYear: documentsAYear * COUNTED.searchBytesADocument,
  };
}

/** How many times what was measured on two cores each part has to do, and how long what touches everything takes. */
export interface Load {
  readonly ofAppends: number;
  readonly ofFollowing: number;
  readonly apis: number;
  readonly rebuildHours: number;
  readonly partitionsForADay: number;
  readonly rescoringSeconds: number;
}

/** @param years of history that a rebuild and a change of rules go through */
export function loadOf(demand: Demand, years: number): Load {
  const rates = measured();
  const events = demand.eventsAYear * years;
  const rebuildHours = events / rates.rebuiltASecond / 3600;
  return {
    ofAppends: demand.eventsASecond / rates.appendsASecond,
    ofFollowing: demand.eventsASecond / rates.followedASecond,
    apis: Math.ceil(demand.pagesASecond / rates.pagesASecond),
    rebuildHours,
    partitionsForADay: Math.ceil(rebuildHours / 24),
    rescoringSeconds: events / rates.rescoredASecond,
  };
}
