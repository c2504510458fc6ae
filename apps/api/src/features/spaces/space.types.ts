import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { AgeBand, SpaceEntry } from '@nimo/domain';
import { ActResult } from '../acts/own-acts.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';

@ObjectType()
export class Subject {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly subjectName!: string;
  @Field(() => String, { description: 'Hex without #.' }) readonly color!: string;
}

const SpaceEntryEnum = {
  OPEN: 'OPEN',
  REQUEST: 'REQUEST',
  INVITATION: 'INVITATION',
  IMPORTING: 'IMPORTING',
} as const satisfies {
  readonly [E in SpaceEntry]: E;
};
registerEnumType(SpaceEntryEnum, {
  name: 'SpaceEntry',
  description: 'Of all but OPEN spaces, everything but name, description and colour is for members.',
});

export const AgeBandEnum = { BELOW: 'BELOW', FROM: 'FROM' } as const satisfies {
  readonly [B in AgeBand]: B;
};
registerEnumType(AgeBandEnum, {
  name: 'AgeBand',
  description: 'Against the age that a space asks about.',
  valuesMap: { BELOW: { description: 'Younger.' }, FROM: { description: 'That age or older.' } },
});

export type GuardianConsentState = 'ASKED' | 'GIVEN' | 'REFUSED';
export const GuardianConsentStateEnum = {
  ASKED: 'ASKED',
  GIVEN: 'GIVEN',
  REFUSED: 'REFUSED',
} as const satisfies { readonly [S in GuardianConsentState]: S };
registerEnumType(GuardianConsentStateEnum, {
  name: 'GuardianConsentState',
  description: 'How a guardian’s consent stands.',
  valuesMap: {
    ASKED: { description: 'There is no answer yet.' },
    GIVEN: { description: 'The student may join, and stay.' },
    REFUSED: { description: 'Refused, or taken back.' },
  },
});

type EntryRequestState = 'OPEN' | 'REFUSED';
const EntryRequestStateEnum = { OPEN: 'OPEN', REFUSED: 'REFUSED' } as const satisfies {
  readonly [S in EntryRequestState]: S;
};
registerEnumType(EntryRequestStateEnum, { name: 'EntryRequestState' });

@ObjectType({ description: 'What a space asks about age before one joins.' })
class SpaceConsent {
  @Field(() => Int, { description: 'Whoever is younger joins with a guardian’s consent, in years.' })
  readonly age!: number;
  @Field(() => AgeBandEnum, {
    nullable: true,
    description:
      'What the caller said; null where that does not answer `age`, and beside questions and scores.',
  })
  readonly stated!: AgeBand | null;
  @Field(() => GuardianConsentStateEnum, {
    nullable: true,
    description: 'Of the caller’s guardian; null: nobody was asked, and beside questions and scores.',
  })
  readonly guardian!: GuardianConsentState | null;
}

@ObjectType()
export class Space {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly name!: string;
  @Field(() => String) readonly description!: string;
  @Field(() => String) readonly scope!: string;
  @Field(() => String, { nullable: true }) readonly bannerImageUrl!: string | null;
  @Field(() => String, { description: 'Hex without #.' }) readonly color!: string;
  @Field(() => Boolean, { description: 'The caller is a member.' }) readonly joined!: boolean;
  @Field(() => Int, {
    nullable: true,
    description: 'Null of a space that is not open, to others than its members.',
  })
  readonly memberCount!: number | null;
  @Field(() => SpaceEntryEnum, { description: 'How one becomes a member.' }) readonly entry!: SpaceEntry;
  @Field(() => EntryRequestStateEnum, {
    nullable: true,
    description: 'The caller’s own request to join, while it is open or the answer was no.',
  })
  readonly request!: EntryRequestState | null;
  @Field(() => Boolean, { description: 'Staff invited the caller, who may join.' })
  readonly isInvited!: boolean;
  @Field(() => String, { nullable: true, description: 'What the caller was told with a refusal.' })
  readonly requestReason!: string | null;
  @Field(() => SpaceConsent, {
    nullable: true,
    description: 'Null: the space asks nobody how old they are.',
  })
  readonly consent!: SpaceConsent | null;
}

