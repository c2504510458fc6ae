import {
  ExtensionTag,
  NodeExtension,
  nodeInputRule,
  type ApplySchemaAttributes,
  type CommandFunction,
  type InputRule,
  type NodeExtensionSpec,
  type NodeSpecOverride,
  type NodeViewMethod,
  type ProsemirrorNode,
} from '@remirror/core';
import { NodeSelection, TextSelection, type Transaction } from '@remirror/pm/state';
import { FORMULA_CLASS } from '../../components/rich-text/enrich-body';
import { isTypedFormula } from '../../components/rich-text/formula-source';
import { FormulaView } from './formula-view';

type FormulaTag = 'code' | 'pre';

/** Above the rules of code, whose elements these are as well. */
const PARSED_FIRST = 60;

function formulaSpec(
  tag: FormulaTag,
  extra: ApplySchemaAttributes,
  override: NodeSpecOverride,
): NodeExtensionSpec {
  return {
    ...override,
    atom: true,
    selectable: true,
    attrs: { ...extra.defaults(), source: { default: '' } },
    parseDOM: [
      {
        tag: `${tag}.${FORMULA_CLASS}`,
        priority: PARSED_FIRST,
        getAttrs: (element) =>
          element instanceof Element
            ? { ...extra.parse(element), source: element.textContent.trim() }
            : false,
      },
    ],
    toDOM: (node) => [tag, { ...extra.dom(node), class: FORMULA_CLASS }, sourceOf(node)],
  };
}

export function sourceOf(node: ProsemirrorNode): string {
  return String(node.attrs['source']);
}

const drawn: NodeViewMethod = (node) => new FormulaView(node);

/** A formula in a line. */
export class InlineFormula extends NodeExtension {
  get name() {
    return 'inlineFormula' as const;
  }
  override createTags() {
    return [ExtensionTag.InlineNode];
  }
  createNodeSpec(extra: ApplySchemaAttributes, override: NodeSpecOverride): NodeExtensionSpec {
    return { ...formulaSpec('code', extra, override), inline: true };
  }
  override createNodeViews() {
    return drawn;
  }
  override createInputRules(): InputRule[] {
    return [
      nodeInputRule({
        // What stands before the first sign is not part of the formula, but keeps `US$5 or CA$` from being one.
        regexp: /(?<![\p{L}\p{N}$\\])\$([^\s$](?:[^$\n]*[^\s$\\])?)\$$/u,
        type: this.type,
        shouldSkip: ({ captureGroup }) => !isTypedFormula(captureGroup ?? ''),
        getAttributes: ([, source]) => ({ source }),
      }),
    ];
  }
}

/** A formula on a line of its own. */
export class BlockFormula extends NodeExtension {
  get name() {
    return 'blockFormula' as const;
  }
  override createTags() {
    return [ExtensionTag.Block];
  }
  createNodeSpec(extra: ApplySchemaAttributes, override: NodeSpecOverride): NodeExtensionSpec {
    return formulaSpec('pre', extra, override);
  }
  override createNodeViews() {
    return drawn;
  }
  override createInputRules(): InputRule[] {
    return [
      nodeInputRule({
        regexp: /^\$\$([^$\n]+)\$\$$/,
        type: this.type,
        ignoreWhitespace: true,
        getAttributes: ([, source]) => ({ source: source?.trim() }),
        beforeDispatch: ({ tr }) => goOnBehind(tr),
      }),
    ];
  }
  override createCommands() {
    return { putFormula };
  }
}

/** Puts a formula in the place of the selection; over a selected formula that is its new source. */
function putFormula(source: string, isBlock: boolean): CommandFunction {
  return ({ tr, state, dispatch }) => {
    const type = state.schema.nodes[isBlock ? 'blockFormula' : 'inlineFormula'];
    if (!type) return false;
    const { selection } = tr;
    const selected = selection instanceof NodeSelection ? selection.node.type : undefined;
    if (selected === type) tr.setNodeAttribute(selection.from, 'source', source);
    else goOnBehind(tr.replaceSelectionWith(type.create({ source }), false));
    dispatch?.(tr.scrollIntoView());
    return true;
  };
}

/** Where nothing follows what was put in, it would be selected itself, and the next letter would take its place. */
function goOnBehind(tr: Transaction): void {
  if (!(tr.selection instanceof NodeSelection)) return;
  const { to } = tr.selection;
  const paragraph = tr.doc.type.schema.nodes['paragraph'];
  if (paragraph) tr.insert(to, paragraph.create()).setSelection(TextSelection.create(tr.doc, to + 1));
}
