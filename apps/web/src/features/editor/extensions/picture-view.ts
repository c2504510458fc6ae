import type { ProsemirrorNode } from '@remirror/core';
import { NodeSelection } from '@remirror/pm/state';
import type { EditorView, NodeView } from '@remirror/pm/view';
import { i18n } from '../../../i18n/i18n';
import type { PictureUploads } from '../picture-uploads';
import classes from './picture.module.css';

function newButton(label: string, run: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = classes.action ?? '';
  button.textContent = label;
  button.addEventListener('click', run);
  return button;
}

/** Renders an image in the document, with upload progress and actions until it is stored. */
export class PictureView implements NodeView {
  readonly dom = document.createElement('span');
  private readonly image = document.createElement('img');
  private readonly panel = document.createElement('span');
  private readonly leave: (() => void) | undefined;
  private node: ProsemirrorNode;
  private shown = '';

  constructor(
    node: ProsemirrorNode,
    private readonly view: EditorView,
    private readonly getPos: () => number | undefined,
    private readonly uploads: PictureUploads | undefined,
  ) {
    this.node = node;
    this.dom.className = classes.picture ?? '';
    this.dom.contentEditable = 'false';
    this.dom.dataset['picture'] = '';
    this.panel.className = classes.panel ?? '';
    this.image.draggable = false;
    this.image.addEventListener('click', () => this.select());
    this.dom.append(this.image);
    this.leave = uploads?.subscribe(() => this.draw());
    this.draw();
  }

  private get upload() {
    return this.uploads?.get(this.node.attrs['upload']);
  }

  private draw(): void {
    const { src, alt, width, height } = this.node.attrs as Record<string, string | null>;
    const upload = this.upload;
    const address = upload?.previewUrl ?? src ?? '';
    if (this.image.getAttribute('src') !== address) this.image.src = address;
    this.image.alt = alt ?? '';
    for (const [name, side] of [
      ['width', width],
      ['height', height],
    ] as const)
      if (side) this.image.setAttribute(name, side);
      else this.image.removeAttribute(name);
    this.drawPanel();
  }

  /** Re-renders the buttons only if they change: one of them may have the focus. */
  private drawPanel(): void {
    const upload = this.upload;
    const state = upload?.state ?? 'stored';
    const percent = upload?.percent ?? 100;
    if (state !== this.shown) {
      this.shown = state;
      this.dom.dataset['state'] = state;
      this.panel.remove();
      if (state === 'stored') return;
      this.panel.replaceChildren(
        ...(state === 'failed' ? this.failure(upload?.message ?? '') : this.sending()),
      );
      this.dom.append(this.panel);
    }
    const bar = this.panel.querySelector('[role="progressbar"]');
    bar?.setAttribute('aria-valuenow', String(percent));
    if (bar) bar.textContent = i18n.t('richText:image.percent', { percent });
  }

  private sending(): Node[] {
    const bar = document.createElement('span');
    bar.setAttribute('role', 'progressbar');
    bar.setAttribute('aria-label', i18n.t('richText:image.uploadProgress'));
    return [bar, newButton(i18n.t('richText:image.cancel'), () => this.remove())];
  }

  private failure(message: string): Node[] {
    const words = document.createElement('span');
    words.setAttribute('role', 'alert');
    words.textContent = message;
    const retry = () => {
      this.uploads?.retry(String(this.node.attrs['upload']));
      this.view.focus();
    };
    return [
      words,
      newButton(i18n.t('richText:image.retry'), retry),
      newButton(i18n.t('richText:image.remove'), () => this.remove()),
    ];
  }

  /** ProseMirror leaves the caret next to the image if the editor was not focused. */
  private select(): void {
    const at = this.getPos();
    const { doc, tr } = this.view.state;
    if (at !== undefined) this.view.dispatch(tr.setSelection(NodeSelection.create(doc, at)));
  }

  private remove(): void {
    const at = this.getPos();
    this.uploads?.cancel(String(this.node.attrs['upload']));
    if (at !== undefined) this.view.dispatch(this.view.state.tr.delete(at, at + this.node.nodeSize));
    this.view.focus();
  }

  update(node: ProsemirrorNode): boolean {
    if (node.type !== this.node.type) return false;
    this.node = node;
    this.draw();
    return true;
  }

  selectNode(): void {
    this.dom.dataset['selected'] = '';
  }

  deselectNode(): void {
    delete this.dom.dataset['selected'];
  }

  /** Events on buttons are handled here, all others by the editor. */
  stopEvent({ target }: Event): boolean {
    return target instanceof Element && target.closest('button') !== null;
  }

  ignoreMutation(): boolean {
    return true;
  }

  destroy(): void {
    this.leave?.();
  }
}
