/** Paths of folders: names separated by slashes, empty for the top level. Pure. */

export const MAX_FOLDER_LENGTH = 255
/** One name in a path, without path traversal, control characters, text direction characters, and spaces around it. */
const NAME = '(?!\\.{1,2}(?:/|$)|\\s)[^/\\\\\\p{Cc}\\p{Cs}\\u202a-\\u202e\\u2066-\\u2069]+(?<!\\s)'
export const FOLDER_PATTERN = `^(?:${NAME}(?:/${NAME}){0,9})?$`
const FOLDER = new RegExp(FOLDER_PATTERN, 'u')

export const isFolder = (text: string): boolean => text.length <= MAX_FOLDER_LENGTH && FOLDER.test(text)

/** As a person types it, for example `/Invoices / 2026/`. */
export const tidyFolder = (text: string): string =>
  text
    .split('/')
    .map(name => name.trim())
    .filter(name => name !== '')
    .join('/')

/** From the top-level folder to the folder itself. */
export function folderTrail(folder: string): { readonly name: string; readonly path: string }[] {
  const names = folder === '' ? [] : folder.split('/')
  return names.map((name, index) => ({ name, path: names.slice(0, index + 1).join('/') }))
}
