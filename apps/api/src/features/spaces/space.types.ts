import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { AgeBand, SpaceEntry } from '@nimo/domain';
import { StaffActionResult } from '../staff-actions/own-staff-actions.js';
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
  description: 'Unless a space is OPEN, only its name, description and color are visible to non-members.',
});

export const AgeBandEnum = { BELOW: 'BELOW', FROM: 'FROM' } as const satisfies {
  readonly [B in AgeBand]: B;
};
registerEnumType(AgeBandEnum, {
  name: 'AgeBand',
  description: 'Relative to the age below which a space requires a guardian’s consent.',
  valuesMap: { BELOW: { description: 'Younger.' }, FROM: { description: 'This age or older.' } },
});

export type GuardianConsentState = 'ASKED' | 'GIVEN' | 'REFUSED';
export const GuardianConsentStateEnum = {
  ASKED: 'ASKED',
  GIVEN: 'GIVEN',
  REFUSED: 'REFUSED',
} as const satisfies { readonly [S in GuardianConsentState]: S };
registerEnumType(GuardianConsentStateEnum, {
  name: 'GuardianConsentState',
  description: 'State of a guardian’s consent.',
  valuesMap: {
    ASKED: { description: 'No answer yet.' },
    GIVEN: { description: 'The student may join and stay.' },
    REFUSED: { description: 'Refused or withdrawn.' },
  },
});

type EntryRequestState = 'OPEN' | 'REFUSED';
const EntryRequestStateEnum = { OPEN: 'OPEN', REFUSED: 'REFUSED' } as const satisfies {
  readonly [S in EntryRequestState]: S;
};
registerEnumType(EntryRequestStateEnum, { name: 'EntryRequestState' });

@ObjectType({ description: 'The age check before joining a space.' })
class SpaceConsent {
  @Field(() => Int, { description: 'Younger students need a guardian’s consent, in years.' })
  readonly age!: number;
  @Field(() => AgeBandEnum, {
    nullable: true,
    description:
      "The caller's answer; null if it does not cover `age`, and on spaces of questions and scores.",
  })
  readonly stated!: AgeBand | null;
  @Field(() => GuardianConsentStateEnum, {
    nullable: true,
    description:
      "Consent of the caller's guardian; null if nobody was asked, and on spaces of questions and scores.",
  })
  readonly guardian!: GuardianConsentState | null;
}

const ARCHIVED = {
  description:
    'Whether it is read-only. Only members see it, nobody can join, and `entry` is INVITATION meanwhile.',
} as const;

@ObjectType()
export class Space {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly name!: string;
  @Field(() => String) readonly description!: string;
  @Field(() => String) readonly scope!: string;
  @Field(() => String, { nullable: true }) readonly bannerImageUrl!: string | null;
  @Field(() => String, { description: 'Hex without #.' }) readonly color!: string;
  @Field(() => Boolean, { description: 'Whether the caller is a member.' }) readonly joined!: boolean;
  @Field(() => Int, {
    nullable: true,
    description: 'Null for non-members unless the space is open.',
  })
  readonly memberCount!: number | null;
  @Field(() => SpaceEntryEnum, { description: 'How students become members.' }) readonly entry!: SpaceEntry;
  @Field(() => Boolean, ARCHIVED) readonly isArchived!: boolean;
  @Field(() => EntryRequestStateEnum, {
    nullable: true,
    description: "The caller's request to join, while open or after a refusal.",
  })
  readonly request!: EntryRequestState | null;
  @Field(() => Boolean, { description: 'Whether staff invited the caller to join.' })
  readonly isInvited!: boolean;
  @Field(() => String, { nullable: true, description: 'The reason given with a refusal.' })
  readonly requestReason!: string | null;
  @Field(() => SpaceConsent, {
    nullable: true,
    description: 'Null if the space has no age check.',
  })
  readonly consent!: SpaceConsent | null;
}

const PUBLIC_PAGES = {
  description: 'Whether anyone with the link can read questions without an account. Open spaces only.',
} as const;
const CONSENT_AGE = {
  nullable: true,
  description: 'Younger students need a guardian’s consent, in years; null for no age check.',
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
  @Field(() => Boolean, ARCHIVED) readonly isArchived!: boolean;
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
export class SavedSpaceResult extends StaffActionResult {
  @Field(() => ManagedSpace) readonly space!: ManagedSpace;
}

@ObjectType()
export class DeletedSpaceResult extends StaffActionResult {
  @Field(() => ID) readonly _id!: string;
}

@ObjectType()
export class SavedSubjectResult extends StaffActionResult {
  @Field(() => ManagedSubject) readonly subject!: ManagedSubject;
}

@InputType()
export class NewSpace {
  @Field(() => String) readonly name!: string;
  @Field(() => String, { nullable: true }) readonly description?: string | null;
  @Field(() => String, { nullable: true, description: "One of the caller's uploads." })
  readonly bannerImageUrl?: string | null;
  @Field(() => String, HEX) readonly color!: string;
  @Field(() => Boolean, { nullable: true }) readonly hiddenFromSearchEngines?: boolean | null;
  @Field(() => SpaceEntryEnum, { nullable: true }) readonly entry?: SpaceEntry | null;
  @Field(() => Boolean, { nullable: true, ...PUBLIC_PAGES }) readonly publicPages?: boolean | null;
  @Field(() => Int, CONSENT_AGE) readonly consentAge?: number | null;
}

@InputType({
  description: 'Omitted fields stay unchanged; a null banner is removed, and a null age ends the age check.',
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

@InputType({ description: 'Omitted fields stay unchanged.' })
export class SubjectChange {
  @Field(() => String, { nullable: true }) readonly subjectName?: string | null;
  @Field(() => String, { nullable: true, ...HEX }) readonly color?: string | null;
}
