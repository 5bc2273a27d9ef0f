/** The language of samples: chosen at one of them, shown at all, remembered by this browser. */
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';

const SETTING = 'loci-sample-language';

function choicesOf(language: string): HTMLInputElement[] {
  const all = document.querySelectorAll<HTMLInputElement>('[data-sample-language]');
  return [...all].filter(({ value }) => value === language);
}

/** Applies the choice to all samples; those above change their height, so the chosen one is held in place. */
export function watchSampleLanguage(): void {
  const remembered = readSetting(SETTING);
  for (const choice of choicesOf(remembered ?? '')) choice.checked = true;
  addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches('[data-sample-language]')) return;
    const { top } = target.getBoundingClientRect();
    writeSetting(SETTING, target.value);
    for (const choice of choicesOf(target.value)) choice.checked = true;
    scrollBy({ top: target.getBoundingClientRect().top - top, behavior: 'instant' });
  });
}
