import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { minuteTyped, typedMinute } from './narrowing';

interface MinuteInputProps {
  label: string;
  /** In UTC, as the address has it. */
  minute: string | null;
  onChange: (minute: string | null) => void;
}

/** A minute where the reader is. What is half typed stays in the field and narrows nothing. */
export function MinuteInput({ label, minute, onChange }: MinuteInputProps) {
  const [{ known, text }, setDraft] = useState({ known: minute, text: typedMinute(minute) });
  if (known !== minute)
    setDraft({ known: minute, text: minuteTyped(text) === minute ? text : typedMinute(minute) });
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setDraft({ known, text: value });
        const typed = minuteTyped(value);
        if (typed !== minute && (typed !== null || value === '')) onChange(typed);
      }}
    />
  );
}
