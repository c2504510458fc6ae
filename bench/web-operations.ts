import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentNode, Kind, parse, print, separateOperations } from 'graphql';

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

/** The text of an operation exactly as the web app sends it, its fragments included. */
export function webOperation(name: string): string {
  const operation = separateOperations(webDocuments())[name];
  if (!operation) throw new Error(`the web app has no operation ${name}`);
  return print(operation);
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
