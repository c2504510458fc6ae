import type { recovery as english } from '../en/recovery';
import type { Translation } from '../translation';

export const recovery = {
  factorCode: 'Código de tu segundo factor',
  factorCodeHint: 'Seis cifras de tu app o un código de recuperación.',
  title: 'Contraseña olvidada',
  lead: 'Escribe el número de móvil de tu cuenta.',
  sendCode: 'Pedir el código',
  otpTitle: 'Verificar el código',
  codeSent: 'Hemos enviado un código al +91\u00a0{{phone}}.',
  invalidOtp: 'Código no válido. Escribe un código válido.',
  newTitle: 'Nueva contraseña',
  codeAccepted: 'El código es correcto. Elige una contraseña nueva.',
  newPassword: 'Contraseña nueva',
  confirmPassword: 'Repite la contraseña',
  passwordRequired: 'Escribe una contraseña',
  confirmRequired: 'Repite tu contraseña',
  mismatch: 'Las contraseñas no coinciden',
  submit: 'Guardar la contraseña',
  failed: '¡Algo ha salido mal! Inténtalo de nuevo dentro de 10 minutos.',
  changedTitle: 'Contraseña cambiada',
  changedText: 'Ya puedes entrar con la contraseña nueva.',
  loginNow: 'Entrar ahora',
} as const satisfies Translation<typeof english, 'es'>;
