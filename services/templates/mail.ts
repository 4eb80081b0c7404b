/** Mail templates: compiled and validated at boot, rendered with limits, and styled when they are sent. */

import { createHash } from 'node:crypto'
import {
  assertMaxLength,
  LimitExceeded,
  type LocalMailText,
  type MailTemplates,
  MIB,
  type Product,
  type RenderOptions,
  runWithTimeout,
  SECOND,
  templateProblems,
  type WorkerPool,
  type WorkerTask,
} from '@larder-dev/larder/kernel/internal'
import { createEngine, type Data, RenderError, type Template, TemplateError, type TemplateProblem } from './engine.ts'
import { RESERVED_NAMES } from './front-matter.ts'
import { HELPERS } from './helpers.ts'
import { limitReason, reservedName, templateFailed } from './mail-failure.ts'
import { findMail, type MailFamily, type MailOverride, type MailSet } from './mail-files.ts'
import type { FinishedMail, finishHtml, MailHtml } from './mail-html-task.ts'
import { createOverrideRenderer } from './mail-override.ts'
import type { RenderedParts } from './mail-override-task.ts'
import { compileFamily, type MailTemplate, type MailVariants } from './mail-template.ts'
import type { MailLayout } from './theme.ts'

export interface MailTemplatesOptions {
  readonly sets: readonly MailSet[]
  readonly overrides: readonly MailOverride[]
  readonly theme: { readonly mailLayout: MailLayout }
  readonly product: Product
  readonly workerPool: WorkerPool
}

/** Limits of one part of a product template. Its author is trusted; its data is not. */
const RENDER_TIMEOUT_MS = SECOND
const MAX_PART_LENGTH = MIB
/** Generous for product templates, because exceeding it fails the delivery; some systems count elapsed time. */
const FINISH_TIMEOUT_MS = 10 * SECOND
const OVERRIDE_FINISH_TIMEOUT_MS = SECOND
/** Characters of a styled override. */
const MAX_HTML_LENGTH = MIB
/** The share of the worker pool for mails without a tenant. */
const NO_TENANT = ''

const finishTask: WorkerTask<typeof finishHtml> = {
  file: new URL('./mail-html-task.js', import.meta.url),
  name: 'finishHtml',
}

interface Entry {
  readonly key: string
  readonly source: string
  readonly ofModule: boolean
  readonly variants: MailVariants
  /** Changes with any of its files. */
  readonly digest: string
}

/** Returns all errors of these templates. */
export function mailProblems(sets: readonly MailSet[], overrides: readonly MailOverride[]): TemplateProblem[] {
  return readAll(sets, overrides).problems
}

