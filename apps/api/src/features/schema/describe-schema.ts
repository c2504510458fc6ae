import {
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { ARGUMENT_DESCRIPTIONS, COMMON_ARGUMENT_DESCRIPTIONS } from './arguments.js';
import { COMMON_FIELD_DESCRIPTIONS, FIELD_DESCRIPTIONS } from './fields.js';
import { TYPE_DESCRIPTIONS } from './types.js';
import { VALUE_DESCRIPTIONS } from './values.js';

type Texts = Readonly<Record<string, string>>;

/** Descriptions of schema elements that have none in code. */
export interface Glossary {
  /** By type. */
  readonly types: Texts;
  /** By `Type.field`, also of inputs. */
  readonly fields: Texts;
  /** By `field: Type`, for any type. */
  readonly commonFields: Texts;
  /** By `operation(argument)`. */
  readonly arguments: Texts;
  /** By `argument: Type`, for any operation. */
  readonly commonArguments: Texts;
  /** By `Enum.VALUE`. */
  readonly values: Texts;
}

export const GLOSSARY: Glossary = {
  types: TYPE_DESCRIPTIONS,
  fields: FIELD_DESCRIPTIONS,
  commonFields: COMMON_FIELD_DESCRIPTIONS,
  arguments: ARGUMENT_DESCRIPTIONS,
  commonArguments: COMMON_ARGUMENT_DESCRIPTIONS,
  values: VALUE_DESCRIPTIONS,
};

/** Adds descriptions to elements without one, most specific entry first. Modifies and returns the given schema. */
export function describeSchema(schema: GraphQLSchema, glossary: Glossary = GLOSSARY): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    type.description ??= glossary.types[type.name];
    if (isEnumType(type)) describeValues(type, glossary);
    if (isObjectType(type) || isInterfaceType(type)) {
      describeFields(type, glossary);
      for (const field of Object.values(type.getFields())) describeArguments(field, glossary);
    }
    if (isInputObjectType(type)) describeFields(type, glossary);
  }
  return schema;
}

function describeValues(type: GraphQLEnumType, { values }: Glossary): void {
  for (const value of type.getValues()) value.description ??= values[`${type.name}.${value.name}`];
}

function describeFields(
  type: GraphQLObjectType | GraphQLInterfaceType | GraphQLInputObjectType,
  { fields, commonFields }: Glossary,
): void {
  const described: readonly (GraphQLField<unknown, unknown> | GraphQLInputField)[] = Object.values(
    type.getFields(),
  );
  for (const field of described)
    field.description ??=
      fields[`${type.name}.${field.name}`] ?? commonFields[`${field.name}: ${String(field.type)}`];
}

function describeArguments(field: GraphQLField<unknown, unknown>, glossary: Glossary): void {
  for (const argument of field.args)
    argument.description ??=
      glossary.arguments[`${field.name}(${argument.name})`] ??
      glossary.commonArguments[`${argument.name}: ${String(argument.type)}`];
}
