import { Kind, type FieldNode, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql';

/** Found before, by the field of a document, which is the same one when it is sent again (`KnownDocuments`). */
const found = new WeakMap<FieldNode, Map<string, boolean>>();

/** Whether the operation selects the field at the end of the path; the path begins below the resolved field. */
export function asksFor(info: GraphQLResolveInfo, ...path: readonly string[]): boolean {
  const [only, ...others] = info.fieldNodes;
  if (!only || others.length > 0) return looksFor(info, path);
  const known = found.get(only) ?? new Map<string, boolean>();
  const key = path.join('.');
  const answer = known.get(key) ?? looksFor(info, path);
  found.set(only, known.set(key, answer));
  return answer;
}

const looksFor = (info: GraphQLResolveInfo, path: readonly string[]): boolean =>
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
