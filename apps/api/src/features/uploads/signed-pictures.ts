import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import type { SpaceEntry } from '@nimo/domain';
import { type GraphQLSchema, isObjectType } from 'graphql';
import { PictureAccess } from './picture-access.js';

interface PictureHolder {
  readonly imageUrls: readonly string[];
  /** Where a view does not say, its pictures are signed: as of the past. */
  readonly hasPrivatePictures?: boolean;
}

interface BodyHolder extends PictureHolder {
  readonly body: string;
}

interface BannerHolder {
  readonly entry: SpaceEntry;
  readonly bannerImageUrl: string | null;
}

/**
 * Every answer gives pictures that are not for everybody with addresses that are signed: told to the schema once, for whatever answers with such a
 * type. Plain functions, as a resolver of Nest would make every list wait.
 */
@Injectable()
export class SignedPictures implements OnApplicationBootstrap {
  constructor(
    private readonly modules: ModuleRef,
    private readonly access: PictureAccess,
  ) {}

  onApplicationBootstrap(): void {
    const { schema } = this.modules.get(GraphQLSchemaHost, { strict: false });
    for (const type of ['Question', 'Answer', 'AnswerAsOf']) {
      resolve<PictureHolder>(schema, type, 'imageUrls', ({ imageUrls, hasPrivatePictures = true }) =>
        hasPrivatePictures ? imageUrls.map((url) => this.access.forReader(url)) : imageUrls,
      );
      resolve<BodyHolder>(schema, type, 'body', ({ body, hasPrivatePictures = true }) =>
        hasPrivatePictures ? this.access.inBody(body, 'reader') : body,
      );
    }
    for (const type of ['Space', 'ManagedSpace'])
      resolve<BannerHolder>(schema, type, 'bannerImageUrl', ({ entry, bannerImageUrl }) =>
        bannerImageUrl === null || entry === 'OPEN' ? bannerImageUrl : this.access.forReader(bannerImageUrl),
      );
  }
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what is read of which type
function resolve<Holder>(
  schema: GraphQLSchema,
  typeName: string,
  fieldName: string,
  read: (holder: Holder) => unknown,
): void {
  const type = schema.getType(typeName);
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
  if (!field) throw new Error(`the schema has no ${typeName}.${fieldName}`);
  field.resolve = (holder: Holder) => read(holder);
}