const PUBLIC_PAGES = {
  description: 'Questions can be read without an account, by whoever has the link. Of open spaces only.',
} as const;
const CONSENT_AGE = {
  nullable: true,
  description: 'Whoever is younger joins with a guardian’s consent, in years; null: nobody is asked.',
} as const;
const HEX = { description: 'Hex without #.' } as const;

@ObjectType({ description: 'A space as maintainers see it.' })
export class ManagedSpace {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly name!: string;
  @Field(() => String) readonly description!: string;
  @Field(() => String, { nullable: true }) readonly bannerImageUrl!: string | null;
  @Field(() => String, HEX) readonly color!: string;
  @Field(() => Boolean) readonly hiddenFromSearchEngines!: boolean;
  @Field(() => SpaceEntryEnum) readonly entry!: SpaceEntry;
  @Field(() => Boolean, PUBLIC_PAGES) readonly publicPages!: boolean;
  @Field(() => Int, CONSENT_AGE) readonly consentAge!: number | null;
  @Field(() => DateTimeScalar) readonly createdAt!: string;
  @Field(() => Int) readonly memberCount!: number;
  @Field(() => Int) readonly subjectCount!: number;
  @Field(() => Int) readonly topicCount!: number;
}

@ObjectType()
export class ManagedSubject {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly subjectName!: string;
  @Field(() => String, HEX) readonly color!: string;
  @Field(() => Int) readonly topicCount!: number;
}

@ObjectType()
export class SavedSpaceResult extends ActResult {
  @Field(() => ManagedSpace) readonly space!: ManagedSpace;
}

@ObjectType()
export class SavedSubjectResult extends ActResult {
  @Field(() => ManagedSubject) readonly subject!: ManagedSubject;
}

@InputType()
export class NewSpace {
  @Field(() => String) readonly name!: string;
  @Field(() => String, { nullable: true }) readonly description?: string | null;
  @Field(() => String, { nullable: true, description: 'An upload of the caller.' })
  readonly bannerImageUrl?: string | null;
  @Field(() => String, HEX) readonly color!: string;
  @Field(() => Boolean, { nullable: true }) readonly hiddenFromSearchEngines?: boolean | null;
  @Field(() => SpaceEntryEnum, { nullable: true }) readonly entry?: SpaceEntry | null;
  @Field(() => Boolean, { nullable: true, ...PUBLIC_PAGES }) readonly publicPages?: boolean | null;
  @Field(() => Int, CONSENT_AGE) readonly consentAge?: number | null;
}

@InputType({
  description:
    'What is left out stays; a banner that is null is taken off, and an age that is null is not asked any more.',
})
export class SpaceChange {
  @Field(() => String, { nullable: true }) readonly name?: string | null;
  @Field(() => String, { nullable: true }) readonly description?: string | null;
  @Field(() => String, { nullable: true }) readonly bannerImageUrl?: string | null;
  @Field(() => String, { nullable: true, ...HEX }) readonly color?: string | null;
  @Field(() => Boolean, { nullable: true }) readonly hiddenFromSearchEngines?: boolean | null;
  @Field(() => SpaceEntryEnum, { nullable: true }) readonly entry?: SpaceEntry | null;
  @Field(() => Boolean, { nullable: true, ...PUBLIC_PAGES }) readonly publicPages?: boolean | null;
  @Field(() => Int, CONSENT_AGE) readonly consentAge?: number | null;
}

@InputType({ description: 'What is left out stays.' })
export class SubjectChange {
  @Field(() => String, { nullable: true }) readonly subjectName?: string | null;
  @Field(() => String, { nullable: true, ...HEX }) readonly color?: string | null;
}
