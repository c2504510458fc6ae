import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import 'reflect-metadata';
import { DataSource, type EntityMetadata } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../test/postgres.js';
import { readModelEntities } from './entities.js';
import { projections } from './registry.js';
import { type TableShape, tableShapes } from '@nimo/projection-engine';

let database: TestDatabase;
let source: DataSource;
beforeAll(async () => {
  database = await createTestDatabase();
  source = new DataSource({
    type: 'postgres',
    url: database.url,
    entities: readModelEntities,
    synchronize: false,
  });
  await source.initialize();
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

const shapes = new Map(projections.flatMap(tableShapes).map((shape) => [shape.name, shape]));

const described = ({ columns }: EntityMetadata) =>
  columns.map(({ databaseName, type, isArray, isNullable, isPrimary }) => ({
    name: databaseName,
    type: `${String(type)}${isArray ? '[]' : ''}`,
    nullable: isNullable,
    key: isPrimary,
  }));

const expected = ({ columns, key }: TableShape) =>
  Object.entries(columns).map(([name, { type, nullable = false }]) => ({
    name,
    type,
    nullable,
    key: key.includes(name),
  }));

describe('entities', () => {
  it.each(readModelEntities.map((entity) => [entity.name, entity] as const))(
    '%s has the columns of its table',
    (_, entity) => {
      const metadata = source.getMetadata(entity);
      const shape = shapes.get(metadata.tableName);
      if (!shape) throw new Error(`no projection has a table ${metadata.tableName}`);
      expect(metadata.schema).toBe('read');
      expect(metadata.synchronize).toBe(false);
      expect(described(metadata)).toEqual(expected(shape));
    },
  );
});
