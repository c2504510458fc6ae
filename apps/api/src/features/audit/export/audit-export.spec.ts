import { describe, expect, it } from '@jest/globals';
import { csvLine } from './audit-export.js';

describe('csvLine', () => {
  it('follows RFC 4180', () => {
    expect(csvLine(['plain', 'a,b', 'say "so"', 'two\r\nlines', 'two\nlines', '', null, true, 7])).toBe(
      'plain,"a,b","say ""so""","two\r\nlines","two\nlines",,,true,7\r\n',
    );
  });

  it('escapes formulas in text but leaves numbers alone', () => {
    expect(csvLine(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', 'a=1', -50])).toBe(
      `'=1+1,'+1,'-1,'@SUM(A1),'\tx,"'\rx",a=1,-50\r\n`,
    );
    expect(csvLine(['=HYPERLINK("x")'])).toBe(`"'=HYPERLINK(""x"")"\r\n`);
  });
});
