import { describe, expect, it } from '@jest/globals';
import { historySeed, SeededRandom } from '@nimo/testing';
import { connectedGroups, type Edge } from './groups.js';

const edges = (...pairs: readonly string[]): Edge[] =>
  pairs.map((pair) => ({ from: pair.slice(0, 1), to: pair.slice(1) }));
const sorted = (groups: readonly (readonly string[])[]) => groups.map((group) => group.join('')).sort();

/** Reference implementation: groups nodes that reach each other. */
function byReaching(all: readonly Edge[]): string[] {
  const nodes = [...new Set(all.flatMap(({ from, to }) => [from, to]))];
  const reaches = (start: string): Set<string> => {
    const seen = new Set([start]);
    for (const node of seen) for (const { from, to } of all) if (from === node) seen.add(to);
    return seen;
  };
  const reached = new Map(nodes.map((node) => [node, reaches(node)]));
  const groupOf = (node: string) =>
    nodes.filter((other) => reached.get(node)?.has(other) && reached.get(other)?.has(node)).sort();
  return [...new Set(nodes.map((node) => groupOf(node).join('')))].sort();
}

describe('connectedGroups', () => {
  it('separates cycles from the nodes attached to them', () => {
    expect(sorted(connectedGroups(edges('ab', 'bc', 'ca', 'cd', 'xa')))).toEqual(['abc', 'd', 'x']);
    expect(sorted(connectedGroups(edges('ab', 'ba', 'bc', 'cd', 'dc')))).toEqual(['ab', 'cd']);
    expect(connectedGroups([])).toEqual([]);
  });
  it('groups nodes that reach each other in random graphs', () => {
    const chance = new SeededRandom(historySeed());
    for (let graph = 0; graph < 300; graph += 1) {
      const node = () => String.fromCharCode(97 + chance.between(0, 7));
      const random = Array.from({ length: chance.between(1, 16) }, () => ({
        from: node(),
        to: node(),
      }));
      expect({ random, groups: sorted(connectedGroups(random)) }).toEqual({
        random,
        groups: byReaching(random),
      });
    }
  });
  it('handles long chains', () => {
    const length = 50_000;
    const chain = Array.from({ length }, (_, i) => ({ from: String(i), to: String((i + 1) % length) }));
    expect(connectedGroups(chain)).toHaveLength(1);
  });
});
