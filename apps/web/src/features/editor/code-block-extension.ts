import {
  ExtensionTag,
  NodeExtension,
  toggleBlockItem,
  type ApplySchemaAttributes,
  type InputRule,
  type NodeExtensionSpec,
  type NodeSpecOverride,
} from '@remirror/core';
import { textblockTypeInputRule } from '@remirror/pm/inputrules';

const languageClass = /^language-([a-z0-9+#-]{1,30})$/;

function languageOf(pre: Node | string): string | null {
  const code = pre instanceof Element ? pre.querySelector('code') : null;
  for (const name of code?.classList ?? []) {
    const language = languageClass.exec(name)?.[1];
    if (language !== undefined) return language;
  }
  return null;
}

/** `<pre><code class="language-x">`: what the sanitiser keeps. The library's own writes attributes that it does not. */
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
          getAttrs: (element) => ({ ...extra.parse(element), language: languageOf(element) }),
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
    return { toggleCodeBlock: () => toggleBlockItem({ type: this.type, toggleType: 'paragraph' }) };
  }
  override createInputRules(): InputRule[] {
    return [textblockTypeInputRule(/^```$/, this.type)];
  }
}
