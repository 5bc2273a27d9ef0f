// A picture of the product in the colours of the page.

/** Width and height of the pictures in pixels. */
const WIDTH = 1280;
const HEIGHT = 800;

/** A browser fetches only the picture of the colour mode in use: one that is not displayed is never near the window. */
export function ScreenPicture({ name, alt }: { name: string; alt: string }) {
  return (
    <div className="overflow-hidden rounded-dialog border border-line bg-raised shadow-float">
      {(['light', 'dark'] as const).map((mode) => (
        <img
          key={mode}
          src={`/screenshots/${name}-${mode}.webp`}
          alt={alt}
          width={WIDTH}
          height={HEIGHT}
          loading="lazy"
          decoding="async"
          className={mode === 'light' ? 'h-auto w-full dark:hidden' : 'hidden h-auto w-full dark:block'}
        />
      ))}
    </div>
  );
}
