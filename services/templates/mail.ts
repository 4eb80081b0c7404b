/** Mail templates: compiled and checked at boot, filled under bounds, styled and turned into text when they are sent. */

import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import {
  type LocalMailText,
  MAIL_BOUNDS,
  type MailTemplates,
  OverBounds,
  type Product,
  type RenderedMail,
  type RenderOptions,
  runWithLimits,
  templateProblems,
} from 'larder/kernel'
import { createEngine, type Data, RenderError, type Template, TemplateError, type TemplateProblem } from './engine.ts'
import { HELPERS } from './helpers.ts'
import { findMail, type MailFamily, type MailOverride, type MailSet } from './mail-files.ts'
import { createOwnTexts, OWN_BOUNDS, OWN_STYLE_BOUNDS } from './mail-own.ts'
import { compileFamily, type MailTemplate, type MailVariants } from './mail-template.ts'
import type { MailLayout } from './theme.ts'

export interface MailTemplatesOptions {
  readonly sets: readonly MailSet[]
  readonly overrides: readonly MailOverride[]
  readonly theme: { readonly mailLayout: MailLayout }
  readonly product: Product
}

interface Entry {
  readonly key: string
  readonly source: string
  readonly variants: MailVariants
  /** Changes when any of its files does. */
  readonly digest: string
}

/** Everything that is wrong with these templates; empty when all compile. */
export function mailProblems(sets: readonly MailSet[], overrides: readonly MailOverride[]): TemplateProblem[] {
  return readAll(sets, overrides).problems
}

/** Throws a TemplateError that names every problem of every template. */
export function createMailTemplates({ sets, overrides, theme, product }: MailTemplatesOptions): MailTemplates {
  const { entries, problems } = readAll(sets, overrides)
  if (problems.length > 0) throw new TemplateError(problems)
  const standard = product.locales.default
  const shown = { key: product.key, name: product.name, publicUrl: product.publicUrl }

  const entry = (key: string): Entry => {
    const found = entries.get(key)
    if (!found) throw templateProblems.unknown_template({ template: key })
    return found
  }
  const ownTexts = createOwnTexts(createEngine(HELPERS))
  /** The parts to fill: of whoever wrote for the nearest locale. */
  function parts(key: string, wanted: string, own: readonly LocalMailText[]) {
    const { variants } = entry(key)
    const said = new Set([...variants.keys(), ...own.map(text => text.locale)])
    const locale = nearest(said, wanted, standard)
    const written = own.find(text => text.locale === locale)
    return written
      ? { locale, own: true, template: ownTexts(written) }
      : { locale, own: false, template: variantOf(variants, locale) }
  }
  /** What all parts of one mail are filled from, and by. */
  function filling(key: string, wanted: string, data: Data, { own = [] }: RenderOptions = {}) {
    const found = parts(key, wanted, own)
    const { locale, template } = found
    const values = { ...data, product: shown, locale }
    const bounds = found.own ? OWN_BOUNDS : MAIL_BOUNDS
    const fill = (part: Template) => guarded(key, () => runWithLimits(bounds, () => part.render(values, locale)))
    return { ...found, fill, subject: oneLine(fill(template.subject)) }
  }

  return {
    has: key => entries.has(key),
    list: () =>
      [...entries.values()].map(({ key, source, variants, digest }) => ({
        key,
        source,
        locales: [standard, ...[...variants.keys()].filter(locale => locale !== '' && locale !== standard)],
        category: categoryOf({ variants }),
        digest,
      })),
    sample(key, locale) {
      const { variants } = entry(key)
      const own = variants.get(nearest(variants, locale, standard))
      return { ...(variants.get('') as MailTemplate).sample, ...own?.sample }
    },
    text(key, wanted) {
      const { variants } = entry(key)
      const locale = nearest(variants, wanted, standard)
      return { locale, ...variantOf(variants, locale).source }
    },
    compile: text => void ownTexts(text),
    check(key, locale, data, more) {
      const { template, fill, subject } = filling(key, locale, data, more)
      for (const part of [template.preheader, template.html, template.text]) if (part) fill(part)
      return { subject, category: categoryOf(entry(key)) }
    },
    render(key, wanted, data, more = {}): RenderedMail {
      const { template, locale, fill, subject, own } = filling(key, wanted, data, more)
      const { unsubscribeUrl } = more
      const body = fill(template.html)
      const preheader = template.preheader && oneLine(fill(template.preheader))
      const whole = theme.mailLayout.wrap({ subject, preheader, body, locale, product: shown, unsubscribeUrl })
      const text = template.text ? fill(template.text) : finished(key, own, body, plain())
      return {
        subject,
        html: finished(key, own, whole, inline(theme.mailLayout.css)),
        text: unsubscribeUrl === undefined ? text : `${text}\n\nUnsubscribe: ${unsubscribeUrl}`,
      }
    },
  }
}

