// The schema of a visibility, from the table of visibilities.
import { z } from 'zod';
import { VISIBILITIES } from './visibility.ts';

export const visibilitySchema = z.enum(VISIBILITIES);
