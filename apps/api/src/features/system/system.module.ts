import { Module } from '@nestjs/common';
import { HealthController } from './health-checks.js';
import { OperationsModule } from './operations.module.js';
import { OutboxController } from './outbox.controller.js';

@Module({ imports: [OperationsModule.for('api')], controllers: [HealthController, OutboxController] })
export class SystemModule {}
