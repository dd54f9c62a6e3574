/** What went wrong, in words. */
import './field.css';

/** An error message, announced to screen readers at once. */
export function Problem({ message }: { message: string | null }) {
  return (
    <div role="alert" className="problem">
      {message && <p className="notice notice-danger">{message}</p>}
    </div>
  );
}
