/** The home page of the product. */
const HOME = '/'

/** Returns `next` if it is a path on this site, so that sign-in never redirects to another host. */
export function safeReturnPath(next: string | undefined, fallback = HOME): string {
  // Browsers read `//host` and `/\host` as another host, and drop tabs and line breaks before they parse.
  return next !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(next) ? next : fallback
}

/** The second step of a sign-in. It gets the query `next`. */
export const SECOND_FACTOR_PATH = '/sign-in/second-factor'
/** Asks before a sign-in replaces the login of another person in the same browser. */
export const SWITCH_PATH = '/sign-in/switch'
/** The form with the fields that the recipe adds to people. It gets the query `next`. */
export const DETAILS_PATH = '/account/details'
/** The page on which a signed-in person proves who they are. It gets the query `next`. */
export const REAUTHENTICATION_PATH = '/sign-in/confirm'
/** The page that takes the code of the terminal. */
export const CLAIM_PATH = '/claim'
