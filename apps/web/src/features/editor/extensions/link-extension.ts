import {
  isElementDomNode,
  type ApplySchemaAttributes,
  type CreateExtensionPlugin,
  type MarkExtensionSpec,
  type MarkSpecOverride,
  type ProsemirrorNode,
} from '@remirror/core';
import type { Transaction } from '@remirror/pm/state';
import { LinkExtension } from 'remirror/extensions';
import { isAllowedAddress } from '../allowed-html';
import { findLinks } from '../../../components/rich-text/find-links';

/** Whether the text is exactly the URL. */
function isUrlText(words: string, href: string): boolean {
  const [found] = findLinks(words);
  return found?.href === href && found.start === 0 && found.end === words.length;
}

/** Accepts links with allowed URLs only, whether pasted, dropped or restored; other links become text. */
export class SafeLinkExtension extends LinkExtension {
  override createMarkSpec(extra: ApplySchemaAttributes, override: MarkSpecOverride): MarkExtensionSpec {
    const spec = super.createMarkSpec(extra, override);
    return {
      ...spec,
      parseDOM: (spec.parseDOM ?? []).map((rule) => ({
        ...rule,
        getAttrs: (node: string | Node) => {
          const href = isElementDomNode(node) ? (node.getAttribute('href') ?? '') : '';
          if (!isElementDomNode(node) || !isAllowedAddress(href)) return false;
          return { ...(rule.getAttrs?.(node as never) || {}), auto: isUrlText(node.textContent, href) };
        },
      })),
    };
  }

  /** Replaces Remirror's autolinks, which link `System.in`: format rules and pasting create links. */
  override createPlugin(): CreateExtensionPlugin {
    return {
      appendTransaction: (_, before, { doc, tr }) => {
        const from = before.doc.content.findDiffStart(doc.content);
        const to = before.doc.content.findDiffEnd(doc.content)?.b ?? 0;
        if (from === null) return null;
        // Includes the block a link was split from, and pure deletions.
        doc.nodesBetween(
          Math.max(0, from - 1),
          Math.min(doc.content.size, Math.max(from, to) + 1),
          (node, at) => {
            if (node.isTextblock) this.syncTargets(tr, node, at + 1);
          },
        );
        return tr.docChanged ? tr : null;
      },
    };
  }

  /** Keeps the target of a link in sync with its text if the text is its URL. */
  private syncTargets(tr: Transaction, block: ProsemirrorNode, start: number): void {
    const runs: { text: string; from: number; href: unknown }[] = [];
    block.forEach(({ marks, text = '' }, offset) => {
      const { attrs } = marks.find(({ type }) => type === this.type) ?? {};
      if (attrs?.['auto'] !== true) return;
      const from = start + offset;
      const last = runs.at(-1);
      if (last && last.href === attrs['href'] && last.from + last.text.length === from) last.text += text;
      else runs.push({ text, from, href: attrs['href'] });
    });
    for (const { text, from, href } of runs) {
      const [found] = findLinks(text);
      if (found?.href === href) continue;
      tr.removeMark(from, from + text.length, this.type);
      if (found?.start === 0)
        tr.addMark(from, from + found.end, this.type.create({ href: found.href, auto: true }));
    }
  }
}
