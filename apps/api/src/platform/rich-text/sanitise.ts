import sanitizeHtml from 'sanitize-html';

/** The palette of the editor: the only classes that may stand in a stored body. A strict CSP leaves no room for inline style. */
const FONT = ['nimo-font-sans', 'nimo-font-serif', 'nimo-font-mono'];
const SIZE = ['nimo-size-small', 'nimo-size-normal', 'nimo-size-large', 'nimo-size-huge'];
const COLOUR = ['gray', 'red', 'orange', 'green', 'teal', 'blue', 'violet', 'pink'].map(
  (name) => `nimo-color-${name}`,
);
const ALIGN = ['left', 'center', 'right', 'justify'].map((side) => `nimo-align-${side}`);

/** A formula is its TeX source in an element of its own, `<code>` in a line and `<pre>` on one of its own. */
const FORMULA = 'nimo-math';

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const BLOCKS = ['p', ...HEADINGS, 'blockquote', 'pre', 'ul', 'ol', 'li', 'hr'];
const INLINES = ['a', 'b', 'strong', 'i', 'em', 'u', 's', 'del', 'code', 'span', 'br', 'sub', 'sup', 'kbd'];
const MAX_DEPTH = 30;

/** The words `javascript:` and friends never pass; a picture elsewhere becomes a link, as pages load images of their own host only. */
const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [...BLOCKS, ...INLINES],
  allowedAttributes: { a: ['href', 'rel', 'target'], ol: ['start'] },
  allowedClasses: {
    span: [...FONT, ...SIZE, ...COLOUR],
    code: [/^language-[a-z0-9+#-]{1,30}$/, FORMULA],
    pre: [FORMULA],
    ...Object.fromEntries(['p', 'li', 'blockquote', ...HEADINGS].map((tag) => [tag, ALIGN])),
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: MAX_DEPTH,
};

const LINKED = { rel: 'nofollow ugc noopener noreferrer', target: '_blank' };

/** A link in a link is text: a browser would tear the outer one apart and leave an empty one that nobody can name. */
function optionsOfOnePass(): sanitizeHtml.IOptions {
  let openLinks = 0;
  return {
    ...ALLOWED,
    onOpenTag: (name) => {
      if (name === 'a') openLinks += 1;
    },
    onCloseTag: (name) => {
      if (name === 'a') openLinks -= 1;
    },
    transformTags: {
      a: (tagName, attribs) =>
        openLinks > 1 ? { tagName: 'span', attribs: {} } : { tagName, attribs: { ...attribs, ...LINKED } },
      ol: (tagName, attribs) => ({
        tagName,
        attribs: /^\d{1,6}$/.test(attribs['start'] ?? '') ? attribs : {},
      }),
      img: (_tagName, attribs) => ({
        ...(openLinks > 0
          ? { tagName: 'span', attribs: {} }
          : { tagName: 'a', attribs: { href: attribs['src'] ?? '', ...LINKED } }),
        text: attribs['alt']?.trim() || attribs['src'] || '',
      }),
    },
  };
}

const MOST_PASSES = 4;

/**
 * HTML of a question's or an answer's body, reduced to the allow-list. Stable: sanitising what came out changes nothing.
 *
 * @param html whatever a client or an import sent
 * @returns well-formed HTML without scripts, styles, handlers, foreign images or unknown classes
 */
export function sanitiseRichText(html: string): string {
  let clean = sanitizeHtml(html, optionsOfOnePass()).trim();
  // An element that is dropped can leave others in an order that a parser, ours or a browser's, would nest in another way.
  for (let pass = 1; pass < MOST_PASSES; pass += 1) {
    const again = sanitizeHtml(clean, optionsOfOnePass()).trim();
    if (again === clean) break;
    clean = again;
  }
  return clean;
}

/** The text of a body or an imported comment: no markup, entities resolved, white space folded. Not HTML: escape it to show it. */
export function plainTextOf(html: string): string {
  const text = sanitizeHtml(html.replace(/<(?:br|\/p|\/li|\/h\d|\/pre|\/blockquote)\b[^<>]*>/gi, ' '), {
    allowedTags: [],
    allowedAttributes: {},
    textFilter: (chunk) => chunk,
  });
  return decodeEntities(text).replace(/\s+/g, ' ').trim();
}

// sanitize-html escapes exactly these in text.
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity);
}
