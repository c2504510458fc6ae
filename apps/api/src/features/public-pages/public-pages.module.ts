import { Module } from '@nestjs/common';
import { PublicPages } from './public-pages.js';
import { SearchEnginesController } from './search-engines.controller.js';

@Module({ controllers: [SearchEnginesController], providers: [PublicPages], exports: [PublicPages] })
export class PublicPagesModule {}
