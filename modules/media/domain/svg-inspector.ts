/** Checks an SVG against the allow-list while it is read, so that a large file doesn't block the event loop. */
import { type SaxesAttributeNS, SaxesParser } from 'saxes'
import type { RejectionCode } from './rejections.ts'
import {
  ACTIVE_NAMESPACES,
  CSS_AT_RULES,
  CSS_FUNCTIONS,
  ELEMENTS,
  FIXED_ATTRIBUTES,
  STYLED_ATTRIBUTES,
  SVG_NAMESPACE,
  TEXT_ATTRIBUTES,
  XLINK_ATTRIBUTES,
  XLINK_NAMESPACE,
  XML_ATTRIBUTES,
  XML_NAMESPACE,
  XMLNS_NAMESPACE,
} from './svg-allow-list.ts'
import { readDoctype } from './svg-doctype.ts'

const MAX_DEPTH = 256
/** Characters of all `style` elements together. */
const MAX_STYLE_LENGTH = 1024 * 1024
/** The longest name of a CSS function or at-rule. */
const MAX_CSS_NAME = 32

/**
 * Encodings in which ASCII characters have their own bytes, and UTF-16, which needs a byte order mark here. In others,
 * such as ISO-2022-JP, a browser can find markup that this check doesn't.
 */
