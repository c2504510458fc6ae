import {
  extendSchema,
  type GraphQLObjectType,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  parse,
} from 'graphql';

/** Interfaces for clients that handle many types with the same code. */
const INTERFACES = `
  """An object with an identifier that clients can cache it by."""
  interface Node {
    "Stable identifier."
    _id: ID!
  }

  """A question or answer, current or at an earlier point in time."""
  interface Post {
    "Stable identifier."
    _id: ID!
    "Who wrote it. “Deleted student” once the account is erased."
    author: Author!
    "Sanitised HTML."
    body: String!
    "Number of comments, without removed ones."
    commentsCount: Int!
    "When it was created."
    createdAt: DateTime!
    "Number of downvotes that count."
    downvoteCount: Int!
    "When it was last edited; null if never."
    editedAt: DateTime
    "URLs of the attached images, at most 10."
    imageUrls: [String!]!
    "Title of the question."
    title: String!
    "Number of upvotes that count."
    upvoteCount: Int!
  }

  """One page of a list of known length."""
  interface CountedPage {
    "Number of this page, counted from 1."
    page: Int!
    "Number of items on all pages."
    total: Int!
    "Number of pages; 0 for an empty list."
    totalPages: Int!
  }`;

const NAMES = ['Node', 'Post', 'CountedPage'];

/** Adds the interfaces: a type implements each one whose fields it has. */
export function withInterfaces(schema: GraphQLSchema): GraphQLSchema {
  const known = extendSchema(schema, parse(INTERFACES), { assumeValid: true });
  const extensions = Object.values(known.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => {
      const implemented = NAMES.filter((name) => hasFieldsOf(known, type, name));
      return implemented.length > 0 ? [`extend type ${type.name} implements ${implemented.join(' & ')}`] : [];
    });
  return extendSchema(known, parse(extensions.join('\n')), { assumeValid: true });
}

function hasFieldsOf(schema: GraphQLSchema, type: GraphQLObjectType, interfaceName: string): boolean {
  const interfaceType = schema.getType(interfaceName);
  if (!isInterfaceType(interfaceType)) return false;
  const fields = type.getFields();
  return Object.values(interfaceType.getFields()).every(
    ({ name, type: fieldType }) => String(fields[name]?.type) === String(fieldType),
  );
}

/** Reason of a `@deprecated` field. @param instead what to use instead @param until earliest removal, YYYY-MM-DD */
export const deprecated = (since: string, until: string, instead: string): string =>
  `Deprecated since ${since}. Will not be removed before ${until}. ${instead}`;

/** Options of an element under its old name, kept next to the new one. */
export const oldNameOf = (name: string) => ({
  description: `Old name of \`${name}\`.`,
  deprecationReason: deprecated('2026-11-28', '2027-11-28', `Use \`${name}\`.`),
});
