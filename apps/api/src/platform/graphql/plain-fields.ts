import { isObjectType, type GraphQLField, type GraphQLSchema } from 'graphql';

/**
 * Takes Nest's function from each field that is nothing but the property of its name: whoever executes reads such a field by itself, and
 * a compiled document in place.
 */
export function leavePlainFields(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) if (readsItsProperty(field)) delete field.resolve;
  }
}

/** Nest's reader of a property is tried out: it may be one of another name, or have a default. */
function readsItsProperty({ name, resolve, args }: GraphQLField<unknown, unknown>): boolean {
  if (resolve?.name !== 'rootFieldResolver' || args.length > 0) return false;
  const read = resolve as (root: object) => unknown;
  return read({ [name]: read }) === read && read({}) === undefined;
}
