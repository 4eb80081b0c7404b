/** The page of a form. It works without JavaScript, and shows input again with its errors. */
import {
  type Deps,
  type FieldError,
  fieldError,
  originOf,
  type PageInput,
  type PageResult,
  Problem,
  page,
  wording,
} from '@larder-dev/larder/kernel'
import { defaultFields, type PostedFields, parseEntry } from '../domain/form-parser.ts'
import { type FormTexts, formTexts } from '../domain/page-texts.ts'
import type { Json } from '../domain/schema-traversal.ts'
import { problems } from '../problems.ts'
import { submitLimit } from '../routes/submit-limit.ts'
import type { LocalForm } from '../services/form-cache.ts'
import { authorizeSubmission } from '../services/submission-access.ts'
import type { FormServices } from '../services.ts'
import { createViewModel } from './view-model.ts'

const ALLOW = ['forms.submission.create', 'public'] as const
type Input = PageInput<typeof ALLOW>

type PageDeps = Deps<'theme'> & Pick<FormServices, 'formCache' | 'submissionIntake'>

/** A page to visit, and a page for frames of the sites that the form allows. */
export function formPages({ formCache, submissionIntake, theme }: PageDeps) {
  const textsIn = (locale: string): FormTexts => formTexts(text => theme.text(locale, text))

  async function findForm({ params, caller }: Input) {
    const form = await formCache.find(params.id ?? '')
    return { form, kind: authorizeSubmission(form, caller) }
  }

  async function load(input: Input): Promise<PageResult> {
    const { form } = await findForm(input)
    const local = (await formCache.version(form, form.version)).in(input.locale)
    if (input.query.sent === '1') return renderForm(input, local, textsIn(input.locale), { sent: true })
    const { token } = await submissionIntake.blank(form, input.locale)
    return renderForm(input, local, textsIn(input.locale), { token, values: defaultFields(local.model) })
  }

  async function post(input: Input & { form: PostedFields }): Promise<PageResult> {
    const { form, kind } = await findForm(input)
    const { token = '', website = '' } = input.form
    const version = await formCache.version(form, submissionIntake.shownVersion(form, token))
    const local = version.in(input.locale)
    const submission = { data: parseEntry(local.model, input.form), meta: { token, website } }
    const submitter = { kind, caller: input.caller, ip: input.request.ip, isPage: true }
    try {
      await submissionIntake.submit(form, submission, submitter)
    } catch (error) {
      const errors = errorsOf(error)
      if (!errors) throw error
      return renderForm(input, local, textsIn(input.locale), { token, values: input.form, errors })
    }
    return { redirect: `${input.request.path}?sent=1` }
  }

  const common = { title: 'Form', allow: ALLOW, limits: [submitLimit(formCache)] }
  async function framed(input: Input, result: PageResult): Promise<PageResult> {
    if ('redirect' in result) return result
    const { allowedOrigins } = (await findForm(input)).form
    return { ...result, frameAncestors: ["'self'", ...allowedOrigins.flatMap(origin => originOf(origin) ?? [])] }
  }
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

/** Errors of the entry's fields, or of the whole entry; undefined for any other error. */
function errorsOf(error: unknown): FieldError[] | undefined {
  if (!Problem.is(error)) return undefined
  if (error.code === problems.row_refused.code)
    return [fieldError('', error.code, wording("can't be sent at the moment"))]
  if (error.code !== 'validation_failed') return undefined
  const { errors = [] } = error.extras as { errors?: readonly FieldError[] }
  return errors.map(error => ({ ...error, pointer: error.pointer.replace(/^\/data/, '') }))
}

interface PageState {
  readonly token?: string
  readonly values?: PostedFields
  readonly errors?: readonly FieldError[]
  readonly sent?: boolean
}

function renderForm(
  { request }: Pick<Input, 'request'>,
  { title, uiSchema, model }: LocalForm,
  texts: FormTexts,
  { token = '', values = {}, errors = [], sent = false }: PageState,
): PageResult {
  const { items, summary } = createViewModel(model, values, errors, texts)
  return {
    title: errors.length > 0 ? `${texts.error}: ${title}` : title,
    ...(errors.length > 0 && { status: 422 }),
    data: {
      name: title,
      description: model.help,
      submit: submitText(uiSchema),
      action: request.path,
      items,
      summary,
      token,
      sent,
    },
  }
}

function submitText(uiSchema: Json | null): string {
  const { submitText } = Object(uiSchema?.['ui:submitButtonOptions']) as { submitText?: unknown }
  return typeof submitText === 'string' ? submitText : ''
}
