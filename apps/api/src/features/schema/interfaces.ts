import {
  extendSchema,
  type GraphQLObjectType,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  parse,
} from 'graphql';

/** What types have in common, for clients that read many of them by one piece of code. Each field is described where its types are. */
const INTERFACES = `
  """Whatever has an identifier of its own, by which a client can keep it."""
  interface Node {
    "Stable identifier."
    _id: ID!
  }

  """A question or an answer, as it is or as it was."""
  interface Post {
    "Stable identifier."
    _id: ID!
    "Who wrote it. “Deleted student” once the account is erased."
    author: Author!
    "Sanitised HTML."
    body: String!
    "Number of comments that are not removed."
    commentsCount: Int!
    "When it was created."
    createdAt: DateTime!
    "Downvotes that count."
    downvoteCount: Int!
    "When it was last edited; null if never."
    editedAt: DateTime
    "Addresses of the attached images, at most 10."
    imageUrls: [String!]!
    "Its title; of an answer that of the question."
    title: String!
    "Upvotes that count."
    upvoteCount: Int!
  }

  """One page of a list whose length is known."""
  interface CountedPage {
    "Number of this page, counted from 1."
    page: Int!
    "Number of all that the list has, on all pages."
    total: Int!
    "Number of pages; 0 of an empty list."
    totalPages: Int!
  }`;

const NAMES = ['Node', 'Post', 'CountedPage'];

/** The schema with its interfaces: a type has each of them whose fields it has. */
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
  const wanted = schema.getType(interfaceName);
  if (!isInterfaceType(wanted)) return false;
  const fields = type.getFields();
  return Object.values(wanted.getFields()).every(
    ({ name, type: fieldType }) => String(fields[name]?.type) === String(fieldType),
  );
}

/** Why a field is to go, since when, and until when it stays at least: what is better stands beside it. */
export const deprecated = (since: string, until: string, instead: string): string =>
  `Since ${since}, stays until ${until} at least. ${instead}`;
