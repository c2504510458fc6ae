export interface EventStoreAddress {
  /** esdb, kurrentdb, esdb+discover or kurrentdb+discover. */
  readonly scheme: string;
  /** Host and port of each node, as given. */
  readonly nodes: readonly string[];
  readonly hasUser: boolean;
  /** Each as `name=value`. */
  readonly options: readonly string[];
}

/** A colon or @ in a password must be escaped as %3A or %40: the client would split there. */
const PARTS = /^((?:esdb|kurrentdb)(?:\+discover)?):\/\/(?:[^:@]+:([^:@]+)@)?([^@/?#]+)\/?(?:\?(.+))?$/;
/** The client does not support IPv6 addresses. */
const NODE = /^[\w.-]+(?::(\d{1,5}))?$/;
const OPTION = /^[^=&?]+=[^&?]+$/;
const LAST_PORT = 65_535;

/** An EventStoreDB or KurrentDB connection string with one or more comma-separated nodes. Undefined if the text is not one. */
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

/** For display: without the user and the options, which may hold a password. */
export const shownEventStoreAddress = ({ scheme, nodes }: EventStoreAddress): string =>
  `${scheme}://${nodes.join(',')}`;
