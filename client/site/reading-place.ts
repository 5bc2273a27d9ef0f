/** Shows where one is in the documentation: the page in the list of pages, the heading in the list of headings. */

/** Scrolls the list, where there is one, to the page that is read. Not scrollIntoView: it would move the page as well. */
function showPageInList(): void {
  const list = document.querySelector('#docs-pages [data-scroll]');
  if (!list?.checkVisibility()) return;
  const frame = list.getBoundingClientRect();
  const current = list.querySelector('[aria-current=page]')?.getBoundingClientRect();
  if (!current || (current.top >= frame.top && current.bottom <= frame.bottom)) return;
  list.scrollBy(0, (current.top + current.bottom - frame.top - frame.bottom) / 2);
}

const idOf = (link: HTMLAnchorElement): string => decodeURIComponent(link.hash.slice(1));

/** Marks the heading last scrolled past. */
function followHeadings(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('#contents a')];
  const observer = new IntersectionObserver(
    (entries) => {
      const entered = entries.findLast(({ isIntersecting }) => isIntersecting);
      if (!entered) return;
      for (const link of links) link.ariaCurrent = idOf(link) === entered.target.id ? 'location' : null;
    },
    { rootMargin: '-80px 0px -70% 0px' },
  );
  for (const link of links) {
    const heading = document.getElementById(idOf(link));
    if (heading) observer.observe(heading);
  }
}

/** Once, when the page is there. */
export function showReadingPlace(): void {
  showPageInList();
  followHeadings();
}
