/** Mail templates: compiled and checked at boot, filled under bounds, styled and turned into text when they are sent. */
import { createRequire } from 'node:module'
import type { MailTemplates, Product, RenderedMail } from '../ports.ts'
import { MAIL_BOUNDS, OverBounds, within } from './bounds.ts'
import { createEngine, type Data, RenderError, type Template, TemplateError, type TemplateProblem } from './engine.ts'
import { HELPERS } from './helpers.ts'
import { findMail, type MailOverride, type MailSet } from './mail-files.ts'
import { compileFamily, type MailTemplate, type MailVariants } from './mail-template.ts'
import { templateProblems } from './problems.ts'
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
  /** What all parts of one mail are filled from, and by. */
  function filling(key: string, wanted: string, data: Data) {
    const { variants } = entry(key)
    const locale = nearest(variants, wanted, standard)
    const template = variants.get(locale === standard && !variants.has(locale) ? '' : locale) as MailTemplate
    const values = { ...data, product: shown, locale }
    const fill = (part: Template) => guarded(key, () => within(MAIL_BOUNDS, () => part.render(values, locale)))
    return { template, locale, fill, subject: oneLine(fill(template.subject)) }
  }

  return {
    has: key => entries.has(key),
    list: () =>
      [...entries.values()].map(({ key, source, variants }) => ({
        key,
        source,
        locales: [standard, ...[...variants.keys()].filter(locale => locale !== '' && locale !== standard)],
        category: categoryOf({ variants }),
      })),
    sample(key, locale) {
      const { variants } = entry(key)
      const own = variants.get(nearest(variants, locale, standard))
      return { ...(variants.get('') as MailTemplate).sample, ...own?.sample }
    },
    check(key, locale, data) {
      const { template, fill, subject } = filling(key, locale, data)
      for (const part of [template.preheader, template.html, template.text]) if (part) fill(part)
      return { subject, category: categoryOf(entry(key)) }
    },
    render(key, wanted, data): RenderedMail {
      const { template, locale, fill, subject } = filling(key, wanted, data)
      const body = fill(template.html)
      const preheader = template.preheader && oneLine(fill(template.preheader))
      const whole = theme.mailLayout.wrap({ subject, preheader, body, locale, product: shown })
      return {
        subject,
        html: inline(whole, theme.mailLayout.css),
        text: template.text ? fill(template.text) : plain(body),
      }
    },
  }
}

/** The file without a locale says it for all. */
const categoryOf = ({ variants }: Pick<Entry, 'variants'>) => (variants.get('') as MailTemplate).category

function readAll(sets: readonly MailSet[], overrides: readonly MailOverride[]) {
  const engine = createEngine(HELPERS)
  const { families, problems } = findMail(sets, overrides)
  const entries = new Map<string, Entry>()
  for (const family of families.values()) {
    const compiled = compileFamily(engine, family)
    problems.push(...compiled.problems)
    entries.set(family.key, { key: family.key, source: family.source, variants: compiled.variants })
  }
  return { entries, problems }
}

/** `de-AT` → `de-AT`, else `de`, else the default one, for which '' stands where no file names it. */
function nearest(variants: MailVariants, wanted: string, standard: string): string {
  for (let locale = wanted; locale; locale = locale.slice(0, Math.max(0, locale.lastIndexOf('-'))))
    if (variants.has(locale) || locale === standard) return locale
  return standard
}

function guarded<T>(template: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof OverBounds) throw templateProblems.template_failed({ template, reason: error.message })
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

const inline = (html: string, extraCss: string): string =>
  (require('juice') as typeof import('juice'))(html, { extraCss, resolveCSSVariables: true })

const plain = (html: string): string =>
  (require('html-to-text') as typeof import('html-to-text')).convert(html, {
    wordwrap: 78,
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['<', '>'] } },
      ...['h1', 'h2', 'h3'].map(selector => ({ selector, options: { uppercase: false } })),
      { selector: 'img', format: 'skip' },
    ],
  })
