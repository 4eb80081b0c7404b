/** Problem documents (RFC 9457) of the API. */
import { fieldLabel } from '../locales/index.ts'
import type { FieldError } from './api-types.ts'
import type { FieldMessages } from './field-messages.ts'

export interface ProblemDocument {
  readonly status: number
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly errors?: readonly FieldError[]
  readonly requestId?: string
}

export class ApiError extends Error {
  readonly status: number
  readonly problem: ProblemDocument

  constructor(problem: ProblemDocument) {
    super(problem.detail || problem.title)
    this.name = 'ApiError'
    this.status = problem.status
    this.problem = problem
  }
}

/** The server could not be reached, or a proxy answered in its place. */
export class ServerUnavailable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ServerUnavailable'
  }
}

export const isStatus = (error: unknown, status: number): error is ApiError =>
  error instanceof ApiError && error.status === status

export const isCode = (error: unknown, code: string): error is ApiError =>
  error instanceof ApiError && error.problem.code === code

/** The workspace or the customer is suspended, which the banner of the shell says. */
export const isSuspension = (error: unknown): boolean =>
  isCode(error, 'tenant_suspended') || isCode(error, 'customer_suspended')

/** Messages by the pointer of the field. */
export function fieldErrors(error: unknown): FieldMessages {
  const errors = error instanceof ApiError ? (error.problem.errors ?? []) : []
  return new Map(errors.map(({ pointer, detail }) => [pointer, detail]))
}

/** `['/name', 'must not be empty']` → `Name must not be empty.` */
export function sentenceOf([pointer, text]: readonly [string, string]): string {
  const name = pointer.split('/').findLast(part => part !== '' && !/^\d+$/.test(part))
  return `${name === undefined ? text : `${fieldLabel(name)} ${text}`}.`
}

/** Problems that are about values of fields alone. */
const OF_FIELDS: readonly string[] = ['validation_failed', 'value_taken', 'period_taken', 'capacity_reached']
export const isAboutFields = (error: unknown): boolean =>
  error instanceof ApiError && OF_FIELDS.includes(error.problem.code)

/** The message for a person. Of an answer about fields, the sentence of each field. */
export function messageOf(error: unknown): string {
  const sentences = isAboutFields(error) ? [...fieldErrors(error)].map(sentenceOf) : []
  if (sentences.length > 0) return sentences.join(' ')
  return error instanceof Error ? error.message : String(error)
}
