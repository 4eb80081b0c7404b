/** Forms in page templates: a submission creates a row, once, and leads to a page. */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Clock,
  checkText,
  common,
  fingerprint,
  KIB,
  Problem,
  SECOND,
  type ShownTokens,
  spamReason,
  withContext,
} from '@larder-dev/larder/kernel/internal'
import { readForm } from '../api/body.ts'
import type { Idempotency } from '../api/idempotency.ts'
import { malformedRequest } from '../problems.ts'
import { changeContext, type RequestContext } from '../request-context.ts'
import type { DataVisit, PageData } from '../types.ts'

const MAX_FORM_BYTES = 512 * KIB
/** Names of the inputs that the partial `row-form` adds. No field has such a name. */
const NAME_INPUT = '_form'
const TOKEN_INPUT = '_token'
/** When the form was shown to somebody who is not signed in, signed. Templates of an earlier version don't send it. */
const SHOWN_INPUT = '_shown'
/** People don't see it. */
const TRAP_INPUT = '_website'
/** The solution of the task that a visitor's computer has to solve. */
const PROOF_INPUT = '_proof'
const VISITOR_RULES = { minFillMs: SECOND, requireToken: false }
const TOKEN = /^[\w-]{16,64}$/
/** How long a second click waits for the first one. */
const MAX_WAIT_MS = 10 * SECOND
const POLL_MS = 100

type Forms = Readonly<Record<string, unknown>>
type Fields = Readonly<Record<string, string>>

export interface SubmittedForm {
  readonly name: string
  readonly token: string
  readonly input: Fields
  readonly form: unknown
  readonly shown: string | undefined
  readonly trap: string | undefined
  readonly proof: string | undefined
}
/** A form that is shown again, with its input. */
export interface RefusedForm extends SubmittedForm {
  readonly refusal: Problem
}

/** Rejects with `malformed` for a form that the template doesn't have. */
export async function readSubmission(ctx: RequestContext, forms: Forms): Promise<SubmittedForm> {
  const fields = await readForm(ctx.req, MAX_FORM_BYTES)
  checkText(fields, 'body')
  const {
    [NAME_INPUT]: name = '',
    [TOKEN_INPUT]: token = '',
    [SHOWN_INPUT]: shown,
    [TRAP_INPUT]: trap,
    [PROOF_INPUT]: proof,
    ...input
  } = fields
  if (!Object.hasOwn(forms, name) || !TOKEN.test(token)) throw malformedRequest.unknown_form()
  return { name, token, input, form: forms[name], shown, trap, proof }
}

/** Whether a program seems to have sent the form. It gets the answer of a person, and no row is created. */
export function isFromProgram(
  { tokens, clock }: Pick<ShownForms, 'tokens' | 'clock'>,
  { name, shown, trap }: SubmittedForm,
  { path }: DataVisit,
): boolean {
  const now = clock.now()
  const token = shown === undefined ? undefined : tokens.read(`${path} ${name}`, shown, now)
  return spamReason({ token, honeypot: trap, now }, VISITOR_RULES) !== null
}

export interface FormSubmission extends SubmittedForm {
  readonly visit: DataVisit
  /** Results of the page's queries. */
  readonly data: Readonly<Record<string, unknown>>
  /** Whether the row belongs to the operator or to the workspace that the form names, whoever sends it. */
  readonly isOpen: boolean
}

/**
 * Creates the row, unless the same form with the same input has created it. Returns why it was refused; undefined if the
 * row exists.
 */
