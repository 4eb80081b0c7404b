/** Problem documents (RFC 9457) of the API. */
import type { FieldError } from './api-types.ts'

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

/** Messages by the pointer of the field. */
export function fieldErrors(error: unknown): ReadonlyMap<string, string> {
  const errors = error instanceof ApiError ? (error.problem.errors ?? []) : []
  return new Map(errors.map(({ pointer, detail }) => [pointer, detail]))
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
