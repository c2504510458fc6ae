import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentNode, Kind, parse, print, separateOperations } from 'graphql';
import { documentIds } from '../apps/web/src/generated/document-ids.js';

const WEB = join(import.meta.dirname, '../apps/web/src');

/** The single question screen asks for these three at once; one request here, so that one answer is one page. */
const QUESTION_PAGE = `
  query QuestionPage($questionId: ID!) {
    getQuestionByIdWithUserAuthorization(questionId: $questionId, userType: "student") { ...QuestionDetail }
    getPaginatedAnswers(questions: [$questionId], paginateOptions: { page: 1, limit: 100 }) {
      docs { ...AnswerDetail } page totalPages
    }
    getPaginatedQuestionComments(question: $questionId, paginateOptions: { page: 1, limit: 10 }) {
      docs { ...CommentDetail } page totalPages
    }
  }`;

/** What a request says of its document. */
export type Said =
  | { readonly query: string }
  | { readonly operationName: string; readonly extensions: { readonly persistedQuery: object } };

/** An operation exactly as the web app asks for it, by its id; that of the bench itself goes by its text. */
export function webOperation(name: string): Said {
  const id = documentIds[name];
  if (id !== undefined)
    return { operationName: name, extensions: { persistedQuery: { version: 1, sha256Hash: id } } };
  const operation = separateOperations(webDocuments())[name];
  if (!operation) throw new Error(`the web app has no operation ${name}`);
  return { query: print(operation) };
}

let documents: DocumentNode | undefined;

function webDocuments(): DocumentNode {
  if (documents) return documents;
  const texts = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.graphql'))
    .map((path) => readFileSync(join(WEB, path), 'utf8'));
  documents = {
    kind: Kind.DOCUMENT,
    definitions: [...texts, QUESTION_PAGE].flatMap((text) => parse(text).definitions),
  };
  return documents;
}
