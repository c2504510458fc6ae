import {
  getNamedType,
  type GraphQLField,
  isEnumType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isUnionType,
} from 'graphql';

const needsNothing = ({ args }: GraphQLField<unknown, unknown>): boolean =>
  args.every((arg) => !String(arg.type).endsWith('!') || arg.defaultValue !== undefined);

/** The fields of an operation that are asked for by themselves: with the others they are more than one request may ask for. */
const BY_THEMSELVES: Readonly<Record<string, string>> = { getStudent: 'leaderboardScores' };

/** The selections that together ask for everything of an operation. */
export function wholeOf(field: GraphQLField<unknown, unknown>, depth: number): readonly string[] {
  const alone = BY_THEMSELVES[field.name];
  if (alone === undefined) return [selectionOf(field, depth)];
  return [
    selectionOf(field, depth, (name) => name === alone),
    selectionOf(field, depth, (name) => name !== alone),
  ];
}

/** Everything that can be asked for below a field without an argument, so many objects deep; empty for a leaf. */
export function selectionOf(
  field: GraphQLField<unknown, unknown>,
  depth = 3,
  takes: (name: string) => boolean = () => true,
): string {
  const type = getNamedType(field.type);
  if (isScalarType(type) || isEnumType(type)) return '';
  if (isUnionType(type)) return ' { __typename }';
  if (!isObjectType(type) && !isInterfaceType(type)) throw new TypeError(`${field.name} cannot be asked for`);
  const fields = Object.values(type.getFields()).flatMap((below) => {
    if (!takes(below.name)) return [];
    const inner = getNamedType(below.type);
    const isLeaf = isScalarType(inner) || isEnumType(inner);
    if (!needsNothing(below) || (!isLeaf && depth === 0)) return [];
    return [`${below.name}${isLeaf ? '' : selectionOf(below, depth - 1)}`];
  });
  return ` { ${['__typename', ...fields].join(' ')} }`;
}
