import { Alert } from '@mantine/core';
import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import { useFocusOfGone } from '../lib/browser/focus';

/** What a form has to say as a whole: red when it failed, green when it went well. */
export function FormAlert({ kind, children }: { kind: 'error' | 'success'; children: string }) {
  const isError = kind === 'error';
  const alert = useFocusOfGone<HTMLDivElement>();
  return (
    <Alert
      ref={alert}
      tabIndex={-1}
      role={isError ? 'alert' : 'status'}
      color={isError ? 'red' : 'green'}
      variant="light"
      py="xs"
      icon={isError ? <IconAlertCircle /> : <IconCircleCheck />}
    >
      {children}
    </Alert>
  );
}
