import { Kind, type FieldNode, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql';

/** Results by field node; cached documents keep their nodes (`KnownDocuments`). */
const results = new WeakMap<FieldNode, Map<string, boolean>>();

/** Whether the operation selects the field at a path relative to the resolved field. */
export function selectsField(info: GraphQLResolveInfo, ...path: readonly string[]): boolean {
  const [only, ...others] = info.fieldNodes;
  if (!only || others.length > 0) return search(info, path);
  const known = results.get(only) ?? new Map<string, boolean>();
  const key = path.join('.');
  const answer = known.get(key) ?? search(info, path);
  results.set(only, known.set(key, answer));
  return answer;
}

const search = (info: GraphQLResolveInfo, path: readonly string[]): boolean =>
  info.fieldNodes.some(({ selectionSet }) => selects(selectionSet, path, info));

function selects(
  selectionSet: SelectionSetNode | undefined,
  path: readonly string[],
  info: GraphQLResolveInfo,
): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  return fieldsOf(selectionSet, info).some(
    (field) => field.name.value === name && selects(field.selectionSet, rest, info),
  );
}

function fieldsOf(selectionSet: SelectionSetNode | undefined, info: GraphQLResolveInfo): FieldNode[] {
  return (selectionSet?.selections ?? []).flatMap((selection) => {
    switch (selection.kind) {
      case Kind.FIELD:
        return [selection];
      case Kind.INLINE_FRAGMENT:
        return fieldsOf(selection.selectionSet, info);
      case Kind.FRAGMENT_SPREAD:
        return fieldsOf(info.fragments[selection.name.value]?.selectionSet, info);
    }
  });
}
