/** The home page of the product. */
const HOME = '/'

/** Returns `next` if it is a path on this site, so that sign-in never redirects to another host. */
export function safeReturnPath(next: string | undefined, fallback = HOME): string {
  // Browsers read `//host` and `/\host` as another host, and drop tabs and line breaks before they parse.
  return next !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(next) ? next : fallback
}

/** The page on which a signed-in person proves who they are. It gets the query `next`. */
export const REAUTHENTICATION_PATH = '/sign-in/confirm'