const ENCODINGS: ReadonlySet<string> = new Set([
  'utf-8',
  'utf8',
  'utf-16',
  'us-ascii',
  'ascii',
  'iso-8859-1',
  'windows-1252',
])
const LOCAL_REFERENCE = /^\s*(?:#|data:image\/(?:png|jpe?g|webp|gif);base64,)/i
const LOCAL_URL = /^\(\s*(?:#[^)\\]{0,256}|"\s*#[^"\\]{0,256}"\s*|'\s*#[^'\\]{0,256}'\s*)\)/
/** Fonts and images of editors, inside the file. Base64 has no parenthesis that could end the URL. */
const DATA_URL =
  /^\(\s*["']?data:(?:font\/[\w.+-]+|application\/(?:x-)?font-[\w.+-]+|application\/octet-stream|image\/(?:png|jpe?g|webp|gif))(?:;\s*[\w-]+=[\w-]+)*;base64,/i
/** Attributes of HTML that name a resource. */
const LINK_ATTRIBUTES: ReadonlySet<string> = new Set([
  'src',
  'srcset',
  'srcdoc',
  'data',
  'action',
  'formaction',
  'base',
])

export interface SvgViolation {
  readonly code: RejectionCode
  readonly reason: string
}
export interface SvgInspector {
  /** Returns the first violation. Don't continue after one. */
  feed(text: string): SvgViolation | undefined
  finish(): SvgViolation | undefined
}

export function createSvgInspector(): SvgInspector {
  const parser = new SaxesParser({ xmlns: true })
  let violation: SvgViolation | undefined
  let depth = 0
  let style = ''
  let isInStyle = false

  function refuse(reason: string, code: RejectionCode = 'active_content'): void {
    violation ??= { code, reason: `Line ${parser.line}: ${reason}.` }
  }
  function addStyle(text: string): void {
    if (!isInStyle) return
    if (style.length + text.length > MAX_STYLE_LENGTH) refuse('the styles are too long', 'image_too_large')
    else style += text
  }

  parser.on('error', () => refuse('the XML is not well-formed', 'image_unreadable'))
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !ENCODINGS.has(encoding.toLowerCase()))
      refuse(`the encoding ${quote(encoding)} is not supported`)
  })
  parser.on('doctype', text => {
    const entities = readDoctype(text)
    if (entities) Object.assign(parser.ENTITIES, entities)
    else refuse('the document type declares more than names')
  })
  parser.on('processinginstruction', ({ target, body }) => {
    if (!isInertInstruction(target, body)) refuse(`the instruction ${quote(target)} is not allowed`)
  })
  parser.on('text', addStyle)
  parser.on('cdata', addStyle)
  parser.on('opentag', ({ name, local, uri, attributes }) => {
    if (++depth > MAX_DEPTH) return refuse(`elements are nested more than ${MAX_DEPTH} levels deep`, 'image_too_large')
    if (depth === 1 && local !== 'svg') return refuse('the root element is not `svg`')
    if (isInStyle || !isAllowedElement(uri, local, name)) return refuse(`the element ${quote(name)} is not allowed`)
    for (const attribute of Object.values(attributes)) {
      if (!isAllowedAttribute(attribute)) return refuse(`the attribute ${quote(attribute.name)} is not allowed here`)
    }
    isInStyle = isSvg(uri) && local === 'style'
  })
  parser.on('closetag', () => {
    depth--
    isInStyle = false
  })

  return {
    feed(text) {
      parser.write(text)
      return violation
    },
    finish() {
      parser.close()
      if (!isSafeCss(style)) refuse('the styles use an external resource or an unknown function')
      return violation
    },
  }
}

const quote = (name: string): string => `\`${name.slice(0, 60)}\``

/** An SVG in an HTML document needs no namespace. */
const isSvg = (uri: string): boolean => uri === SVG_NAMESPACE || uri === ''

const isInert = (uri: string): boolean => !isSvg(uri) && !ACTIVE_NAMESPACES.has(uri)

/** In an HTML document, which has no namespaces, the prefix makes an element unknown. */
const isAllowedElement = (uri: string, local: string, name: string): boolean =>
  isSvg(uri) ? ELEMENTS.has(local) : isInert(uri) && name.includes(':')

/** Browsers apply style sheets. In an HTML document, an instruction is a comment that ends at the first `>`. */
const isInertInstruction = (target: string, body: string): boolean =>
  target.toLowerCase() !== 'xml-stylesheet' && !/[<>]/.test(body)

/** Browsers ignore attributes that they don't know, but run handlers, which start with `on`, and read CSS in new ones. */
const isIgnored = (name: string, value: string): boolean =>
  /^[a-z_][\w.-]*$/i.test(name) && !/^on/i.test(name) && !/\\|url\(|image\(|image-set\(|src\(/i.test(value)

function isAllowedAttribute({ uri, local, name, value }: SaxesAttributeNS): boolean {
  if (uri === XMLNS_NAMESPACE) return true
  if (uri === XML_NAMESPACE) return XML_ATTRIBUTES.has(local)
  if (uri === XLINK_NAMESPACE) return XLINK_ATTRIBUTES.has(local) && (local !== 'href' || LOCAL_REFERENCE.test(value))
  if (uri !== '') return isInert(uri)
  if (name === 'href') return LOCAL_REFERENCE.test(value)
  if (name === 'attributeName') return STYLED_ATTRIBUTES.has(value.trim()) && !FIXED_ATTRIBUTES.has(value.trim())
  if (TEXT_ATTRIBUTES.has(name) || name.startsWith('data-') || name.startsWith('aria-')) return true
  if (STYLED_ATTRIBUTES.has(name)) return isSafeCss(value)
  return !LINK_ATTRIBUTES.has(name.toLowerCase()) && isIgnored(name, value)
}

/** Allows known functions and at-rules, and `url()` with a fragment. Linear in the length of the text. */
export function isSafeCss(css: string): boolean {
  // An escape can hide any name.
  if (css.includes('\\')) return false
  for (let at = css.indexOf('('); at >= 0; at = css.indexOf('(', at + 1)) {
    const name = /[\w-]*$/.exec(css.slice(Math.max(0, at - MAX_CSS_NAME), at))?.[0].toLowerCase() ?? ''
    const isLocal = () => [LOCAL_URL, DATA_URL].some(pattern => pattern.test(css.slice(at, at + 300)))
    if (name === 'url' ? !isLocal() : name !== '' && !CSS_FUNCTIONS.has(name)) return false
  }
  for (let at = css.indexOf('@'); at >= 0; at = css.indexOf('@', at + 1)) {
    const name = /^[\w-]*/.exec(css.slice(at + 1, at + 1 + MAX_CSS_NAME))?.[0].toLowerCase() ?? ''
    if (!CSS_AT_RULES.has(name)) return false
  }
  return true
}
