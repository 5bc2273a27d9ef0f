/**
 * A password field that can show what is in it; pasting and password managers work as they should.
 * Checks nothing.
 */
import { Eye, EyeOff } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';
import { Input } from '#client/ui/input.tsx';

interface PasswordInputProps extends Omit<ComponentProps<typeof Input>, 'type' | 'after' | 'autoComplete'> {
  /** Whether it is a known or a new password. */
  autoComplete: 'current-password' | 'new-password';
}

/** Starts hidden. */
export function PasswordInput(props: PasswordInputProps) {
  const [shown, setShown] = useState(false);
  return (
    <Input
      {...props}
      type={shown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="none"
      after={
        <PlainIconButton
          label={shown ? 'Hide the password' : 'Show the password'}
          icon={shown ? <EyeOff /> : <Eye />}
          size="sm"
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      }
    />
  );
}
