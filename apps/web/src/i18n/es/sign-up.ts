import type { signUp as english } from '../en/sign-up';
import type { Translation } from '../translation';

export const signUp = {
  title: 'Crear una cuenta',
  lead: 'Te enviamos un código para comprobar que el número es tuyo.',
  getOtp: 'Pedir el código',
  otpTitle: 'Código para tu nueva cuenta',
  verifiedTitle: 'Número de móvil verificado',
  verifiedText: 'Solo falta un paso: cuéntales a los demás quién eres.',
  done: 'Listo',
  profileTitle: 'Crear tu perfil',
  profileLead: 'Así te verán los demás en todos los espacios.',
  firstName: 'Nombre',
  lastName: 'Apellidos',
  userName: 'Nombre de usuario',
  password: 'Contraseña',
  about: 'Sobre ti',
  submit: '¡Empecemos!',
  completed: '¡Registro completado!',
  createdTitle: 'Cuenta creada',
  createdText: 'Tu nombre de usuario es {{userName}}. También puedes entrar con tu número de móvil.',
  loginNow: 'Entrar ahora',
} as const satisfies Translation<typeof english, 'es'>;
