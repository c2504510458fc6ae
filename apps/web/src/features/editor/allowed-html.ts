import { pictureLocation } from '../../components/rich-text/enrich-body';

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const blocks = ['p', ...headings, 'blockquote', 'pre', 'ul', 'ol', 'li', 'hr'];
const tables = ['table', 'thead', 'tbody', 'tr', 'th', 'td'];
const inlines = [
  'a',
  'b',
  'strong',
  'i',
  'em',
  'u',
  's',
  'del',
  'code',
  'span',
  'br',
  'sub',
  'sup',
  'kbd',
  'img',
];
const allowedTags: ReadonlySet<string> = new Set([...blocks, ...tables, ...inlines]);
/** Removed together with their text. */
const droppedTags: ReadonlySet<string> = new Set([
  'script',
  'style',
  'template',
  'iframe',
  'object',
  'title',
]);
const allowedClass = /^(?:nimo-(?:font|size|color|align)-[a-z]+|language-[a-z0-9+#-]{1,30}|nimo-math)$/;
const htmlNamespace = 'http://www.w3.org/1999/xhtml';

function isAllowed(tag: string, { name, value }: Attr): boolean {
  if (name === 'class') return value.split(/\s+/).every((word) => allowedClass.test(word));
  if (tag === 'a') return name === 'href' ? isAllowedAddress(value) : name === 'rel';
  if (tag === 'img')
    return (
      name === 'src' || name === 'alt' || (/^(?:width|height)$/.test(name) && /^[1-9]\d{0,4}$/.test(value))
    );
  if (tag === 'th' || tag === 'td') return /^(?:col|row)span$/.test(name) && /^[1-9]\d?$/.test(value);
  return tag === 'ol' && name === 'start' && /^\d{1,6}$/.test(value);
}

function reduce(element: Element): void {
  const tag = element.localName;
  if (element.namespaceURI !== htmlNamespace || droppedTags.has(tag)) element.remove();
  // Only images from our own store.
  else if (tag === 'img' && pictureLocation(element.getAttribute('src') ?? '') === undefined)
    element.remove();
  else if (!allowedTags.has(tag)) element.replaceWith(...element.childNodes);
  else {
    for (const attribute of [...element.attributes])
      if (!isAllowed(tag, attribute)) element.removeAttribute(attribute.name);
  }
}

/** Sanitises HTML that has not been through the API, with the API's rules. */
export function allowedHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  body.querySelectorAll('*').forEach(reduce);
  return body.innerHTML;
}

const scheme = /^(?:https?:\/\/|mailto:)/i;
// Not `//`, which leads to another host.
const ownPlace = /^(?:\/(?![/\\])|#)/;

/** The URL to store: adds `https://` unless it has an allowed scheme. */
export function linkAddress(text: string): string {
  const address = text.trim();
  return address === '' || scheme.test(address) ? address : `https://${address.replace(/^[a-z]+:/i, '')}`;
}

/** Whether a link may have the URL; rejects `javascript:`, `data:` and similar in any spelling. */
export function isAllowedAddress(address: string): boolean {
  return scheme.test(address) || ownPlace.test(address);
}
