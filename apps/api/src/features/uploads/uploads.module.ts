import { Module } from '@nestjs/common';
import { OtpModule } from '../otp/otp.module.js';
import { MediaController } from './media.controller.js';
import { PicturesModule } from './pictures.module.js';
import { SignedPictures } from './signed-pictures.js';
import { UploadAddresses } from './upload-addresses.js';
import { UploadAdmission } from './upload-admission.js';
import { UploadEnds } from './upload-ends.js';
import { UploadController } from './upload.controller.js';
import { UploadsResolver } from './uploads.resolver.js';

@Module({
  imports: [OtpModule, PicturesModule],
  controllers: [UploadController, MediaController],
  providers: [SignedPictures, UploadsResolver, UploadAddresses, UploadAdmission, UploadEnds],
})
export class UploadsModule {}
