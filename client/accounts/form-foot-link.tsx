/** The line below a form of logging in that leads to another one: "New here? Sign up". */
import { Link } from 'react-router';

/** `before` is the question, `text` the link. */
export function FormFootLink({ to, before, text }: { to: string; before?: string; text: string }) {
  return (
    <>
      {before !== undefined && `${before} `}
      <Link to={to} className="font-medium text-primary underline-offset-2 hover:underline">
        {text}
      </Link>
    </>
  );
}
