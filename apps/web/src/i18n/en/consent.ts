/** Ages that a space asks for, and the page of a parent or guardian. */
export const consent = {
  age: {
    title: 'How old are you?',
    text: 'Students younger than {{age}} join {{name}} with the consent of a parent or guardian. Only the moderators of the space see your answer.',
    below: 'Younger than {{age}}',
    from: '{{age}} or older',
    asksMembers: '{{name}} now asks how old its members are.',
    answer: 'Answer',
  },
  ask: {
    title: 'Ask a parent or guardian',
    text: 'You join {{name}} once a parent or guardian agrees. Enter their email address: they get a link and need no account.',
    asked: 'We sent the link. It is valid for 14 days. You can join as soon as they agree.',
    refused:
      'Your parent or guardian refused, or took their consent back. Talk to them before you ask again.',
    email: 'Email of a parent or guardian',
    send: 'Send link',
    sendAgain: 'Send a new link',
    sent: 'Link sent.',
    close: 'Close',
  },
  waiting: 'Waiting for consent',
  given: 'Your parent or guardian agreed. You can now join {{name}}.',
  page: {
    title: 'Consent of a parent or guardian',
    lead: 'A student asks you.',
    missing: 'Open the link in the mail again.',
    question:
      '{{userName}} wants to join “{{name}}” on Nimo, a community where students ask and answer questions. The student says to be younger than {{age}}, and that you are a parent or guardian.',
    about: 'About the space: {{description}}',
    kept: 'Nimo records that somebody with this link agreed or refused, and when. Your email address is removed with your answer.',
    terms: 'Read the <terms>terms of use</terms> that hold for the student.',
    agree: 'I agree',
    refuse: 'I refuse',
    given: 'You agreed. {{userName}} can join “{{name}}”.',
    keep: 'Keep the mail: you can take your consent back by the same link at any time. {{userName}} then leaves the space.',
    takeBack: 'Take my consent back',
    refused: 'You refused. {{userName}} cannot join “{{name}}”.',
    toNimo: 'What is Nimo?',
  },
} as const;
