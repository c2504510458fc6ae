export interface EventStoreAddress {
  /** Without what follows it: esdb, kurrentdb, and both with +discover. */
  readonly scheme: string;
  /** Host and port of each node, as they were written. */
  readonly nodes: readonly string[];
  readonly hasUser: boolean;
  /** Each as `name=value`. */
  readonly options: readonly string[];
}

/** A colon or an @ of a password is written as %3A or %40: the client would cut it there. */
const PARTS = /^((?:esdb|kurrentdb)(?:\+discover)?):\/\/(?:[^:@]+:([^:@]+)@)?([^@/?#]+)\/?(?:\?(.+))?$/;
/** The client knows no addresses of IPv6. */
const NODE = /^[\w.-]+(?::(\d{1,5}))?$/;
const OPTION = /^[^=&?]+=[^&?]+$/;
const LAST_PORT = 65_535;

/** Whatever names the event log as an EventStoreDB or KurrentDB: one node, or several with commas between them. Undefined where it is none. */
export function readEventStoreAddress(text: string): EventStoreAddress | undefined {
  const [, scheme, password, hosts, query] = PARTS.exec(text) ?? [];
  if (scheme === undefined || hosts === undefined) return undefined;
  const nodes = hosts.split(',');
  const options = query?.split('&') ?? [];
  if (!nodes.every(isNode) || !options.every((option) => OPTION.test(option))) return undefined;
  return { scheme, nodes, hasUser: password !== undefined, options };
}

function isNode(text: string): boolean {
  const found = NODE.exec(text);
  return found !== null && Number(found[1] ?? 0) <= LAST_PORT;
}

/** For people: without the user and the options, which may hold a password. */
export const shownEventStoreAddress = ({ scheme, nodes }: EventStoreAddress): string =>
  `${scheme}://${nodes.join(',')}`;
