import {
  type ApplySchemaAttributes,
  type CommandFunction,
  ExtensionTag,
  NodeExtension,
  type NodeExtensionSpec,
  type NodeSpecOverride,
  type NodeViewMethod,
  type ProsemirrorNode,
} from '@remirror/core';
import { NodeSelection } from '@remirror/pm/state';
import type { NodeView } from '@remirror/pm/view';
import { FORMULA_CLASS } from '../../../components/rich-text/enrich-body';
import { drawFormulas, newFormula } from '../../../components/rich-text/formula-element';
import { i18n } from '../../../i18n/i18n';
import { caretAfter, dispatchUndoStep, insertNode, leaveSelectedNode } from '../transactions';
import classes from './formula.module.css';

type FormulaTag = 'code' | 'pre';

/** Above the default 50 of the code rules, which match the same elements. */
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
    // For copied plain text. A paste parses a multi-line formula only if `$$` are on their own lines.
    leafText: (node) => {
      const source = sourceOf(node);
      if (tag === 'code') return `$${source}$`;
      return source.includes('\n') ? `$$\n${source}\n$$` : `$$${source}$$`;
    },
  };
}

export function sourceOf(node: ProsemirrorNode): string {
  return String(node.attrs['source']);
}

const newFormulaView: NodeViewMethod = (node) => new FormulaView(node);

/** An inline formula. */
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
    return newFormulaView;
  }
}

/** A block formula. */
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
    return newFormulaView;
  }
  override createCommands() {
    return { insertFormula };
  }
}

/** Replaces the selection with a formula, or changes the source of a selected one. */
function insertFormula(source: string, isBlock: boolean): CommandFunction {
  return ({ tr, state, dispatch, view }) => {
    const type = state.schema.nodes[isBlock ? 'blockFormula' : 'inlineFormula'];
    if (!type || !view) return false;
    const { selection } = tr;
    const selected = selection instanceof NodeSelection ? selection.node.type.name : '';
    if (selected === type.name)
      caretAfter(tr.setNodeAttribute(selection.from, 'source', source), selection.to);
    // Converts between inline and block.
    else insertNode(selected.endsWith('Formula') ? tr : leaveSelectedNode(tr), type.create({ source }));
    if (dispatch) dispatchUndoStep(view, tr);
    return true;
  };
}

/** Renders a formula in the document; it is edited only in the toolbar's form. */
class FormulaView implements NodeView {
  readonly dom: HTMLElement;
  private node: ProsemirrorNode;
  private drawing = new AbortController();

  constructor(node: ProsemirrorNode) {
    this.node = node;
    this.dom = document.createElement(node.isInline ? 'span' : 'div');
    this.dom.className = classes.node ?? '';
    this.dom.contentEditable = 'false';
    this.dom.dataset['formula'] = '';
    this.draw();
  }

  private draw(): void {
    this.drawing.abort();
    this.drawing = new AbortController();
    const formula = newFormula(String(this.node.attrs['source']), !this.node.isInline);
    this.dom.replaceChildren(formula);
    void drawFormulas([formula], { wrong: i18n.t('richText:formula.invalid') }, this.drawing.signal);
  }

  update(node: ProsemirrorNode): boolean {
    if (node.type !== this.node.type) return false;
    const isSame = node.attrs['source'] === this.node.attrs['source'];
    this.node = node;
    if (!isSame) this.draw();
    return true;
  }

  selectNode(): void {
    this.dom.dataset['selected'] = '';
  }

  deselectNode(): void {
    delete this.dom.dataset['selected'];
  }

  ignoreMutation(): boolean {
    return true;
  }

  destroy(): void {
    this.drawing.abort();
  }
}
