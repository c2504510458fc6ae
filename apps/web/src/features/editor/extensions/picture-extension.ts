import {
  ExtensionTag,
  NodeExtension,
  type ApplySchemaAttributes,
  type CommandFunction,
  type CreateExtensionPlugin,
  type NodeExtensionSpec,
  type NodeSpecOverride,
  type NodeViewMethod,
  type ProsemirrorNode,
} from '@remirror/core';
import { Fragment, Slice } from '@remirror/pm/model';
import { NodeSelection, TextSelection, type EditorState, type Transaction } from '@remirror/pm/state';
import type { EditorView } from '@remirror/pm/view';
import { pictureLocation } from '../../../components/rich-text/enrich-body';
import { hasWords } from '../../gallery/accept-pictures';
import { caretAfter, dispatchUndoStep, leaveSelectedNode } from '../transactions';
import type { PictureUploads } from '../picture-uploads';
import { PictureView } from './picture-view';

const UPLOADED = 'nimoPictureUploaded';

function attributesOf(element: Node | string): Record<string, string | null> | false {
  if (!(element instanceof Element)) return false;
  const src = element.getAttribute('src') ?? '';
  // A draft may contain an image that was still uploading when it was stored.
  if (pictureLocation(src) === undefined) return false;
  const [width, height] = ['width', 'height'].map((name) => element.getAttribute(name));
  return { src, alt: element.getAttribute('alt') ?? '', width: width ?? null, height: height ?? null };
}

function domAttributes({ attrs }: ProsemirrorNode): Record<string, string> {
  const { src, alt, width, height, upload } = attrs as Record<string, string | null>;
  return {
    ...(src ? { src } : { 'data-upload': upload ?? '' }),
    alt: alt ?? '',
    ...(src && width && height ? { width, height } : {}),
  };
}

/** An inline image in our own store: `<img>` as the sanitiser keeps it. Without `src` it is still uploading. */
export class Picture extends NodeExtension {
  /** Accepts new images; undefined if the text may not have any, as in news. */
  uploads: PictureUploads | undefined;

  get name() {
    return 'picture' as const;
  }
  override createTags() {
    return [ExtensionTag.InlineNode, ExtensionTag.Media];
  }
  createNodeSpec(extra: ApplySchemaAttributes, override: NodeSpecOverride): NodeExtensionSpec {
    const none = { default: null };
    return {
      ...override,
      inline: true,
      atom: true,
      selectable: true,
      draggable: true,
      attrs: {
        ...extra.defaults(),
        src: none,
        alt: { default: '' },
        width: none,
        height: none,
        upload: none,
      },
      parseDOM: [{ tag: 'img[src]', getAttrs: attributesOf }],
      toDOM: (node) => ['img', { ...extra.dom(node), ...domAttributes(node) }],
    };
  }
  override createNodeViews(): NodeViewMethod {
    return (node, view, getPos) => new PictureView(node, view, getPos, this.uploads);
  }
  override createCommands() {
    return {
      /** Inserts images at the caret, or replaces the selection. */
      insertPictures:
        (files: readonly File[]): CommandFunction =>
        ({ view, dispatch }) => {
          if (!this.uploads || !view) return false;
          if (dispatch) this.put(view, files);
          return true;
        },
      describePicture:
        (alt: string): CommandFunction =>
        ({ tr, dispatch }) => {
          if (!selectedPicture(tr)) return false;
          dispatch?.(tr.setNodeAttribute(tr.selection.from, 'alt', alt));
          return true;
        },
      removePicture:
        (): CommandFunction =>
        ({ tr, dispatch }) => {
          if (!selectedPicture(tr)) return false;
          dispatch?.(tr.deleteSelection());
          return true;
        },
      /** Replaces the selected image with another file. */
      replacePicture:
        (file: File): CommandFunction =>
        ({ tr, dispatch, view }) => {
          const picture = selectedPicture(tr);
          if (!picture || !this.uploads || !view) return false;
          if (!dispatch) return true;
          const upload = this.uploads.add(file);
          const attrs = { ...picture.attrs, src: null, width: null, height: null, upload };
          const { from, to } = tr.selection;
          dispatchUndoStep(view, caretAfter(tr.setNodeMarkup(from, null, attrs), to));
          return true;
        },
      /** Moves the caret after the selected image, so that typing does not replace it. */
      leavePicture:
        (): CommandFunction =>
        ({ tr, dispatch }) => {
          if (!selectedPicture(tr)) return false;
          dispatch?.(caretAfter(tr, tr.selection.to));
          return true;
        },
    };
  }
  override createPlugin(): CreateExtensionPlugin {
    return {
      view: (view) => {
        const leave = this.uploads?.subscribe(() => {
          if (!view.isDestroyed && this.setLocations(view.state))
            view.dispatch(view.state.tr.setMeta(UPLOADED, true).setMeta('addToHistory', false));
        });
        return { destroy: () => leave?.() };
      },
      appendTransaction: (transactions, _, state) =>
        transactions.some((tr) => tr.docChanged || tr.getMeta(UPLOADED) === true)
          ? (this.setLocations(state) ?? null)
          : null,
      props: {
        handlePaste: (view, { clipboardData }) => {
          if (!this.uploads || !clipboardData?.files.length || hasWords(clipboardData)) return false;
          this.put(view, [...clipboardData.files]);
          return true;
        },
        handleDOMEvents: {
          drop: (view, event) => {
            const files = [...(event.dataTransfer?.files ?? [])];
            if (!this.uploads || files.length === 0) return false;
            const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
            event.preventDefault();
            if (at)
              view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(at.pos))));
            this.put(view, files);
            return true;
          },
        },
      },
    };
  }

  private put(view: EditorView, files: readonly File[]): void {
    this.uploads?.accept(files, (ids) => {
      if (view.isDestroyed) return;
      const pictures = Fragment.from(ids.map((upload) => this.type.create({ upload })));
      dispatchUndoStep(view, leaveSelectedNode(view.state.tr).replaceSelection(new Slice(pictures, 0, 0)));
      view.focus();
    });
  }

  /** Sets the location of images whose upload has finished, outside of the undo history. */
  private setLocations(state: EditorState): Transaction | undefined {
    if (!this.uploads?.hasAny) return undefined;
    const { tr } = state;
    state.doc.descendants((node, at) => {
      const upload =
        node.type === this.type && node.attrs['src'] === null && this.uploads?.get(node.attrs['upload']);
      if (!upload || upload.location === undefined) return;
      const sides =
        upload.width && upload.height ? { width: String(upload.width), height: String(upload.height) } : {};
      tr.setNodeMarkup(at, null, { ...node.attrs, src: upload.location, ...sides });
    });
    if (!tr.docChanged) return undefined;
    const { selection } = state;
    if (selection instanceof NodeSelection) tr.setSelection(NodeSelection.create(tr.doc, selection.from));
    return tr.setMeta('addToHistory', false);
  }
}

function selectedPicture({ selection }: Transaction): ProsemirrorNode | undefined {
  return selection instanceof NodeSelection && selection.node.type.name === 'picture'
    ? selection.node
    : undefined;
}
