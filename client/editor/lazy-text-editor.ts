// Loads the editor with the first text that is edited. Its code is half as large as the application.

export const loadTextEditor = () => import('#client/editor/text-editor.ts');
