import { describe, expect, it } from '@jest/globals';
import { parse, type OperationDefinitionNode } from 'graphql';
import { operationLabel } from './plugins.js';

const labelOf = (document: string): string =>
  operationLabel(parse(document).definitions[0] as OperationDefinitionNode);

describe('the operation label', () => {
  it.each([
    ['query Any_Name_At_All { getSpaces { _id } }', 'getSpaces'],
    ['query { mine: getStudent { _id } }', 'getStudent'],
    ['mutation X($id: ID!) { upvoteQuestion(questionId: $id) { _id } }', 'upvoteQuestion'],
    ['{ getSpaces { _id } getAvatars { _id } }', 'several'],
    ['query { ...F } fragment F on Query { getSpaces { _id } }', 'several'],
    ['{ __schema { types { name } } }', 'introspection'],
  ])('of %s is %s, whatever the client names it', (document, label) => {
    expect(labelOf(document)).toBe(label);
  });

  it('is invalid for requests that cannot be parsed', () => {
    expect(operationLabel(undefined)).toBe('invalid');
  });
});
