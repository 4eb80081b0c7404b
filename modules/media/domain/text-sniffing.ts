/** Classifies text files, which have no signature, following the WHATWG MIME Sniffing standard. */

export type TextKind = 'html' | 'svg' | 'text' | 'binary'

/** Tags that the standard treats as HTML. */
const HTML_TAGS =
  'html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|link|base|form|img|object|embed|template'
const HTML = new RegExp(`^<(?:!doctype\\s+html|(?:${HTML_TAGS})(?=[\\s/>]))`, 'i')
const SVG = /^<(?:!doctype\s+svg|(?:[\w-]+:)?svg(?=[\s/>]))/i
/** Whitespace, comments and processing instructions before the first element. */
const PROLOGUE = /^(?:\s+|<!--[\s\S]*?-->|<\?[\s\S]*?\?>)/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const BINARY = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/

/** `head` is the start of the file. */
export function sniffText(head: Buffer): TextKind {
  const text = decode(head)
  if (BINARY.test(text)) return 'binary'
  let rest = text
  for (let found = PROLOGUE.exec(rest); found; found = PROLOGUE.exec(rest)) rest = rest.slice(found[0].length)
  if (SVG.test(rest)) return 'svg'
  // After an unclosed comment or an unknown doctype, HTML can follow.
  if (HTML.test(rest) || /^<!(--|doctype)/i.test(rest)) return 'html'
  return 'text'
}

/** Decodes by byte order mark, otherwise as UTF-8. Invalid bytes become U+FFFD. */
export function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder('utf-8').decode(bytes)
}

const ACTIVE_CONTENT = [
  /<\s*(?:[\w-]+:)?(?:script|foreignobject|iframe|embed|object|handler|listener|use\s[^>]*href\s*=\s*["']?\s*data:)/i,
  /[\s"'/]on[a-z]+\s*=/i,
  /(?:java|vb|live)\s*script\s*:/i,
  /data\s*:\s*(?:text\/html|image\/svg|application\/)/i,
  /<!(?:entity|doctype[^>]*\[)/i,
  /<\?xml-stylesheet/i,
  /@import/i,
]

/** Detects scripts and external references in an SVG, also with character references and whitespace in URLs. */
export function hasActiveContent(svg: string): boolean {
  const decoded = svg
    .replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi, (_, hex, decimal) => character(hex, decimal))
    .replace(/&(?:tab|newline|colon);/gi, entity => (/colon/i.test(entity) ? ':' : ''))
  // Browsers ignore these characters in URLs.
  const joined = decoded.replace(/[\t\r\n]+/g, '')
  return ACTIVE_CONTENT.some(pattern => pattern.test(decoded) || pattern.test(joined))
}

function character(hex: string | undefined, decimal: string | undefined): string {
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}
