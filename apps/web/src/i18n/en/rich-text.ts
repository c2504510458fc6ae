/** What a post is made of: formulas, code, images. */
export const richText = {
  formula: {
    control: 'Formula',
    source: 'Formula in LaTeX',
    block: 'On a line of its own',
    preview: 'Preview of the formula',
    previewEmpty: 'What you write shows here.',
    insert: 'Insert',
    change: 'Change',
    wrong: 'This formula has a mistake.',
    mistake: 'This formula has a mistake: {{reason}}',
  },
  code: {
    label: 'Code',
    language: 'Language of the code',
    plain: 'Plain text',
    copy: 'Copy code',
    copied: 'Copied!',
    copyFailed: 'Copying was refused',
  },
  image: {
    uploading: 'Image {{number}} is being uploaded',
    tools: 'View of the image',
  },
} as const;
