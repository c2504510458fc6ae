import { withDirections, withSpaces } from '@nimo/rich-text';
import { escaped } from '../../platform/web/escape-html.js';
import { keyAt } from '../uploads/media-paths.js';
import type { Row } from './moment.js';
import type { OwnDataLanguage } from './own-data-language.js';
import type { JsonPart } from './own-json.js';
import { OWN_PAGE_TEXTS, type OwnPageSection, type OwnPageTexts } from './own-page-texts.js';

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1c1c1c}
h2{margin-top:2.5rem;border-bottom:1px solid #bbb}dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.1rem 1rem;
margin:0 0 1rem;padding:.75rem 1rem;border:1px solid #ddd;border-radius:.5rem}dt{color:#555}dd{margin:0;overflow-wrap:anywhere}
img{max-width:100%;height:auto;max-height:24rem}th,td{padding:.25rem .5rem;border:1px solid #bbb;text-align:start}
dd :is(p,li,th,td){unicode-bidi:plaintext}.nimo-spaces{white-space:break-spaces}`;

/** Sanitised when it was written: shown as it is, and nothing in it runs. */
const RICH: ReadonlySet<string> = new Set(['questions.body', 'answers.body', 'newsWritten.body']);

/** Opens from a disk, without a server or a script. In pieces, row by row. */
export async function* ownPage(
  language: OwnDataLanguage,
  madeAt: string,
  parts: AsyncIterable<JsonPart>,
): AsyncGenerator<string> {
  const texts = OWN_PAGE_TEXTS[language];
  const when = new Date(madeAt).toLocaleString(language, { timeZone: 'UTC', timeZoneName: 'short' });
  yield `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'">
<title>${escaped(texts.title)}</title><style>${STYLE}</style></head><body>
<h1>${escaped(texts.title)}</h1><p>${escaped(texts.lead.replace('{when}', when))}</p>\n`;
  for await (const { name, rows } of parts) {
    yield `<section id="${name}"><h2>${escaped(texts.sections[name as OwnPageSection])}</h2>\n`;
    let isEmpty = true;
    for await (const row of rows) {
      isEmpty = false;
      yield rowOf(name, row as Row, texts);
    }
    yield `${isEmpty ? `<p>${escaped(texts.none)}</p>` : ''}</section>\n`;
  }
  yield '</body></html>\n';
}

function rowOf(section: string, row: Row, texts: OwnPageTexts): string {
  const facts = Object.entries(row).filter(
    ([, value]) => value !== null && value !== '' && !isEmptyList(value),
  );
  const lines = facts.map(
    ([name, value]) =>
      `<dt>${escaped(worded(name))}</dt><dd dir="auto">${shown(section, name, value, texts)}</dd>`,
  );
  return `<dl>${lines.join('')}</dl>\n`;
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** `askedAt` reads `asked at`: the names of data.json, so that one is found in the other. */
const worded = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function shown(section: string, name: string, value: unknown, texts: OwnPageTexts): string {
  if (typeof value === 'boolean') return texts[value ? 'yes' : 'no'];
  if (typeof value === 'string') {
    if (RICH.has(`${section}.${name}`))
      return withSpaces(withDirections(value)).replaceAll('src="/media/', 'src="pictures/');
    const key = section === 'uploads' && name === 'key' ? value : keyAt(value);
    return key === undefined ? escaped(value) : `<img src="pictures/${escaped(key)}" alt="${escaped(key)}">`;
  }
  if (Array.isArray(value)) return value.map((one: unknown) => shown(section, name, one, texts)).join(', ');
  if (value instanceof Date) return value.toISOString();
  return escaped(JSON.stringify(value));
}
