import { Module } from '@nestjs/common';
import { LiveModule } from '../live/live.module.js';
import { PatternsModule } from '../patterns/patterns.module.js';
import { SpacesModule } from '../spaces/spaces.module.js';
import { LastSeenTimes } from './notification-view.js';
import { NotificationUpdates } from './notification-updates.js';
import { NotificationsResolver } from './notifications.resolver.js';

@Module({
  imports: [LiveModule, PatternsModule, SpacesModule],
  providers: [NotificationsResolver, NotificationUpdates, LastSeenTimes],
})
export class NotificationsModule {}
