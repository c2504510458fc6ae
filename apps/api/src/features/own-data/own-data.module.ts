import { Module } from '@nestjs/common';
import { OwnDataController, OwnDataResolver } from './own-data.resolver.js';
import { OwnExports } from './own-exports.js';

@Module({ controllers: [OwnDataController], providers: [OwnDataResolver, OwnExports] })
export class OwnDataModule {}
