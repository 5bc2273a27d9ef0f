// Loads the editor with the first text that is edited. Its code is half as large as the application.

/** The editor's module. */
export const loadTextEditor = () => import('#client/editor/text-editor.ts');
