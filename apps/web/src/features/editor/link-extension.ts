import {
  isElementDomNode,
  type ApplySchemaAttributes,
  type MarkExtensionSpec,
  type MarkSpecOverride,
} from '@remirror/core';
import { LinkExtension } from 'remirror/extensions';
import { isAllowedAddress } from './link-address';

/** Links of which only allowed addresses come in, whether pasted, dropped or restored; the words of others stay as text. */
export class SafeLinkExtension extends LinkExtension {
  override createMarkSpec(extra: ApplySchemaAttributes, override: MarkSpecOverride): MarkExtensionSpec {
    const spec = super.createMarkSpec(extra, override);
    return {
      ...spec,
      parseDOM: (spec.parseDOM ?? []).map((rule) => ({
        ...rule,
        getAttrs: (node: string | Node) =>
          isElementDomNode(node) && isAllowedAddress(node.getAttribute('href') ?? '')
            ? (rule.getAttrs?.(node as never) ?? null)
            : false,
      })),
    };
  }
}
