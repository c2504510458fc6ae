import { Module } from '@nestjs/common';
import { OwnStaffActions } from './own-staff-actions.js';

@Module({ providers: [OwnStaffActions], exports: [OwnStaffActions] })
export class StaffActionsModule {}
