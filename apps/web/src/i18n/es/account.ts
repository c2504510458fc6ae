import type { account as english } from '../en/account';
import type { Translation } from '../translation';

export const account = {
  email: 'Correo electrónico',
  userName: 'Nombre de usuario',
  password: 'Contraseña',
  emailInvalid: 'Introduce un correo electrónico válido.',
  register: {
    title: 'Registro',
    lead: 'Con tu correo electrónico. Te enviamos un enlace para confirmarlo.',
    submit: 'Registrarse',
    success: 'Te has registrado correctamente',
    sent: 'Hemos enviado un enlace a {{email}}. Síguelo para confirmar tu correo y después inicia sesión.',
    hasAccount: '¿Ya tienes una cuenta?',
    login: 'Iniciar sesión',
  },
  confirm: {
    title: 'Confirma tu correo',
    lead: 'Falta un paso para poder iniciar sesión.',
    submit: 'Confirmar correo',
    otherUserName: 'Mientras tanto alguien tomó ese nombre. Elige otro.',
    password: 'La contraseña con la que entrarás. Solo cuenta aquí, donde se comprueba que el buzón es tuyo.',
    done: 'Tu correo está confirmado.',
    doneText: 'Inicia sesión con el nombre de usuario {{userName}} o con tu correo.',
    login: 'Iniciar sesión ahora',
    again: 'Registrarse de nuevo',
  },
  forgot: {
    title: 'Restablecer contraseña',
    lead: 'Introduce el correo de tu cuenta. Te enviamos un enlace para crear una contraseña nueva.',
    submit: 'Restablecer contraseña',
    sent: 'Hemos enviado el enlace a tu buzón, míralo primero ahí',
    remembered: '¿La recuerdas?',
    byEmail: 'Restablecerla por correo',
  },
  reset: {
    title: 'Crear una contraseña nueva',
    lead: 'Sustituye a la anterior, y se cierra la sesión de quien entró con ella.',
    submit: 'Guardar contraseña',
    done: '¡Contraseña cambiada!',
    again: 'Pedir otro enlace',
  },
  social: {
    phone: 'o con tu correo',
    cancelled: 'Se canceló el inicio de sesión.',
    failed: 'No se pudo iniciar sesión. Inténtalo de nuevo.',
    expired: 'Ha tardado demasiado. Inicia sesión de nuevo.',
    emailRequired: 'Esa cuenta no tiene un correo confirmado. Regístrate con tu número de móvil o tu correo.',
    createdText: 'Un paso más con tu proveedor y habrás iniciado sesión.',
  },
} as const satisfies Translation<typeof english, 'es'>;
