import { Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { OutboxController } from './outbox.controller.js';

@Module({ controllers: [HealthController, OutboxController] })
export class SystemModule {}
