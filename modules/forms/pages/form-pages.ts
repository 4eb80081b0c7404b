/** The page of a form: filled without JavaScript, shown again with what was typed and what is wrong. */
import { type Deps, type FieldError, type PageInput, type PageResult, Problem, page } from 'larder/kernel'
import { defaultsOf, entryOf, type Fields } from '../domain/form-parser.ts'
import { itemsOf } from './view-model.ts'
import type { Json } from '../domain/schema-traversal.ts'
import { wordsOf } from './texts.ts'
import { submitLimit } from '../routes/submit-limit.ts'
import { admit, type Definition, type Version } from '../services/form-cache.ts'

const ALLOW = ['forms.submission.create', 'public'] as const
type Input = PageInput<typeof ALLOW>

/** One page to visit, and one for frames of the sites that the form names. */
export function formPages({ forms }: Deps<'forms'>) {
  const { definitions, submitting } = forms

  async function opened({ params, caller }: Input) {
    const form = await definitions.find(params.id ?? '')
    return { form, kind: admit(form, caller) }
  }

  async function load(input: Input): Promise<PageResult> {
    const { form } = await opened(input)
    const version = await definitions.version(form, form.version)
    if (input.query.sent === '1') return shown(input, version, { sent: true })
    const { token } = await submitting.blank(form)
    return shown(input, version, { token, values: defaultsOf(version.model) })
  }

  async function post(input: Input & { form: Fields }): Promise<PageResult> {
    const { form, kind } = await opened(input)
    const { token = '', website = '' } = input.form
    const version = await definitions.version(form, submitting.shownVersion(form, token))
    const entry = { data: entryOf(version.model, input.form), meta: { token, website } }
    const sender = { kind, userId: input.caller?.userId, ip: input.request.ip }
    try {
      await submitting.submit(form, entry, sender)
    } catch (error) {
      const errors = errorsOf(error)
      if (!errors) throw error
      return shown(input, version, { token, values: input.form, errors })
    }
    return { redirect: `${input.request.path}?sent=1` }
  }

  const common = { title: 'Form', allow: ALLOW, limits: [submitLimit(definitions)] }
  const framed = async (input: Input, result: PageResult): Promise<PageResult> =>
    'redirect' in result ? result : { ...result, headers: framing((await opened(input)).form) }
  return [
    page({ ...common, name: 'forms.form', path: '/forms/:id', load, post }),
    page({
      ...common,
      name: 'forms.frame',
      path: '/forms/:id/frame',
      load: async input => framed(input, await load(input)),
      post: async input => framed(input, await post(input)),
    }),
  ]
}

/** Of the entry; undefined for anything that is not about its fields. */
function errorsOf(error: unknown): FieldError[] | undefined {
  if (!Problem.is(error) || error.code !== 'validation_failed') return undefined
  const { errors = [] } = error.extras as { errors?: readonly FieldError[] }
  return errors.map(fault => ({ ...fault, pointer: fault.pointer.replace(/^\/data/, '') }))
}

interface State {
  readonly token?: string
  readonly values?: Fields
  readonly errors?: readonly FieldError[]
  readonly sent?: boolean
}

function shown(
  { request, locale }: Pick<Input, 'request' | 'locale'>,
  { name, schema, uiSchema, model }: Version,
  { token = '', values = {}, errors = [], sent = false }: State,
): PageResult {
  const words = wordsOf(locale)
  const { items, summary } = itemsOf(model, values, errors, words)
  const description = typeof schema.description === 'string' ? schema.description : ''
  return {
    title: errors.length > 0 ? `${words.error}: ${name}` : name,
    ...(errors.length > 0 && { status: 422 }),
    data: { name, description, action: request.path, submit: submitWords(uiSchema), items, summary, token, sent },
  }
}

function submitWords(uiSchema: Json | null): string {
  const { submitText } = Object(uiSchema?.['ui:submitButtonOptions']) as { submitText?: unknown }
  return typeof submitText === 'string' ? submitText : ''
}

/** Browsers that know frame-ancestors pass over X-Frame-Options. */
function framing({ allowedOrigins }: Definition): Record<string, string> {
  const policy = [
    "default-src 'self'",
    "img-src 'self' data: https:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${["'self'", ...allowedOrigins].join(' ')}`,
  ]
  return { 'content-security-policy': policy.join('; ') }
}
