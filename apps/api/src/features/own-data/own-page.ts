import { z } from 'zod';
import type { Statement } from '@nimo/projections';
import type { Pool, PoolClient } from 'pg';
import { withDirections, withSpaces } from '@nimo/rich-text';
import { type Language, LANGUAGES } from '../../platform/texts/language.js';
import { type OwnDataSection, ownDataText } from '../../platform/texts/texts.js';
import { escapeHtml } from '../../platform/web/escape-html.js';
import { keyAt } from '../uploads/picture-access.js';
import type { OwnEvent } from './own-events.js';

export interface ExportPart {
  readonly name: string;
  readonly rows: AsyncIterable<Row | OwnEvent>;
}

/** Falls back to English. */
export const ownDataLanguage = z.enum(LANGUAGES).catch('en');

const FETCH_SIZE = 500;

export type Row = Readonly<Record<string, unknown>>;

/** A consistent snapshot of the database, read through cursors. */
export class Snapshot {
  private cursors = 0;

  private constructor(readonly client: PoolClient) {}

  static async read<Result>(pool: Pool, work: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
    const client = await pool.connect();
    try {
      await client.query('begin transaction isolation level repeatable read read only');
      const result = await work(new Snapshot(client));
      await client.query('commit');
      client.release();
      return result;
    } catch (error) {
      // Destroying the connection ends the transaction.
      client.release(true);
      throw error;
    }
  }

  /** One statement at a time per connection. */
  async *rows({ text, values = [] }: Statement): AsyncGenerator<Row> {
    const cursor = `own_${(this.cursors += 1)}`;
    await this.client.query(`declare ${cursor} no scroll cursor for ${text}`, values);
    for (;;) {
      const { rows } = await this.client.query<Row>(`fetch ${FETCH_SIZE} from ${cursor}`);
      yield* rows;
      if (rows.length < FETCH_SIZE) break;
    }
    await this.client.query(`close ${cursor}`);
  }
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1c1c1c}
h2{margin-top:2.5rem;border-bottom:1px solid #bbb}dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.1rem 1rem;
margin:0 0 1rem;padding:.75rem 1rem;border:1px solid #ddd;border-radius:.5rem}dt{color:#555}dd{margin:0;overflow-wrap:anywhere}
img{max-width:100%;height:auto;max-height:24rem}th,td{padding:.25rem .5rem;border:1px solid #bbb;text-align:start}
dd :is(p,li,th,td){unicode-bidi:plaintext}.nimo-spaces{white-space:break-spaces}`;

/** Fields with HTML that was sanitised when written, so it is embedded unescaped. */
const RICH_TEXT_FIELDS: ReadonlySet<string> = new Set(['questions.body', 'answers.body', 'newsWritten.body']);

/** Streams index.html, which opens from disk without a server or scripts. */
export async function* ownPage(
  language: Language,
  madeAt: string,
  parts: AsyncIterable<ExportPart>,
): AsyncGenerator<string> {
  const when = new Date(madeAt).toLocaleString(language, { timeZone: 'UTC', timeZoneName: 'short' });
  yield `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'">
<title>${escapeHtml(ownDataText(language, 'title'))}</title><style>${STYLE}</style></head><body>
<h1>${escapeHtml(ownDataText(language, 'title'))}</h1><p>${escapeHtml(ownDataText(language, 'lead', { when }))}</p>\n`;
  for await (const { name, rows } of parts) {
    yield `<section id="${name}"><h2>${escapeHtml(ownDataText(language, `sections.${name as OwnDataSection}`))}</h2>\n`;
    let isEmpty = true;
    for await (const row of rows) {
      isEmpty = false;
      yield renderRow(name, row as Row, language);
    }
    yield `${isEmpty ? `<p>${escapeHtml(ownDataText(language, 'none'))}</p>` : ''}</section>\n`;
  }
  yield '</body></html>\n';
}

function renderRow(section: string, row: Row, language: Language): string {
  const facts = Object.entries(row).filter(
    ([, value]) => value !== null && value !== '' && !isEmptyList(value),
  );
  const lines = facts.map(
    ([name, value]) =>
      `<dt>${escapeHtml(labelOf(name))}</dt><dd dir="auto">${renderValue(section, name, value, language)}</dd>`,
  );
  return `<dl>${lines.join('')}</dl>\n`;
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** `askedAt` becomes `asked at`, so that labels match the names in data.json. */
const labelOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function renderValue(section: string, name: string, value: unknown, language: Language): string {
  if (typeof value === 'boolean') return ownDataText(language, value ? 'yes' : 'no');
  if (typeof value === 'string') {
    if (RICH_TEXT_FIELDS.has(`${section}.${name}`))
      return withSpaces(withDirections(value)).replaceAll('src="/media/', 'src="pictures/');
    const key = section === 'uploads' && name === 'key' ? value : keyAt(value);
    return key === undefined
      ? escapeHtml(value)
      : `<img src="pictures/${escapeHtml(key)}" alt="${escapeHtml(key)}">`;
  }
  if (Array.isArray(value))
    return value.map((item: unknown) => renderValue(section, name, item, language)).join(', ');
  if (value instanceof Date) return value.toISOString();
  return escapeHtml(JSON.stringify(value));
}
