/** Content-Disposition of a download (RFC 6266, RFC 8187). Pure. */

/** Attribute characters of RFC 8187 that `encodeURIComponent` leaves alone but must not stand bare. */
const BARE = /['()*]/g
const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** Always an attachment: nothing is opened inside a page of ours. */
export function attachment(fileName: string): string {
  // Half a pair of surrogates cannot be written as UTF-8.
  const name = fileName.replace(/\p{Cs}/gu, '_')
  const plain = name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_')
  const value = encodeURIComponent(name).replace(BARE, escaped)
  return plain === name
    ? `attachment; filename="${plain}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${value}`
}

/** `photo.png` → `photo.thumbnail.webp`. */
export function variantName(fileName: string, variant: string, extension: string): string {
  const dot = fileName.lastIndexOf('.')
  return `${dot > 0 ? fileName.slice(0, dot) : fileName}.${variant}.${extension}`
}
