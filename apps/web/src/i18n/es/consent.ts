import type { consent as english } from '../en/consent';
import type { Translation } from '../translation';

export const consent = {
  age: {
    title: '¿Cuántos años tienes?',
    text: 'Quien tiene menos de {{age}} años se une a {{name}} con el consentimiento de su padre, madre o tutor. Solo los moderadores del espacio ven tu respuesta.',
    below: 'Menos de {{age}}',
    from: '{{age}} o más',
    asksMembers: '{{name}} pregunta ahora la edad de sus miembros.',
    answer: 'Responder',
  },
  ask: {
    title: 'Pide permiso a tu padre, madre o tutor',
    text: 'Te unirás a {{name}} cuando tu padre, madre o tutor acepte. Escribe su correo: recibirá un enlace y no necesita cuenta.',
    asked: 'Enviamos el enlace. Es válido durante 14 días. Podrás unirte en cuanto acepte.',
    refused:
      'Tu padre, madre o tutor dijo que no, o retiró su consentimiento. Habla con esa persona antes de volver a pedirlo.',
    email: 'Correo del padre, madre o tutor',
    send: 'Enviar enlace',
    sendAgain: 'Enviar otro enlace',
    sent: 'Enlace enviado.',
    close: 'Cerrar',
  },
  waiting: 'Esperando el consentimiento',
  given: 'Tu padre, madre o tutor aceptó. Ya puedes unirte a {{name}}.',
  page: {
    title: 'Consentimiento del padre, madre o tutor',
    lead: 'Un estudiante te lo pide.',
    givenTitle: 'Consentimiento dado',
    refusedTitle: 'Consentimiento denegado',
    answered: 'Ya respondiste a esta solicitud.',
    missing: 'Para responder o cambiar tu respuesta, abre otra vez el enlace del correo.',
    question:
      '{{userName}} quiere unirse a «{{name}}» en Nimo, una comunidad en la que los estudiantes preguntan y responden. Dice que tiene menos de {{age}} años y que eres su padre, madre o tutor.',
    about: 'Sobre el espacio: {{description}}',
    kept: 'Nimo anota que alguien con este enlace aceptó o no, y cuándo. Tu correo se borra con tu respuesta.',
    terms: 'Lee las <terms>condiciones de uso</terms> que valen para el estudiante.',
    agree: 'Acepto',
    refuse: 'No acepto',
    given: 'Aceptaste. {{userName}} puede unirse a «{{name}}».',
    keep: 'Guarda el correo: con el mismo enlace puedes retirar tu consentimiento cuando quieras. Entonces {{userName}} sale del espacio.',
    takeBack: 'Retirar mi consentimiento',
    refused: 'No aceptaste. {{userName}} no puede unirse a «{{name}}».',
    toNimo: '¿Qué es Nimo?',
  },
} as const satisfies Translation<typeof english, 'es'>;
