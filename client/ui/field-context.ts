/**
 * Passes a field's id, description and validity to the control inside it. field.tsx renders the texts.
 */
import { createContext, useContext } from 'react';

interface FieldWiring {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
}

/** Set by Field. */
export const FieldContext = createContext<FieldWiring | undefined>(undefined);

/** Attributes for a native control; empty outside a field. */
export function useFieldControl() {
  const field = useContext(FieldContext);
  if (!field) return {};
  return {
    id: field.id,
    'aria-describedby': field.describedBy,
    'aria-invalid': field.invalid || undefined,
    'aria-required': field.required || undefined,
  };
}
