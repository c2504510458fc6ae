import { Field, ID, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { ContactKind } from '@nimo/domain';

export type ContactKindName = 'PHONE' | 'EMAIL';
export const ContactKindEnum: { readonly [K in ContactKindName]: K } = { PHONE: 'PHONE', EMAIL: 'EMAIL' };
registerEnumType(ContactKindEnum, { name: 'ContactKind' });

export const kindOf = (name: ContactKindName): ContactKind => (name === 'PHONE' ? 'phone' : 'email');

@ObjectType({ description: 'Two codes are on their way.' })
export class StartedContactChange {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String, { description: 'The new contact, abridged.' }) readonly sentTo!: string;
  @Field(() => String, {
    nullable: true,
    description: "The account's own contact that got a code, abridged; null where it has none.",
  })
  readonly ownSentTo!: string | null;
  @Field(() => String) readonly expiresAt!: string;
}
