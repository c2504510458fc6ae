import { Controller, Get, Header, Param } from '@nestjs/common';
import { Public } from '../../platform/auth/access.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { drawingAt } from './built-in-drawings.js';

@Controller('avatars')
export class AvatarsController {
  @Public()
  @Get(':category/:file')
  @Header('content-type', 'image/svg+xml')
  @Header('cache-control', 'public, max-age=86400')
  drawing(@Param('category') category: string, @Param('file') file: string): string {
    const drawing = drawingAt(`/avatars/${category}/${file}`);
    if (drawing === undefined) throw new ApiError('NOT_FOUND', 'Not found.');
    return drawing;
  }
}
