import { isAllowedAddress } from './link-address';

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const blocks = ['p', ...headings, 'blockquote', 'pre', 'ul', 'ol', 'li', 'hr'];
const inlines = ['a', 'b', 'strong', 'i', 'em', 'u', 's', 'del', 'code', 'span', 'br', 'sub', 'sup', 'kbd'];
const allowedTags: ReadonlySet<string> = new Set([...blocks, ...inlines]);
/** Their text is not for reading. */
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
  return tag === 'ol' && name === 'start' && /^\d{1,6}$/.test(value);
}

function reduce(element: Element): void {
  const tag = element.localName;
  if (element.namespaceURI !== htmlNamespace || droppedTags.has(tag)) element.remove();
  else if (!allowedTags.has(tag)) element.replaceWith(...element.childNodes);
  else {
    for (const attribute of [...element.attributes])
      if (!isAllowed(tag, attribute)) element.removeAttribute(attribute.name);
  }
}

/** HTML that never was at the api, reduced to what the api will keep of it. */
export function allowedHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  body.querySelectorAll('*').forEach(reduce);
  return body.innerHTML;
}
