import { GraphQLError, Lexer, Source, TokenKind } from 'graphql';
import { QUERY_LIMITS, tooDeep, tooLong } from './query-limits.rule.js';

const OPENING: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Looks at the words of a document before it is parsed and validated, which takes as long as the square of its length; and at its lines,
 * as each error of a document counts them anew.
 *
 * @returns why it is not to be read; undefined also for what is no document at all, which the parser tells
 */
export function problemOfDocument(source: string): GraphQLError | undefined {
  if (hasTooManyLines(source)) return tooLong('lines');
  const lexer = new Lexer(new Source(source));
  let [depth, tokens] = [0, 0];
  try {
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
      tokens += 1;
      if (tokens > QUERY_LIMITS.tokens) return tooLong('tokens');
      if (CLOSING.has(token.kind)) depth -= 1;
      if (!OPENING.has(token.kind)) continue;
      depth += 1;
      if (depth > QUERY_LIMITS.nesting) return tooDeep('nesting');
    }
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
  return undefined;
}

function hasTooManyLines(source: string): boolean {
  let lines = 0;
  for (const end of ['\n', '\r']) {
    for (let at = source.indexOf(end); at !== -1; at = source.indexOf(end, at + 1)) {
      lines += 1;
      if (lines > QUERY_LIMITS.lines) return true;
    }
  }
  return false;
}
