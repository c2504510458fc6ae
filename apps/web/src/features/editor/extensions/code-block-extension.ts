import {
  ExtensionTag,
  NodeExtension,
  toggleBlockItem,
  type ApplySchemaAttributes,
  type CommandFunction,
  type NodeExtensionSpec,
  type NodeSpecOverride,
  type NodeType,
} from '@remirror/core';
import { languageOf } from '../../../components/rich-text/enrich-body';
import { dispatchUndoStep } from '../transactions';

function languageIn(pre: Node | string): string | null {
  return pre instanceof Element ? languageOf(pre.querySelector('code')) : null;
}

function chooseLanguage(type: NodeType, language: string | null): CommandFunction {
  return ({ tr, dispatch }) => {
    const { $from } = tr.selection;
    if ($from.parent.type !== type) return false;
    dispatch?.(tr.setNodeAttribute($from.before(), 'language', language));
    return true;
  };
}

/** `<pre><code class="language-x">`, as the sanitiser keeps it. Remirror's own extension writes attributes that it strips. */
export class CodeBlock extends NodeExtension {
  get name() {
    return 'codeBlock' as const;
  }
  override createTags() {
    return [ExtensionTag.Block, ExtensionTag.Code];
  }
  createNodeSpec(extra: ApplySchemaAttributes, override: NodeSpecOverride): NodeExtensionSpec {
    return {
      content: 'text*',
      marks: '',
      defining: true,
      isolating: true,
      code: true,
      ...override,
      attrs: { ...extra.defaults(), language: { default: null } },
      parseDOM: [
        {
          tag: 'pre',
          preserveWhitespace: 'full',
          getAttrs: (element) => ({ ...extra.parse(element), language: languageIn(element) }),
        },
      ],
      toDOM: (node) => {
        const language = node.attrs['language'] as string | null;
        return [
          'pre',
          extra.dom(node),
          ['code', language === null ? {} : { class: `language-${language}` }, 0],
        ];
      },
    };
  }
  override createCommands() {
    return {
      toggleCodeBlock:
        (): CommandFunction =>
        ({ dispatch, view, ...props }) =>
          toggleBlockItem({ type: this.type, toggleType: 'paragraph' })({
            ...props,
            view,
            dispatch: dispatch && view ? (tr) => dispatchUndoStep(view, tr) : dispatch,
          }),
      chooseCodeLanguage: (language: string | null) => chooseLanguage(this.type, language),
    };
  }
}
