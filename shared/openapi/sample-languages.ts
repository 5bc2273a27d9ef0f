/** Languages of the samples in the API reference: how each is called, and which grammar colours it. */
export const SAMPLE_LANGUAGES = {
  curl: { label: 'curl', grammar: 'sh' },
  typescript: { label: 'TypeScript', grammar: 'ts' },
  python: { label: 'Python', grammar: 'python' },
} as const;

export type SampleLanguage = keyof typeof SAMPLE_LANGUAGES;
