/** Content-Disposition of a download (RFC 6266, RFC 8187). */

/** RFC 8187 requires escapes for these characters, which `encodeURIComponent` keeps. */
const UNESCAPED = /['()*]/g
const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** Always an attachment, so that browsers don't render uploads on this origin. */
export function attachment(fileName: string): string {
  // Some browsers decode encoded words, which begin with `=?` (RFC 2047).
  // Lone surrogates have no UTF-8 encoding.
  const name = fileName.replace(/\p{Cs}/gu, '_')
  const plain = name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]|(?<==)\?/g, '_')
  const value = encodeURIComponent(name).replace(UNESCAPED, escaped)
  return plain === name
    ? `attachment; filename="${plain}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${value}`
}

/** `photo.png` → `photo.thumbnail.webp`. */
export function variantName(fileName: string, variant: string, extension: string): string {
  const dot = fileName.lastIndexOf('.')
  return `${dot > 0 ? fileName.slice(0, dot) : fileName}.${variant}.${extension}`
}