/** Throws a TemplateError that lists every error of every template. */
export function createMailTemplates(options: MailTemplatesOptions): MailTemplates {
  const { sets, overrides, theme, product, workerPool } = options
  const { entries, problems } = readAll(sets, overrides)
  if (problems.length > 0) throw new TemplateError(problems)
  const defaultLocale = product.locales.default
  const productData = { key: product.key, name: product.name, publicUrl: product.publicUrl }
  const overrideRenderer = createOverrideRenderer(workerPool)

  const entry = (key: string): Entry => {
    const found = entries.get(key)
    if (!found) throw templateProblems.unknown_template({ template: key })
    return found
  }

  /** Renders the parts with the tenant's override in the nearest locale, or with the product's template. */
  async function renderParts(key: string, wanted: string, data: Data, options: RenderOptions) {
    const { overrides = [], tenantId = NO_TENANT } = options
    const { variants } = entry(key)
    const known = new Set([...variants.keys(), ...overrides.map(({ locale }) => locale)])
    const locale = nearest(known, wanted, defaultLocale)
    const values = { ...data, product: productData, locale }
    const override = overrides.find(text => text.locale === locale)
    const parts = override
      ? await overrideRenderer.render(key, override, values, tenantId)
      : renderProductTemplate(key, variantOf(variants, locale), values, locale)
    const subject = oneLine(parts.subject)
    const preheader = parts.preheader && oneLine(parts.preheader)
    return { ...parts, subject, preheader, locale, isOverride: override !== undefined }
  }

  /** Inlines the styles and generates the text. */
  async function finish(key: string, mail: MailHtml, isOverride: boolean, tenantId = NO_TENANT): Promise<FinishedMail> {
    const timeoutMs = isOverride ? OVERRIDE_FINISH_TIMEOUT_MS : FINISH_TIMEOUT_MS
    try {
      const finished = await workerPool.run(finishTask, mail, { tenantId, timeoutMs })
      if (isOverride) assertMaxLength(finished.html, MAX_HTML_LENGTH)
      return finished
    } catch (error) {
      throw toProblem(key, error)
    }
  }

  return {
    has: key => entries.has(key),
    list: () =>
      [...entries.values()].map(({ key, source, ofModule, variants, digest }) => ({
        key,
        source,
        locales: [defaultLocale, ...[...variants.keys()].filter(locale => locale !== '' && locale !== defaultLocale)],
        category: categoryOf({ variants }),
        sendable: variantOf(variants, '').sendable ?? !ofModule,
        digest,
      })),
    sample(key, locale) {
      const { variants } = entry(key)
      const localSample = variants.get(nearest(variants, locale, defaultLocale))?.sample
      return { ...variantOf(variants, '').sample, ...localSample }
    },
    text(key, wanted): LocalMailText {
      const { variants } = entry(key)
      const locale = nearest(variants, wanted, defaultLocale)
      return { locale, ...variantOf(variants, locale).source }
    },
    validate: (text, { tenantId = NO_TENANT } = {}) => overrideRenderer.validate(text, tenantId),
    async check(key, locale, data, options = {}) {
      const reserved = RESERVED_NAMES.find(name => Object.hasOwn(data, name))
      if (reserved) throw reservedName(key, reserved)
      const { subject } = await renderParts(key, locale, data, options)
      return { subject, category: categoryOf(entry(key)) }
    },
    async render(key, wanted, data, options = {}) {
      const { unsubscribeUrl, tenantId } = options
      const { subject, preheader, html: body, text, locale, isOverride } = await renderParts(key, wanted, data, options)
      const html = theme.mailLayout.wrap({ subject, preheader, body, locale, product: productData, unsubscribeUrl })
      const mail = { html, css: theme.mailLayout.css, body: text === undefined ? body : undefined }
      const finished = await finish(key, mail, isOverride, tenantId)
      const plain = text ?? finished.text ?? ''
      return {
        subject,
        html: finished.html,
        text: unsubscribeUrl === undefined ? plain : `${plain}\n\nUnsubscribe: ${unsubscribeUrl}`,
      }
    },
  }
}

/** On the calling thread: product templates are small and trusted, and requests wait for them. */
function renderProductTemplate(key: string, template: MailTemplate, data: Data, locale: string): RenderedParts {
  const render = (part: Template) =>
    assertMaxLength(
      runWithTimeout(RENDER_TIMEOUT_MS, () => part.render(data, locale)),
      MAX_PART_LENGTH,
    )
  const { subject, preheader, html, text } = template
  try {
    return {
      subject: render(subject),
      preheader: preheader && render(preheader),
      html: render(html),
      text: text && render(text),
    }
  } catch (error) {
    throw toProblem(key, error)
  }
}

/** Problem `template_failed`, or the same error if it has another cause. */
function toProblem(key: string, error: unknown): unknown {
  if (error instanceof RenderError) return templateFailed(key, error)
  if (error instanceof LimitExceeded) return templateFailed(key, { message: error.message, missing: undefined })
  if (error instanceof RangeError) return templateFailed(key, { message: 'it is too large', missing: undefined })
  const reason = limitReason(error)
  return reason === undefined ? error : templateFailed(key, { message: reason, missing: undefined })
}

const variantOf = (variants: MailVariants, locale: string): MailTemplate =>
  (variants.get(locale) ?? variants.get('')) as MailTemplate

/** The file without a locale sets the category for all locales. */
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
      ofModule: family.ofModule,
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

/** `de-AT` → `de-AT`, else `de`, else the default locale. */
function nearest(known: { has(locale: string): boolean }, wanted: string, defaultLocale: string): string {
  for (let locale = wanted; locale; locale = locale.slice(0, Math.max(0, locale.lastIndexOf('-'))))
    if (known.has(locale) || locale === defaultLocale) return locale
  return defaultLocale
}

/** Header values are single lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters
const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
