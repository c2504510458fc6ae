import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { WEB_DOCUMENTS } from '../../apps/api/src/generated/web-documents.js';
import { callModule } from '../../scripts/sent-document.mjs';

const web = join(import.meta.dirname, '../../apps/web/src');
const files = readdirSync(web, { recursive: true, encoding: 'utf8' });
const textOf = (name: string): string => readFileSync(join(web, name), 'utf8');
const called = files
  .filter((name) => /\.tsx?$/.test(name))
  .flatMap((name) =>
    [...textOf(name).matchAll(/from '(\.[^']*\.graphql)\?call'/g)].map(([, path = '']) =>
      join(name, '..', path),
    ),
  );

interface Call {
  readonly id: string;
  readonly isMutation: boolean;
}
const callOf = (source: string): Call =>
  JSON.parse(callModule(source).replace(/^export default |;$/g, '')) as Call;

describe('a call without the client', () => {
  it.each(called)('in %s has a registered id and is marked as a query or a mutation', (name) => {
    const text = textOf(name);
    const { id, isMutation } = callOf(text);
    expect(WEB_DOCUMENTS[id]).toMatch(isMutation ? /^mutation / : /^query /);
    expect(WEB_DOCUMENTS[id]?.split(/[ ({]/)[1]).toBe(text.trim().split(/[ ({]/)[1]);
  });

  it('must be a single operation', () => {
    for (const source of [
      'query A { a } query B { b }',
      'query A { ...F } fragment F on Query { a }',
      'fragment F on Query { a }',
    ])
      expect(() => callModule(source)).toThrow('a call is one operation');
  });
});
