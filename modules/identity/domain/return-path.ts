/** Where to go after signing in: a path of this site, never another one. */
export function safeReturn(next: string | undefined, standard = '/account'): string {
  // A browser reads `//host` and `/\host` as another host, and drops tabs and line breaks before it looks.
  return next !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(next) ? next : standard
}
