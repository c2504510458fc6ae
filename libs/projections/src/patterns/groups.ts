export interface Edge {
  readonly from: string;
  readonly to: string;
}

interface Visit {
  readonly index: number;
  low: number;
  isOpen: boolean;
}

/**
 * Strongly connected components, by Tarjan's algorithm (R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput.
 * 1972). Iterative, because a chain can include every student of a space.
 */
export function connectedGroups(edges: readonly Edge[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to]);
  const visits = new Map<string, Visit>();
  const open: string[] = [];
  const groups: string[][] = [];

  const enter = (node: string) => {
    const visit = { index: visits.size, low: visits.size, isOpen: true };
    visits.set(node, visit);
    open.push(node);
    return { node, visit, rest: [...(targets.get(node) ?? [])] };
  };
  const close = (node: string) => {
    const group = open.splice(open.lastIndexOf(node));
    for (const member of group) visitOf(visits, member).isOpen = false;
    groups.push(group.sort());
  };

  for (const root of targets.keys()) {
    if (visits.has(root)) continue;
    const path = [enter(root)];
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = top.rest.pop();
      if (next === undefined) {
        path.pop();
        const parent = path.at(-1)?.visit;
        if (parent) parent.low = Math.min(parent.low, top.visit.low);
        if (top.visit.low === top.visit.index) close(top.node);
        continue;
      }
      const seen = visits.get(next);
      if (!seen) path.push(enter(next));
      else if (seen.isOpen) top.visit.low = Math.min(top.visit.low, seen.index);
    }
  }
  return groups;
}

function visitOf(visits: ReadonlyMap<string, Visit>, node: string): Visit {
  const visit = visits.get(node);
  if (!visit) throw new Error(`${node} was not visited`);
  return visit;
}
