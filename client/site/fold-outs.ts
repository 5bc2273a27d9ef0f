/** Buttons that open a panel: the menu and the list of the documentation's pages on phones. */

function panelOf(button: HTMLElement): HTMLElement | null {
  return document.getElementById(button.getAttribute('aria-controls') ?? '');
}

function setOpen(button: HTMLElement, isOpen: boolean): void {
  const { labelOpen, labelClosed = button.ariaLabel } = button.dataset;
  button.ariaExpanded = String(isOpen);
  panelOf(button)?.toggleAttribute('data-open', isOpen);
  if (labelOpen === undefined || labelClosed === null) return;
  button.dataset['labelClosed'] = labelClosed;
  button.ariaLabel = isOpen ? labelOpen : labelClosed;
  button.title = button.ariaLabel;
}

/** Opens what the button controls, or closes it. */
export function toggleFoldOut(button: HTMLElement): void {
  setOpen(button, button.ariaExpanded !== 'true');
}

function closeAll(): void {
  for (const button of document.querySelectorAll<HTMLElement>(
    '[data-action="fold-out"][aria-expanded="true"]',
  ))
    setOpen(button, false);
}

/** Following a link closes the fold-out around it; a page restored from the back/forward cache has all closed. */
export function watchFoldOuts(): void {
  addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[data-open] a')) closeAll();
  });
  addEventListener('pagehide', closeAll);
}
