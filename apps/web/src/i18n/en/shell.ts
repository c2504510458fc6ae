export const shell = {
  productName: 'Nimo',
  defaultUserName: 'Admin',
  action: { save: 'Save', cancel: 'Cancel', close: 'Close', retry: 'Try again', back: 'Back' },
  language: 'Language',
  loading: 'Loading…',
  error: {
    goneTitle: 'A new version of Nimo is available',
    goneText: 'Reload the page to continue. Nothing that was saved is lost.',
    title: 'Something went wrong',
    unreachable: 'Nimo cannot be reached. Check your connection and try again.',
    referred: '{{text}} (For support: {{reference}})',
    stale: 'What you see may be out of date. {{reason}}',
    upload: 'Failed to upload file {{name}} to S3',
    crashTitle: 'Something went wrong on this screen',
    crashText: 'Reload the page. Saved data is not lost.',
    reload: 'Reload',
  },
} as const;
