/**
 * What a tenant may change in a mail of the product, such as a password reset: the wording, not the links. Compares the
 * rendered override with the rendered template of the product, so that no template syntax can hide a link.
 */
import { type FieldError, fieldError, type RenderedMail, type Wording, wording } from '@larder-dev/larder/kernel'
import type { Attributes } from 'sanitize-html'

/** Characters of the rendered HTML, which is parsed on the main thread. */
const MAX_HTML_LENGTH = 128 * 1024
const INLINE_TAGS = ['a', 'b', 'strong', 'i', 'em', 'u', 'small', 'span', 'code']
const TAGS = new Set([
  ...INLINE_TAGS,
  'p',
  'br',
  'hr',
  'div',
  'blockquote',
  'pre',
  'h1',
  'h2',
  'h3',
  'h4',
  'ul',
  'ol',
  'li',
  'table',
  'tbody',
  'thead',
  'tr',
  'td',
  'th',
])
const ATTRIBUTES = new Set(['href', 'class', 'style', 'align', 'valign', 'width', 'height', 'lang', 'dir', 'role'])
/** Attributes that mail clients load or open. */
const URL_ATTRIBUTES = new Set([
  'href',
  'src',
  'srcset',
  'background',
  'action',
  'formaction',
  'poster',
  'cite',
  'data',
])
/** A scheme, or a name with a top-level domain, which mail clients turn into links. */
const LINK_LIKE = /:\/\/|\bwww\.|[\p{L}\p{N}-]\.[\p{L}-]{2,}/u
/** Characters that are invisible, or that clients treat as a dot. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
const DOTS = /[\u3002\uff0e\uff61]/g
/** More marks than any language has. The time of the normalization grows with the square of their number. */
const MARKS = /(\p{M}{30})\p{M}+/gu
/** Functions of styles that load nothing. */
const STYLE_FUNCTIONS = new Set(['', 'rgb', 'rgba', 'hsl', 'hsla', 'calc', 'min', 'max', 'clamp', 'linear-gradient'])
/** Whether a style may load a file, or hides what it does. */
const isUnsafeStyle = (style: string): boolean =>
  /[\\@]|\/\*/.test(style) ||
  style
    .split('(')
    .slice(0, -1)
    .some(before => !STYLE_FUNCTIONS.has(functionBefore(before)))
/** Searches the end only, which the name of a known function doesn't exceed. */
const functionBefore = (text: string): string => (/[\w-]*$/.exec(text.slice(-20))?.[0] ?? '').toLowerCase()
/** Comments, declarations and instructions: clients disagree about where they end, so that one can hide a link. */
const HIDING = /<[!?]/g

interface ParsedHtml {
  readonly links: ReadonlySet<string>
  /** Tag or `tag attribute` → number of uses. */
  readonly uses: ReadonlyMap<string, number>
  /** Unsafe values of `style`. */
  readonly styles: readonly string[]
  readonly words: readonly string[]
  readonly hiding: number
}

async function parse(html: string): Promise<ParsedHtml> {
  // Loaded on first use, because it slows down the start.
  const { default: sanitize } = await import('sanitize-html')
  const links = new Set<string>()
  const uses = new Map<string, number>()
  const styles: string[] = []
  let text = ''
  const count = (key: string) => uses.set(key, (uses.get(key) ?? 0) + 1)
  const separate = (tag: string) => {
    // Words continue across inline tags: evil.<b>test</b>.
    if (!INLINE_TAGS.includes(tag)) text += ' '
  }
  sanitize(html, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    nonTextTags: ['style', 'script'],
    onOpenTag(tag: string, attributes: Attributes) {
      separate(tag)
      count(tag)
      for (const [name, value] of Object.entries(attributes)) {
        count(`${tag} ${name}`)
        if (URL_ATTRIBUTES.has(name) || name.startsWith('xlink:')) links.add(value.trim())
        if (name === 'style' && isUnsafeStyle(value)) styles.push(value)
      }
    },
    onCloseTag: separate,
    textFilter(part: string) {
      text += part
      return ''
    },
  })
  const decoded = text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
  return { links, uses, styles, words: wordsOf(decoded), hiding: html.match(HIDING)?.length ?? 0 }
}

const wordsOf = (text: string): string[] =>
  text
    .replace(INVISIBLE, '')
    .replace(DOTS, '.')
    .replace(MARKS, '$1')
    .normalize('NFKC')
    .split(/[\s<>()[\]{}"'|]+/u)
    .map(word => word.replace(/(?<![.,;:!?])[.,;:!?]+$/u, ''))
    .filter(word => word !== '')
/** Words that mail clients turn into links. */
export const linksIn = (text: string): string[] => wordsOf(text).filter(word => LINK_LIKE.test(word))

/** Errors of an override; empty if it keeps the links of the product and adds none. */
export async function overrideErrors(
  override: RenderedMail,
  product: RenderedMail,
  data: Readonly<Record<string, unknown>>,
): Promise<readonly FieldError[]> {
  const errors: FieldError[] = []
  const report = (pointer: string, code: string, detail: Wording) => errors.push(fieldError(pointer, code, detail))
  if (override.html.length > MAX_HTML_LENGTH) {
    report(
      '/html',
      'too_large',
      wording('must not exceed {limit} characters when it is rendered', { limit: MAX_HTML_LENGTH }),
    )
    return errors
  }
  const [own, original] = await Promise.all([parse(override.html), parse(product.html)])
  for (const key of own.uses.keys()) {
    const [tag = '', attribute] = key.split(' ')
    if (attribute === undefined ? TAGS.has(tag) : ATTRIBUTES.has(attribute)) continue
    if ((own.uses.get(key) ?? 0) > (original.uses.get(key) ?? 0))
      report(
        '/html',
        'not_allowed',
        attribute === undefined
          ? wording('must not contain {tag}', { tag: `<${tag}>` })
          : wording('must not contain the attribute {attribute}', { attribute }),
      )
  }
  for (const style of own.styles)
    if (!original.styles.includes(style)) report('/html', 'not_allowed', wording('styles must not load files'))
  if (own.hiding > original.hiding)
    report('/html', 'not_allowed', wording('must not contain comments, declarations or instructions'))
  for (const link of own.links)
    if (!original.links.has(link))
      report('/html', 'link_not_allowed', wording('must not link to {link}', { link: link.slice(0, 200) }))
  for (const link of original.links)
    if (!own.links.has(link))
      report(
        '/html',
        'link_missing',
        wording("must contain the product's link to {link}", { link: withoutQuery(link) }),
      )

  // Names and addresses in the data may look like domains; the product's template may show them, too.
  const allowed = new Set([
    ...original.words,
    ...linksIn(product.text),
    ...original.links,
    ...stringsIn(data).flatMap(value => [value, ...wordsOf(value)]),
  ])
  const check = (pointer: string, words: readonly string[]) => {
    for (const word of new Set(words))
      if (LINK_LIKE.test(word) && !allowed.has(word))
        report(pointer, 'link_not_allowed', wording('must not contain {word}', { word: word.slice(0, 200) }))
  }
  check('/subject', wordsOf(override.subject))
  check('/html', own.words)
  check('/text', wordsOf(override.text))
  const ownText = new Set(wordsOf(override.text))
  for (const link of new Set(linksIn(product.text)))
    if (link.includes('://') && !ownText.has(link))
      report(
        '/text',
        'link_missing',
        wording("must contain the product's link to {link}", { link: withoutQuery(link) }),
      )
  return errors
}

/** The query may contain a token. */
const withoutQuery = (link: string): string => link.replace(/\?.*/s, '').slice(0, 200)

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}
