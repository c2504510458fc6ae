import {
  factKeysOf,
  MERIT_FLOOR,
  POSTING_KINDS,
  scoreEntryOf,
  type ScoreFact,
  type ScoreFactKey,
  type ScoringRules,
} from '@nimo/domain';
import { listFactsAsOf, ordinalReached } from '../history/scores-as-of.js';
import type { Queryable } from '../queryable.js';
import {
  type AuditPoints,
  eventOf,
  hasMerit,
  isReportKind,
  lineId,
  listAuditRules,
  rulesBefore,
  SCORED_COLUMNS,
  type ScoredLine,
  sideOf,
  versionOf,
} from './audit-points.js';

type PointsByLine = ReadonlyMap<string, readonly AuditPoints[]>;

/** The lines of one event in one space, in order. */
type Act = readonly [ScoredLine, ...ScoredLine[]];

const isOfCase = ({ kind }: ScoredLine): boolean =>
  kind === 'VotesInvalidated' || kind === 'InvalidationReversed';

const actOf = ({ ordinal, space_id }: ScoredLine): string => `${ordinal} ${space_id}`;

const ACT_LINES = `
  select ${SCORED_COLUMNS}
  from (select distinct * from unnest($1::bigint[], $2::text[]) as k(ordinal, space_id)) k
  join read.audit_entries c on c.ordinal = k.ordinal and c.space_id = k.space_id
  order by c.ordinal, c.line`;

async function listActs(db: Queryable, lines: readonly ScoredLine[]): Promise<Act[]> {
  const { rows } = await db.query<ScoredLine>({
    text: ACT_LINES,
    values: [lines.map(({ ordinal }) => ordinal), lines.map(({ space_id }) => space_id)],
  });
  const acts = new Map<string, [ScoredLine, ...ScoredLine[]]>();
  for (const line of rows) {
    const act = acts.get(actOf(line));
    if (act) act.push(line);
    else acts.set(actOf(line), [line]);
  }
  return [...acts.values()];
}

const idOf = (key: ScoreFactKey): string => JSON.stringify(key);
const keyOf = ({ spaceId, studentId, kind, postId, sourceId }: ScoreFact): ScoreFactKey => [
  spaceId,
  studentId,
  kind,
  postId,
  sourceId,
];

interface Slot {
  readonly ordinal: number;
  readonly merit: number;
  readonly impact: number;
  isCounted: boolean;
}

/** A student's score while the lines of an act take effect one after the other. */
class ScoreDuringAct {
  private readonly before = new Map<string, Slot>();
  private readonly after = new Map<string, Slot>();
  private readonly slots: readonly Slot[];

  /** @param changed facts that the act changes, as they are after it */
  constructor(facts: readonly ScoreFact[], changed: readonly ScoreFact[], versions: readonly ScoringRules[]) {
    const postings = new Map(
      facts.filter(({ kind }) => POSTING_KINDS.includes(kind)).map((fact) => [fact.postId, fact]),
    );
    const add = (slots: Map<string, Slot>, fact: ScoreFact, isCounted: boolean) => {
      const entry = scoreEntryOf(fact, versions, postings.get(fact.postId));
      if (entry) slots.set(idOf(keyOf(fact)), { ...entry, isCounted });
    };
    for (const fact of facts) add(this.before, fact, true);
    for (const fact of changed) add(this.after, fact, false);
    this.slots = [...this.before.values(), ...this.after.values()].sort(
      (left, right) => left.ordinal - right.ordinal,
    );
  }

  /** @returns the points that the change of this fact moves */
  change(key: ScoreFactKey): Pick<AuditPoints, 'merit' | 'impact'> {
    const from = this.total();
    const [before, after] = [this.before.get(idOf(key)), this.after.get(idOf(key))];
    if (before) before.isCounted = false;
    if (after) after.isCounted = true;
    const to = this.total();
    return { merit: to.merit - from.merit, impact: to.impact - from.impact };
  }

  private total(): Pick<AuditPoints, 'merit' | 'impact'> {
    let [merit, impact] = [MERIT_FLOOR, 0];
    for (const slot of this.slots) {
      if (!slot.isCounted) continue;
      merit = Math.max(MERIT_FLOOR, merit + slot.merit);
      impact += slot.impact;
    }
    return { merit, impact };
  }
}

