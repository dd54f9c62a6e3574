import type { SignIn } from '../auth/sign-in.js';

/** The methods of a sign-in path; null if it is not served. */
export function authMethodsOf(signIn: SignIn): (path: string) => string[] | null {
  const own: Record<string, string[]> = { '/methods': ['GET'], '/link.css': ['GET'], '/link': ['GET', 'POST'] };
  return (path) => {
    const inner = /^\/auth(\/.*)$/.exec(path)?.[1];
    if (inner === undefined) return null;
    const served = ['GET', 'POST'].filter((method) => signIn.serves(method, inner));
    return own[inner] ?? (served.length > 0 ? served : null);
  };
}
