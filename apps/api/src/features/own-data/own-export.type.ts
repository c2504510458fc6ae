import { Field, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { OwnExportState, OwnExportStatus } from './own-exports.js';

const OwnExportStatusEnum: { readonly [S in OwnExportStatus]: S } = {
  WAITING: 'WAITING',
  WORKING: 'WORKING',
  READY: 'READY',
  FAILED: 'FAILED',
};
registerEnumType(OwnExportStatusEnum, { name: 'OwnExportStatus' });

@ObjectType({
  description: "A copy of all of the caller's data, which /own-data/export.zip answers once it is READY.",
})
export class OwnExport {
  @Field(() => OwnExportStatusEnum) readonly status!: OwnExportStatus;
  @Field(() => Int) readonly percent!: number;
  @Field(() => String) readonly askedAt!: string;
  @Field(() => String, { nullable: true, description: 'Until when it can be downloaded.' })
  readonly expiresAt!: string | null;
  @Field(() => Int, { nullable: true, description: 'Kilobytes, rounded up.' }) readonly kilobytes!:
    | number
    | null;
}

export const ownExportOf = ({ status, percent, askedAt, expiresAt, bytes }: OwnExportState): OwnExport => ({
  status,
  percent,
  askedAt: askedAt.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
  kilobytes: bytes === null ? null : Math.ceil(bytes / 1024),
});