export async function submitOnce(
  { pageData, idempotency }: { readonly pageData: PageData; readonly idempotency: Idempotency },
  ctx: RequestContext,
  { name, token, input, form, proof, visit, data, isOpen }: FormSubmission,
): Promise<Problem | undefined> {
  const { caller } = ctx
  // After "Back", another input is another submission.
  const key = fingerprint([name, token, input])
  const attempt = {
    key,
    tenantId: caller?.tenantId,
    isAcross: isOpen,
    caller: caller?.principalId ?? '',
    method: ctx.method,
    path: ctx.path,
    query: '',
    body: null,
  }
  const run = () =>
    idempotency.run(attempt, async () => {
      await pageData.submit(form, visit, { input, data, proof })
      return { status: 201, type: 'text/plain', body: '', headers: {} }
    })
  try {
    await withContext(changeContext(ctx, caller), () => untilFree(run))
    return undefined
  } catch (error) {
    if (Problem.is(error) && error.status < 500) return error
    throw error
  }
}

async function untilFree<T>(run: () => Promise<T>): Promise<T> {
  for (let waited = 0; ; waited += POLL_MS)
    try {
      return await run()
    } catch (error) {
      const isBusy = Problem.is(error) && error.code === common.idempotency_in_progress.code
      if (!isBusy || waited >= MAX_WAIT_MS) throw error
      await pause(POLL_MS)
    }
}

/** The page after a submission: that of the form, or the same page with the notice of the form. */
export function pageAfter({ form, name }: SubmittedForm, { path, search }: DataVisit): string {
  const { redirect } = Object(form) as { readonly redirect?: unknown }
  if (typeof redirect === 'string') return redirect
  const query = new URLSearchParams(search)
  query.set(SENT_PARAMETER, name)
  return `${path}?${query}`
}
const SENT_PARAMETER = 'sent'

export interface ShownForms {
  readonly pageData: Pick<PageData, 'form'>
  readonly visit: DataVisit
  readonly signInPath: string | undefined
  readonly tokens: ShownTokens
  readonly clock: Clock
  readonly refused: RefusedForm | undefined
  /** By the name of the form, as JSON. */
  readonly challenges: Readonly<Record<string, string | null>>
  /** Results of the page's queries. */
  readonly data: Readonly<Record<string, unknown>>
}

/** The tasks of forms for people who are not signed in. */
export async function challengesOf(
  forms: Forms,
  { pageData, visit, data }: Pick<ShownForms, 'visit' | 'data'> & { readonly pageData: Pick<PageData, 'challenge'> },
): Promise<ShownForms['challenges']> {
  const made = Object.entries(forms).map(async ([name, form]) => {
    const challenge = await pageData.challenge(form, visit, data)
    return [name, challenge && JSON.stringify(challenge)] as const
  })
  return Object.fromEntries(await Promise.all(made))
}

/** What the template shows of its forms, for the partial `row-form`. */
export async function shownForms(
  forms: Forms,
  { pageData, visit, signInPath, tokens, clock, refused, challenges, data }: ShownForms,
) {
  const { path, search, caller } = visit
  const query = new URLSearchParams(search)
  const sent = query.get(SENT_PARAMETER)
  query.delete(SENT_PARAMETER)
  const action = query.size > 0 ? `${path}?${query}` : path
  const next = encodeURIComponent(action)
  const signIn = caller || signInPath === undefined ? null : `${signInPath}?next=${next}`
  const shownOnes = await Promise.all(
    Object.entries(forms).map(async ([name, form]) => {
      const own = refused?.name === name ? refused : undefined
      const shown = await pageData.form(form, visit, { name, input: own?.input, refusal: own?.refusal, data })
      const token = own?.token ?? randomBytes(18).toString('base64url')
      const time = own?.shown ?? tokens.sign(`${path} ${name}`, { version: 0, shownAt: clock.now() })
      const guest = !caller && { shown: time }
      return [
        name,
        {
          ...shown,
          name,
          token,
          summaryId: `${name}-summary`,
          action,
          signIn,
          challenge: challenges[name] ?? null,
          next,
          code: own?.refusal.code ?? null,
          ...guest,
          sent: !refused && sent === name,
        },
      ] as const
    }),
  )
  return Object.fromEntries(shownOnes)
}
