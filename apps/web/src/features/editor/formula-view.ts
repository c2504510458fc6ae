import type { ProsemirrorNode } from '@remirror/core';
import type { NodeView } from '@remirror/pm/view';
import { drawFormulas, newFormula } from '../../components/rich-text/formula-element';
import { i18n } from '../../i18n/i18n';
import classes from './formula.module.css';

/** A formula in the document: drawn, and edited through the toolbar's form only. */
export class FormulaView implements NodeView {
  readonly dom: HTMLElement;
  #node: ProsemirrorNode;
  #drawing = new AbortController();

  constructor(node: ProsemirrorNode) {
    this.#node = node;
    this.dom = document.createElement(node.isInline ? 'span' : 'div');
    this.dom.className = classes.node ?? '';
    this.dom.contentEditable = 'false';
    this.dom.dataset['formula'] = '';
    this.#draw();
  }

  #draw(): void {
    this.#drawing.abort();
    this.#drawing = new AbortController();
    const formula = newFormula(String(this.#node.attrs['source']), !this.#node.isInline);
    this.dom.replaceChildren(formula);
    void drawFormulas([formula], { wrong: i18n.t('richText:formula.wrong') }, this.#drawing.signal);
  }

  update(node: ProsemirrorNode): boolean {
    if (node.type !== this.#node.type) return false;
    const isSame = node.attrs['source'] === this.#node.attrs['source'];
    this.#node = node;
    if (!isSame) this.#draw();
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
    this.#drawing.abort();
  }
}
