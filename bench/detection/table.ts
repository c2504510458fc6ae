import { outcomeOf, PlantedCommunity } from '../../libs/projections/src/testing/planted-votes.fixture.js';

const SIZES = [300, 1_000, 5_000, 50_000] as const;
/** Different from the seeds that the thresholds were tuned with. */
const SEED = 7_000_000;
const RUNS: Readonly<Record<(typeof SIZES)[number], number>> = { 300: 150, 1_000: 50, 5_000: 2, 50_000: 1 };

type Plant = (community: PlantedCommunity) => void;

const stars = [3, 5, 10, 20, 40].flatMap((puppets) =>
  [2, 3, 4, 7, 10, 20].map(
    (votes): Plant =>
      (community) =>
        community.star(puppets, votes),
  ),
);
const others: readonly Plant[] = [
  ...[3, 5, 8].flatMap((size) =>
    [2, 4, 8].map(
      (votes): Plant =>
        (community) =>
          community.ring(size, votes),
    ),
  ),
  ...[3, 6].flatMap((size) =>
    [4, 8].map(
      (votes): Plant =>
        (community) =>
          community.chain(size, votes, true),
    ),
  ),
  ...[4, 8].map(
    (votes): Plant =>
      (community) =>
        community.chain(5, votes, false),
  ),
  (community) => community.serial(12, 'UP'),
  (community) => community.serial(12, 'DOWN'),
  ...[3, 5, 10].map(
    (puppets): Plant =>
      (community) =>
        community.star(puppets, 8, 180),
  ),
];
const PLANTS = [...stars, ...others];

/** Adds honest groups that look suspicious, with about two percent of the students: one of each kind in a community of 300. */
function addHonestCrowds(community: PlantedCommunity): void {
  const kinds = Math.max(1, Math.round(community.students / 1_000));
  for (let each = 0; each < kinds; each += 1) {
    community.classOf(27);
    community.popularAnswer(Math.min(500, Math.round(community.students / 6)));
    community.friends(2, 4);
    community.friends(5, 2);
  }
}

class Tally {
  private readonly cells = new Map<string, Map<string, [number, number]>>();

  add(row: string, column: string, hits: number, of: number): void {
    const cells = this.cells.get(row) ?? new Map<string, [number, number]>();
    const [had, from] = cells.get(column) ?? [0, 0];
    this.cells.set(row, cells.set(column, [had + hits, from + of]));
  }

  /** @returns a table in Markdown */
  print(title: string, columns: readonly string[]): string {
    const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
    const rows = [...this.cells].map(([row, cells]) =>
      line([
        row,
        ...columns.map((column) => {
          const cell = cells.get(column);
          return cell ? `${cell[0]} of ${cell[1]}` : '–';
        }),
      ]),
    );
    return [line([title, ...columns]), line([title, ...columns].map(() => '---')), ...rows].join('\n');
  }
}

/** Plants every fraud in communities of every size and tabulates what was found and who was wrongly flagged. */
export function detectionTable(onProgress: (line: string) => void): string {
  const [found, accused, kinds] = [new Tally(), new Tally(), new Tally()];
  for (const size of SIZES) {
    const column = size.toLocaleString('en');
    // Large communities have several frauds at a time.
    const frauds = size >= 5_000 ? 6 : size >= 1_000 ? 2 : 1;
    for (let run = 0; run < RUNS[size]; run += 1) {
      const first = run % Math.ceil(PLANTS.length / frauds);
      for (let rounds = 0; rounds < (size >= 5_000 ? 9 : 1); rounds += 1) {
        const community = new PlantedCommunity(SEED + size + run * 101 + rounds * 7, size);
        addHonestCrowds(community);
        for (let each = 0; each < frauds; each += 1)
          PLANTS[((first + rounds) * frauds + each) % PLANTS.length]?.(community);
        const outcome = outcomeOf(community);
        for (const { what } of outcome.found) found.add(what, column, 1, 1);
        for (const { what } of outcome.missed) found.add(what, column, 0, 1);
        accused.add('All honest people', column, outcome.accused.length, outcome.honest);
        for (const { crowd, kind } of outcome.accused) kinds.add(crowd, kind, 1, 1);
        for (const crowd of ['everybody else', 'class', 'popular answer', 'two friends', 'study group']) {
          const inCrowd = community.crowds
            .filter(({ what }) => what === crowd)
            .flatMap(({ people }) => people).length;
          const some = outcome.accused.filter((each) => each.crowd === crowd);
          accused.add(
            `… ${crowd}`,
            column,
            some.length,
            crowd === 'everybody else' ? community.honest.length : inCrowd,
          );
        }
        onProgress(
          `${column}, run ${run + 1}: missed ${outcome.missed.map(({ what }) => what).join(', ') || 'none'}; wrongly flagged: ${outcome.accused.length}`,
        );
      }
    }
  }
  const columns = SIZES.map((size) => size.toLocaleString('en'));
  onProgress(kinds.print('Named', ['PAIR', 'RING', 'STAR', 'BURST', 'ONE_PERSON']));
  return `${found.print('Planted: found', columns)}\n\n${accused.print('Honest people: named', columns)}\n`;
}
