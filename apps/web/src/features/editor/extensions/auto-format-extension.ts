import {
  ExtensionPriority,
  PlainExtension,
  type CommandFunction,
  type PrioritizedKeyBindings,
  type ProsemirrorPlugin,
} from '@remirror/core';
import { undo } from '@remirror/pm/history';
import { NodeSelection, Plugin, PluginKey, TextSelection, type Transaction } from '@remirror/pm/state';
import type { EditorView } from '@remirror/pm/view';
import { dispatchUndoStep, leaveSelectedNode } from '../transactions';
import {
  closeFence,
  isAfterBlockFormula,
  lineEndRules,
  enterRules,
  typingRules,
  textBefore,
  type FormatRule,
} from './format-rules';
import { markUndoneFormulas } from './literal-dollars';

/** Kind of the last document change. */
type LastChange = 'typed' | 'formatted' | 'other';

const lastChange = new PluginKey<LastChange>('nimoAutoFormat');

const applyFormat = (view: EditorView, tr: Transaction): void =>
  dispatchUndoStep(view, tr.setMeta(lastChange, 'formatted'));

function format(view: EditorView, text: string, rules: readonly FormatRule[]): boolean {
  const { state } = view;
  const { selection } = state;
  if (!(selection instanceof TextSelection) || !selection.empty) return false;
  const { $head: $caret } = selection;
  if ($caret.parent.type.spec.code) return false;
  const before = textBefore($caret);
  if (!before.endsWith(text)) return false;
  for (const rule of rules) {
    const tr = rule({ state, $caret, before, text });
    if (!tr) continue;
    applyFormat(view, tr);
    return true;
  }
  return false;
}

function formatLineEnd(view: EditorView): void {
  if (!view.isDestroyed && !view.composing && lastChange.getState(view.state) === 'typed')
    format(view, '', lineEndRules);
}

/**
 * The only automatic formatting of typed text: unambiguous code in backticks, fences, lists, links and formulas.
 * Remirror's own rules are off (`richTextSettings`). See docs/decisions/editor.md.
 */
export class AutoFormatExtension extends PlainExtension {
  get name() {
    return 'nimoAutoFormat' as const;
  }
  override createCommands() {
    return {
      /** Inserts a URL as a link. */
      typeLink:
        (href: string): CommandFunction =>
        ({ tr, state: { schema, storedMarks }, dispatch, view }) => {
          const mark = schema.marks['link']?.create({ href });
          if (!mark || !view) return false;
          const marks = mark.addToSet(storedMarks ?? leaveSelectedNode(tr).selection.$from.marks());
          if (dispatch) dispatchUndoStep(view, tr.replaceSelectionWith(schema.text(href, marks), false));
          return true;
        },
      /** Inserts text from a button. */
      typeText:
        (text: string): CommandFunction =>
        ({ tr, dispatch, view }) => {
          if (dispatch && view) dispatchUndoStep(view, leaveSelectedNode(tr).insertText(text));
          return true;
        },
    };
  }
  override createKeymap(): PrioritizedKeyBindings {
    return [
      ExtensionPriority.Highest,
      {
        Backspace: ({ state, dispatch }) =>
          lastChange.getState(state) === 'formatted' && undo(state, dispatch),
        Enter: ({ state, view }) => {
          if (!view) return false;
          if (lastChange.getState(state) === 'formatted' && isAfterBlockFormula(state)) {
            // The new line already exists.
            view.dispatch(state.tr.setMeta(lastChange, 'other'));
            return true;
          }
          if (format(view, '', enterRules)) return true;
          const closed = closeFence(state);
          if (closed) applyFormat(view, closed);
          return closed !== undefined;
        },
      },
    ];
  }
  override createExternalPlugins(): ProsemirrorPlugin[] {
    return [
      new Plugin<LastChange>({
        key: lastChange,
        state: {
          init: () => 'other',
          apply: (tr, last) => {
            const change = tr.getMeta(lastChange) as LastChange | undefined;
            if (change) return change;
            return tr.getMeta('appendedTransaction') || !(tr.docChanged || tr.selectionSet) ? last : 'other';
          },
        },
        appendTransaction: markUndoneFormulas,
        props: {
          handleTextInput: (view, _from, _to, text, typed) => {
            if (view.composing) return false;
            const isOverNode = view.state.selection instanceof NodeSelection;
            const tr = isOverNode ? leaveSelectedNode(view.state.tr).insertText(text) : typed();
            view.dispatch(tr.setMeta(lastChange, 'typed'));
            format(view, text, typingRules);
            return true;
          },
          handleDOMEvents: {
            // Before the input method writes over the selection.
            compositionstart: (view) => {
              const tr = leaveSelectedNode(view.state.tr);
              if (tr.selectionSet) view.dispatch(tr);
            },
            compositionend: (view, { data }) => {
              // The composed text reaches the document after this event.
              setTimeout(() => {
                if (view.isDestroyed || view.composing) return;
                view.dispatch(view.state.tr.setMeta(lastChange, 'typed'));
                format(view, data, typingRules);
              });
            },
            // Before any extension handles the key.
            keydown: (view, { key }) => {
              if (key === 'Enter') formatLineEnd(view);
            },
            blur: formatLineEnd,
          },
        },
      }),
    ];
  }
}
