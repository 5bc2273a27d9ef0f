/** The manifest of the extension. Its one setting of a build is the server that a fresh installation names. */
import { PRODUCT_NAME } from '#shared/constants.ts';

/** Sizes of the icons in pixels. */
export const ICON_SIZES = [16, 32, 48, 128] as const;

export const iconFile = (size: number): string => `icons/${size}.png`;

const icons = Object.fromEntries(ICON_SIZES.map((size) => [String(size), iconFile(size)]));

/**
 * No permission for any site: a page is read only where and when the person presses the button or the menu entry, and
 * servers answer extensions by CORS.
 */
export const MANIFEST = {
  manifest_version: 3,
  name: PRODUCT_NAME,
  version: '0.1.0',
  description: `Saves the page in front of you to ${PRODUCT_NAME}, with its text, a note, tags and quotes.`,
  minimum_chrome_version: '123',
  icons,
  action: { default_popup: 'popup.html', default_icon: icons, default_title: `Save to ${PRODUCT_NAME}` },
  // Chrome runs the first, Firefox the second; each ignores the other.
  background: { service_worker: 'background.js', scripts: ['background.js'], type: 'module' },
  browser_specific_settings: {
    gecko: {
      id: 'extension@loci.example',
      // Older ones refuse the key below.
      strict_min_version: '128.0',
      // Shown when it is installed: it sends pages to the server of the person.
      data_collection_permissions: { required: ['websiteContent', 'browsingActivity'] },
    },
  },
  permissions: ['activeTab', 'alarms', 'contextMenus', 'identity', 'scripting', 'storage'],
  commands: {
    _execute_action: { suggested_key: { default: 'Alt+Shift+L' } },
  },
} as const;
