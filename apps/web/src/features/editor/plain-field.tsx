import type { FocusEventHandler } from 'react';
import classes from './rich-text.module.css';

interface PlainFieldProps {
  placeholder: string;
  labelledBy: string;
  describedBy?: string | undefined;
  invalid?: boolean;
  startsFocused?: boolean;
  /** The Tab key passes it by. */
  isPassedBy?: boolean;
  /** Leaves room for the toolbar, so that the text stays where it is when that comes. */
  hasToolbar?: boolean;
  onFocus?: FocusEventHandler;
  onBlur?: FocusEventHandler;
  onChange?: (text: string) => void;
}

/** Looks like the rich editor and needs none of its code. */
export function PlainField(props: PlainFieldProps) {
  const { placeholder, labelledBy, describedBy, invalid = false, startsFocused = false } = props;
  const { isPassedBy = false, hasToolbar = false, onFocus, onBlur, onChange } = props;
  return (
    <div className={classes.frame} data-invalid={invalid || undefined}>
      {hasToolbar && <div className={classes.toolbarRoom} />}
      <textarea
        className={classes.plain}
        data-tall={hasToolbar || undefined}
        placeholder={placeholder}
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        dir="auto"
        tabIndex={isPassedBy ? -1 : undefined}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- only where somebody opened it to write
        autoFocus={startsFocused}
        onFocus={onFocus}
        onBlur={onBlur}
        onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      />
    </div>
  );
}
