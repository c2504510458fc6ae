import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { forwardRef } from 'react';
import { useTranslation } from 'react-i18next';

/** Password field with a visibility toggle that works by keyboard and screen reader. */
export const PasswordField = forwardRef<HTMLInputElement, PasswordInputProps>(
  function PasswordField(props, ref) {
    const { t } = useTranslation('auth');
    const [isVisible, { toggle }] = useDisclosure();
    return (
      <PasswordInput
        ref={ref}
        {...props}
        // Mantine sets this on all other inputs.
        aria-invalid={Boolean(props.error)}
        visible={isVisible}
        onVisibilityChange={toggle}
        visibilityToggleButtonProps={{
          'aria-label': t(isVisible ? 'password.hide' : 'password.show'),
          tabIndex: 0,
        }}
      />
    );
  },
);
