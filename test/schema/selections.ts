import {
  getNamedType,
  type GraphQLField,
  isEnumType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isUnionType,
} from 'graphql';

const hasNoRequiredArgs = ({ args }: GraphQLField<unknown, unknown>): boolean =>
  args.every((arg) => !String(arg.type).endsWith('!') || arg.defaultValue !== undefined);

/** Selection of all fields without required arguments, up to `depth` objects deep; empty for a leaf. */
export function selectionOf(field: GraphQLField<unknown, unknown>, depth = 3): string {
  const type = getNamedType(field.type);
  if (isScalarType(type) || isEnumType(type)) return '';
  if (isUnionType(type)) return ' { __typename }';
  if (!isObjectType(type) && !isInterfaceType(type)) throw new TypeError(`${field.name} cannot be selected`);
  const fields = Object.values(type.getFields()).flatMap((child) => {
    const inner = getNamedType(child.type);
    const isLeaf = isScalarType(inner) || isEnumType(inner);
    if (!hasNoRequiredArgs(child) || (!isLeaf && depth === 0)) return [];
    return [`${child.name}${isLeaf ? '' : selectionOf(child, depth - 1)}`];
  });
  return ` { ${['__typename', ...fields].join(' ')} }`;
}
