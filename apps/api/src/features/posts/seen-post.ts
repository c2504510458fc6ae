import { Field, InputType } from '@nestjs/graphql';
import { requireBodySize, type SeenPost } from '@nimo/domain';
import { cleanHtml } from '@nimo/rich-text';
import { locationIn } from '../uploads/picture-access.js';

@InputType()
export class SeenAnswer {
  @Field(() => String, { nullable: true }) readonly body?: string | null;
  @Field(() => [String], { nullable: true }) readonly imageUrls?: string[] | null;
}

@InputType()
export class SeenQuestion extends SeenAnswer {
  @Field(() => String, { nullable: true }) readonly title?: string | null;
}

/** As it is stored: what a reader got may carry the right to see pictures. */
export const seenPostOf = (seen: SeenQuestion | null | undefined): SeenPost | undefined =>
  seen
    ? {
        title: seen.title ?? undefined,
        body: seen.body == null ? undefined : cleanHtml(requireBodySize(seen.body)),
        imageUrls: seen.imageUrls?.map(locationIn),
      }
    : undefined;
