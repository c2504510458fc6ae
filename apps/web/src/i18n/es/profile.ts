import type { profile as english } from '../en/profile';
import type { Translation } from '../translation';

export const profile = {
  title: 'Mi perfil',
  reputations: 'Reputación',
  commitments: 'Compromiso',
  tabs: { saved: 'Preguntas guardadas' },
  saved: {
    emptyTitle: 'Todavía no has guardado nada',
    emptyText: 'Guarda una pregunta para volver a encontrarla aquí.',
    toQuestions: 'Ver preguntas',
    answers_one: '{{count}} respuesta',
    answers_many: '{{count}} de respuestas',
    answers_other: '{{count}} respuestas',
    solved: 'Resuelta',
  },
  noAbout: 'Todavía no hay descripción.',
  edit: {
    open: 'Editar el perfil',
    title: 'Editar el perfil',
    userName: 'Nombre de usuario',
    firstName: 'Nombre',
    lastName: 'Apellidos',
    about: 'Sobre ti',
    submit: 'Guardar',
    success: '¡Perfil actualizado!',
    userNameRequired: 'Escribe un nombre de usuario',
    userNameInvalid:
      '¡El nombre de usuario no puede tener espacios ni más caracteres especiales que el guion bajo!',
    userNameTaken: '¡Ese nombre de usuario ya existe!',
  },
  picture: {
    selectImage: 'Elegir una imagen',
    selectAvatar: 'Elegir un avatar',
    hint: 'Mejor de 500 × 500 píxeles',
    remove: 'Quitar la imagen',
  },
  avatars: {
    title: 'Elegir un avatar',
    select: 'Elegir',
    avatar: 'Avatar {{number}} de {{category}}',
    categories: { animals: 'animales', people: 'personas', space: 'espacio' },
  },
} as const satisfies Translation<typeof english, 'es'>;