const variantOf = (variants: MailVariants, locale: string): MailTemplate =>
  (variants.get(locale) ?? variants.get('')) as MailTemplate

/** What somebody wrote through the API is finished under a watchdog too: its tags and styles are theirs. */
const finished = (key: string, own: boolean, html: string, finish: (html: string) => string): string =>
  own ? guarded(key, () => runWithLimits(OWN_STYLE_BOUNDS, () => finish(html))) : finish(html)

/** The file without a locale says it for all. */
const categoryOf = ({ variants }: Pick<Entry, 'variants'>) => (variants.get('') as MailTemplate).category

function readAll(sets: readonly MailSet[], overrides: readonly MailOverride[]) {
  const engine = createEngine(HELPERS)
  const { families, problems } = findMail(sets, overrides)
  const entries = new Map<string, Entry>()
  for (const family of families.values()) {
    const compiled = compileFamily(engine, family)
    problems.push(...compiled.problems)
    entries.set(family.key, {
      key: family.key,
      source: family.source,
      variants: compiled.variants,
      digest: digestOf(family),
    })
  }
  return { entries, problems }
}

const digestOf = ({ bodies, texts }: MailFamily): string =>
  createHash('sha256')
    .update(JSON.stringify([...bodies, ...texts].map(([locale, { text }]) => [locale, text])))
    .digest('base64url')
    .slice(0, 22)

/** `de-AT` → `de-AT`, else `de`, else the default one, for which '' stands where no file names it. */
function nearest(said: { has(locale: string): boolean }, wanted: string, standard: string): string {
  for (let locale = wanted; locale; locale = locale.slice(0, Math.max(0, locale.lastIndexOf('-'))))
    if (said.has(locale) || locale === standard) return locale
  return standard
}

function guarded<T>(template: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof OverBounds) throw templateProblems.template_failed({ template, reason: error.message })
    // Deeper, or longer, than the engine goes.
    if (error instanceof RangeError) throw templateProblems.template_failed({ template, reason: 'it is too large' })
    if (!(error instanceof RenderError)) throw error
    const { message, missing } = error
    const pointer = missing && /^[\w.]+$/.test(missing) ? `/data/${missing.replaceAll('.', '/')}` : '/data'
    const errors = [{ pointer, code: missing ? 'required' : 'invalid', detail: message }]
    throw templateProblems.template_failed({ template, reason: message }, { errors })
  }
}

/** A header never has a second line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this takes out
const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()

// 25 MiB and a third of a second: loaded with the first mail, not at boot.
const require = createRequire(import.meta.url)

/** Loaded before the watchdog is set: half a library would stay in memory. */
const inline = (extraCss: string): ((html: string) => string) => {
  const juice = require('juice') as typeof import('juice')
  return html => juice(html, { extraCss, resolveCSSVariables: true })
}

const plain = (): ((html: string) => string) => {
  const { convert } = require('html-to-text') as typeof import('html-to-text')
  return html => convert(html, TEXT)
}
const TEXT = {
  wordwrap: 78,
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['<', '>'] as [string, string] } },
    ...['h1', 'h2', 'h3'].map(selector => ({ selector, options: { uppercase: false } })),
    { selector: 'img', format: 'skip' },
  ],
}
