/** The width of a pane in pixels, remembered in this browser. */
import { useState } from 'react';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';

/** `key` names the pane in local storage; `initial` is its width until a person changes it. */
export function usePaneWidth(key: string, initial: number) {
  const [width, setWidth] = useState(() => Number(readSetting(key)) || initial);
  return {
    width,
    resize(next: number) {
      setWidth(next);
      writeSetting(key, next === initial ? undefined : String(next));
    },
  };
}
