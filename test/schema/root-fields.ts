import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputType,
} from 'graphql';

/** A valid literal of the argument's type. */
function literalOf(type: GraphQLInputType): string {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return '[]';
  const named = getNamedType(nullable);
  if (isInputObjectType(named)) {
    const required = Object.values(named.getFields()).filter((field) => isNonNullType(field.type));
    return `{${required.map((field) => `${field.name}: ${literalOf(field.type)}`).join(', ')}}`;
  }
  if (isEnumType(named)) return named.getValues()[0]?.name ?? '';
  switch (named.name) {
    case 'Int':
    case 'Float':
      return '1';
    case 'Boolean':
      return 'true';
    case 'ID':
      return '"00000000-0000-4000-8000-000000000000"';
    case 'Phone':
      return '"919999999999"';
    default:
      return '"text"';
  }
}

export interface RootField {
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly field: GraphQLField<unknown, unknown>;
}

/** A document that selects only this field, with its required arguments. */
export function documentOf({ kind, field }: RootField): string {
  const args = field.args
    .filter((arg) => isNonNullType(arg.type))
    .map((arg) => `${arg.name}: ${literalOf(arg.type)}`);
  const selection = isObjectType(getNamedType(field.type)) ? ' { __typename }' : '';
  return `${kind} { ${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${selection} }`;
}
