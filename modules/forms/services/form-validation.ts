/** Validates schemas of tenants and costly entries in worker threads. */
import {
  type Deps,
  type FieldError,
  fieldError,
  once,
  Problem,
  SECOND,
  type WorkerTask,
  wording,
  workerPoolProblems,
} from '@larder-dev/larder/kernel'
import type { validateEntry } from '../domain/entry-validation-task.ts'
import { inlineCost, isInline } from '../domain/inline-validation.ts'
import { compileSchema } from '../domain/schema-compiler.ts'
import type { SchemaError } from '../domain/schema-error.ts'
import type { Json } from '../domain/schema-traversal.ts'
import type { validateSchema } from '../domain/schema-validation.ts'

/** Returns all errors of an entry. Pointers begin at its root. */
export type EntryValidator = (entry: unknown) => Promise<FieldError[]>

export interface VersionSchema {
  readonly formId: string
  readonly version: number
  /** The owner of the form. */
  readonly tenantId: string
  readonly schema: Json
}
export interface FormValidation {
  /** Returns all errors of a schema. Don't call it inside a unit of work. */
  schemaErrors(tenantId: string, schema: Json): Promise<readonly SchemaError[]>
  /** @param version with a schema that has no errors. */
  entryValidator(version: VersionSchema): EntryValidator
}

/** The largest schemas take half a second on an idle machine. */
const SCHEMA_TIMEOUT_MS = 5 * SECOND
/** Includes compiling the schema, once per thread. */
const ENTRY_TIMEOUT_MS = 3 * SECOND
const schemaTask: WorkerTask<typeof validateSchema> = {
  file: new URL('../domain/schema-validation.js', import.meta.url),
  name: 'validateSchema',
}
const entryTask: WorkerTask<typeof validateEntry> = {
  file: new URL('../domain/entry-validation-task.js', import.meta.url),
  name: 'validateEntry',
}

export function createFormValidation({ workerPool }: Deps<'workerPool'>): FormValidation {
  return {
    schemaErrors: (tenantId, schema) =>
      workerPool
        .run(schemaTask, schema, { tenantId, timeoutMs: SCHEMA_TIMEOUT_MS })
        .catch(
          whenTooCostly({ path: [], code: 'too_costly', detail: wording('takes too long to compile; simplify it') }),
        ),
    entryValidator({ formId, version, tenantId, schema }) {
      const cost = inlineCost(schema)
      const validate = once(() => compileSchema(schema))
      const key = `${formId} ${version}`
      return async entry =>
        isInline(cost, entry)
          ? validate()(entry)
          : workerPool
              .run(entryTask, { key, schema, entry }, { tenantId, timeoutMs: ENTRY_TIMEOUT_MS })
              .catch(whenTooCostly(fieldError('', 'too_costly', wording('takes too long to validate; shorten it'))))
    },
  }
}

/** Turns an exceeded limit into an error of the input. */
const whenTooCostly =
  <T>(inputError: T) =>
  (error: unknown): T[] => {
    if (Problem.is(error) && error.code === workerPoolProblems.limit_exceeded.code) return [inputError]
    throw error
  }
