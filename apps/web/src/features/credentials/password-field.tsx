import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { forwardRef } from 'react';
import { useTranslation } from 'react-i18next';

/** A password that can be looked at, also by keyboard and screen reader. */
export const PasswordField = forwardRef<HTMLInputElement, PasswordInputProps>(
  function PasswordField(props, ref) {
    const { t } = useTranslation('auth');
    const [isVisible, { toggle }] = useDisclosure();
    return (
      <PasswordInput
        ref={ref}
        {...props}
        // The kit says it of every other field by itself.
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