/** Effects of the act's lines, in order; they add up to the change in each student's score. */
async function effectsOfAct(
  db: Queryable,
  act: Act,
  versions: readonly ScoringRules[],
): Promise<Map<string, readonly AuditPoints[]>> {
  const [{ ordinal, space_id, occurred_at }] = act;
  const keys = act.map((line) => {
    const event = eventOf(line);
    return event ? factKeysOf(event) : [];
  });
  const studentIds = [...new Set(keys.flat().map(([, studentId]) => studentId))];
  const postIds = [...new Set(keys.flat().map(([, , , postId]) => postId))];
  const place = { spaceId: space_id ?? '', studentIds };
  const before = await listFactsAsOf(db, { ...place, ordinal: ordinal - 1 });
  const after = await listFactsAsOf(db, { ...place, ordinal, postIds });
  const changed = new Map(after.map((fact) => [idOf(keyOf(fact)), fact]));
  const [factsOf, changesOf] = [groupByStudent(before), groupByStudent(keys.flat().flatMap(factAfter))];
  const scores = new Map(
    studentIds.map((id) => [
      id,
      new ScoreDuringAct(factsOf.get(id) ?? [], changesOf.get(id) ?? [], versions),
    ]),
  );
  function factAfter(key: ScoreFactKey): ScoreFact[] {
    const fact = changed.get(idOf(key));
    return fact ? [fact] : [];
  }
  return new Map(
    act.map((line, index) => [
      lineId(line),
      (keys[index] ?? []).flatMap((key): AuditPoints[] => {
        const moved = scores.get(key[1])?.change(key);
        const rulesVersion = versionOf(changed.get(idOf(key)), versions, occurred_at);
        return moved ? [{ side: sideOf(key[2]), kind: key[2], ...moved, rulesVersion }] : [];
      }),
    ]),
  );
}

function groupByStudent(facts: readonly ScoreFact[]): ReadonlyMap<string, readonly ScoreFact[]> {
  const groups = new Map<string, ScoreFact[]>();
  for (const fact of facts) {
    const group = groups.get(fact.studentId);
    if (group) group.push(fact);
    else groups.set(fact.studentId, [fact]);
  }
  return groups;
}

/** One entry per side, kind and version. */
function sumsOf(points: readonly AuditPoints[]): readonly AuditPoints[] {
  const sums = new Map<string, AuditPoints>();
  for (const moved of points) {
    const id = `${moved.side} ${moved.kind} ${moved.rulesVersion}`;
    const { merit, impact } = sums.get(id) ?? { merit: 0, impact: 0 };
    sums.set(id, { ...moved, merit: merit + moved.merit, impact: impact + moved.impact });
  }
  return [...sums.values()];
}

export interface ActEffectsOptions {
  /** Nominal points of the lines. Decisions and reports without any move nothing. */
  readonly nominal: PointsByLine;
  /** Whether a line stands for all lines of its event in the space, as in lists of acts. */
  readonly isSummed: boolean;
}

/**
 * Points that vote investigations, penalties and their reversals really moved, keyed by `lineId`: merit cannot drop below its minimum.
 * Lacks acts that the history has not reached.
 */
export async function readActEffects(
  db: Queryable,
  lines: readonly ScoredLine[],
  { nominal, isSummed }: ActEffectsOptions,
): Promise<PointsByLine> {
  const moving = lines.filter(
    (line) => isOfCase(line) || (isReportKind(line.kind) && (nominal.get(lineId(line)) ?? []).some(hasMerit)),
  );
  if (moving.length === 0) return new Map();
  const reached = await ordinalReached(db, 'history');
  const published = await listAuditRules(db);
  const effects = new Map<string, readonly AuditPoints[]>();
  for (const act of await listActs(db, moving)) {
    const [first] = act;
    if (first.ordinal > reached) continue;
    const ofAct = await effectsOfAct(db, act, rulesBefore(published, first));
    const sums = isSummed ? sumsOf([...ofAct.values()].flat()) : undefined;
    for (const [id, points] of ofAct) effects.set(id, sums ?? points);
  }
  return effects;
}
