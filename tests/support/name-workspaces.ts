/** Fails a test file during which the product sent a statement about rows of workspaces that names none. */
import { afterAll } from 'vitest';
import { takeViolations, watchStatements } from './watched-statements.ts';

watchStatements();
afterAll(() => {
  const found = takeViolations();
  if (found.length > 0)
    throw new Error(
      `Statements about rows of workspaces must name the workspace, or say why they go across (server/db/across.ts):\n\n${found.join('\n\n')}`,
    );
});
