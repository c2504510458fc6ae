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

/** Everything that can be asked for below a field without an argument, so many objects deep; empty for a leaf. */
export function selectionOf(field: GraphQLField<unknown, unknown>, depth = 3): string {
  const type = getNamedType(field.type);
  if (isScalarType(type) || isEnumType(type)) return '';
  if (isUnionType(type)) return ' { __typename }';
  if (!isObjectType(type) && !isInterfaceType(type)) throw new TypeError(`${field.name} cannot be asked for`);
  const fields = Object.values(type.getFields()).flatMap((below) => {
    const inner = getNamedType(below.type);
    const isLeaf = isScalarType(inner) || isEnumType(inner);
    if (!needsNothing(below) || (!isLeaf && depth === 0)) return [];
    return [`${below.name}${isLeaf ? '' : selectionOf(below, depth - 1)}`];
  });
  return ` { ${['__typename', ...fields].join(' ')} }`;
}
