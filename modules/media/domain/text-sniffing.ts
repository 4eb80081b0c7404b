/** Classifies text files, which have no signature, following the WHATWG MIME Sniffing standard. */
import { TextDecoder } from 'node:util'

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
  const text = decoderFor(head).decode(head)
  if (BINARY.test(text)) return 'binary'
  let rest = text
  for (let found = PROLOGUE.exec(rest); found; found = PROLOGUE.exec(rest)) rest = rest.slice(found[0].length)
  if (SVG.test(rest)) return 'svg'
  // After an unclosed comment or an unknown doctype, HTML can follow.
  if (HTML.test(rest) || /^<!(--|doctype)/i.test(rest)) return 'html'
  return 'text'
}

/** Decodes by byte order mark, otherwise as UTF-8. Invalid bytes become U+FFFD. `head` is the start of the text. */
export function decoderFor(head: Buffer): TextDecoder {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le')
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be')
  return new TextDecoder('utf-8')
}

/** True for text that says that it is UTF-16. */
export const isMarkedUtf16 = (head: Buffer): boolean => decoderFor(head).encoding !== 'utf-8'

/** Throws for bytes that aren't text of its encoding. `head` is the start of the text. */
export const strictDecoderFor = (head: Buffer): TextDecoder =>
  new TextDecoder(decoderFor(head).encoding, { fatal: true })
